#include "hgnet/graph/wl.hpp"

#include <algorithm>
#include <bit>

namespace hgnet {
namespace {

/// The finaliser of splitmix64: every bit of the result depends on every bit of x.
Colour mixed(Colour x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

Colour colour_of_edge(std::span<const float> row) {
  Colour sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    sum += colour_of_entry(static_cast<std::int64_t>(i), row[i]);
  return sum;
}

}  // namespace

Colour colour_of_entry(std::int64_t column, float value) {
  if (value == 0) return 0;
  return mixed(mixed(static_cast<Colour>(column)) + std::bit_cast<std::uint32_t>(value));
}

Colour colour_of_row(Colour sum_of_entries) { return mixed(sum_of_entries); }

std::vector<Colour> colours_of_rows(std::span<const float> dense, std::int64_t width) {
  std::vector<Colour> result;
  for (std::size_t begin = 0; width > 0 && begin < dense.size(); begin += width) {
    Colour sum = 0;
    for (std::int64_t c = 0; c < width; ++c) sum += colour_of_entry(c, dense[begin + c]);
    result.push_back(colour_of_row(sum));
  }
  return result;
}

std::vector<Colour> colours_of_rows(const SparseMatrix& rows) {
  const CsrView csr = rows.csr();
  std::vector<Colour> result;
  for (std::int64_t row = 0; row < rows.num_rows(); ++row) {
    Colour sum = 0;
    for (EdgeId s = csr.offsets[row]; s < csr.offsets[row + 1]; ++s)
      sum += colour_of_entry(csr.columns[s], rows.values()[s]);
    result.push_back(colour_of_row(sum));
  }
  return result;
}

std::vector<Colour> refined(const Graph& graph, std::span<const Colour> colours, bool edge_rows) {
  const CsrView csr = graph.csr();
  const std::int64_t width = edge_rows ? graph.edge_row_width() : 0;
  std::vector<Colour> next(colours.size());
  for (std::size_t v = 0; v < colours.size(); ++v) {
    // A sum of mixed colours is a hash of their multiset.
    Colour around = 0;
    for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
      Colour colour = colours[csr.columns[s]];
      if (width > 0) colour += colour_of_edge(graph.edge_rows().subspan(s * width, width));
      around += mixed(colour);
    }
    next[v] = mixed(mixed(colours[v]) ^ std::rotl(around, 32));
  }
  return next;
}

void ColourRows::count(int round, std::span<const Colour> colours) {
  const auto row = static_cast<std::int64_t>(offsets_.size());
  for (const Colour colour : colours) {
    const auto column = static_cast<NodeId>(mixed(colour + round) % kColourColumns);
    std::size_t at = column;
    const std::size_t mask = table_.size() - 1;
    while (table_[at & mask].row == row && table_[at & mask].column != column) ++at;
    Slot& slot = table_[at & mask];
    if (slot.row != row) {
      slot = {row, column, 0};
      taken_.push_back(static_cast<std::uint32_t>(at & mask));
    }
    ++slot.count;
    if (2 * taken_.size() > table_.size()) grow();
  }
}

void ColourRows::grow() {
  const auto row = static_cast<std::int64_t>(offsets_.size());
  std::vector<Slot> kept;
  for (const std::uint32_t at : taken_) kept.push_back(table_[at]);
  table_.assign(4 * table_.size(), Slot());
  taken_.clear();
  const std::size_t mask = table_.size() - 1;
  for (const Slot& slot : kept) {
    std::size_t at = slot.column;
    while (table_[at & mask].row == row) ++at;
    table_[at & mask] = slot;
    taken_.push_back(static_cast<std::uint32_t>(at & mask));
  }
}

void ColourRows::end_row() {
  std::sort(taken_.begin(), taken_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return table_[a].column < table_[b].column; });
  for (const std::uint32_t at : taken_) {
    columns_.push_back(table_[at].column);
    values_.push_back(table_[at].count);
  }
  taken_.clear();
  offsets_.push_back(static_cast<EdgeId>(columns_.size()));
}

void ColourRows::append(const ColourRows& other) {
  const EdgeId shift = offsets_.back();
  for (std::size_t row = 1; row < other.offsets_.size(); ++row)
    offsets_.push_back(shift + other.offsets_[row]);
  columns_.insert(columns_.end(), other.columns_.begin(), other.columns_.end());
  values_.insert(values_.end(), other.values_.begin(), other.values_.end());
}

SparseMatrix ColourRows::matrix() const {
  return SparseMatrix(kColourColumns, offsets_, columns_, values_);
}

}  // namespace hgnet
