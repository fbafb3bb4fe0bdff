#include <algorithm>
#include <limits>
#include <utility>

#include "data/text_table.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {

void TextColumn::add(std::string_view cell) {
  if (!coded_) return append(cell);
  auto found = code_of_.find(cell);
  if (found == code_of_.end()) {
    if (code_of_.size() == kMaxCodes) {
      stop_coding();
      return append(cell);
    }
    found = code_of_.emplace(cell, static_cast<std::uint8_t>(code_of_.size())).first;
    append(cell);
  }
  codes_.push_back(found->second);
}

void TextColumn::append(std::string_view cell) {
  if (ends_.size() % kBlock == 0) bases_.push_back(bytes_.size());
  if (bytes_.size() - bases_.back() + cell.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error("column '" + name_ + "': texts of more than 4 GB in " + std::to_string(kBlock) +
                " rows");
  bytes_ += cell;
  ends_.push_back(static_cast<std::uint32_t>(bytes_.size() - bases_.back()));
}

void TextColumn::stop_coding() {
  TextColumn plain(std::move(name_));
  plain.coded_ = false;
  for (const std::uint8_t code : codes_) plain.append(text(code));
  *this = std::move(plain);
}

void TextColumn::clear() { *this = TextColumn(std::move(name_)); }

void RowLines::push_back(std::int64_t line) {
  const bool goes_on =
      size_ > 0 &&
      (runs_.back().line == 0
           ? line == 0
           : line == runs_.back().line + static_cast<std::int64_t>(size_ - runs_.back().row));
  if (!goes_on) runs_.push_back({size_, line});
  ++size_;
}

std::int64_t RowLines::operator[](std::size_t row) const {
  const auto after = std::ranges::upper_bound(runs_, row, {}, &Run::row);
  const Run& run = *(after - 1);
  return run.line == 0 ? 0 : run.line + static_cast<std::int64_t>(row - run.row);
}

}  // namespace hgnet
