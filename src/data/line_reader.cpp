#include "data/line_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

// A file without line breaks is not a text file and must not fill the memory.
constexpr std::size_t kMaxLine = std::size_t{1} << 26;

// Some programs start UTF-8 files with this.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_separator(char c) { return is_blank(c) || c == ','; }

/// Without the blanks at both ends; a separator is none.
std::string_view trimmed(std::string_view text, char separator) {
  const auto blank = [&](char c) { return is_blank(c) && c != separator; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

LineReader::LineReader(ByteStream stream) : stream_(std::move(stream)) {}

void LineReader::fail(const std::string& what) const {
  throw InvalidFile(stream_.name(), number_, what);
}

bool LineReader::next() {
  if (block_.empty()) {
    block_ = stream_.next();
    if (block_.empty()) return false;
  }
  ++number_;
  const void* end = std::memchr(block_.data(), '\n', block_.size());
  if (end != nullptr) {
    const auto length = static_cast<std::size_t>(static_cast<const char*>(end) - block_.data());
    line_ = block_.substr(0, length);
    block_.remove_prefix(length + 1);
  } else {
    read_split_line();
  }
  if (number_ == 1 && line_.starts_with(kByteOrderMark)) line_.remove_prefix(kByteOrderMark.size());
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  rest_ = line_;
  return true;
}

void LineReader::read_split_line() {
  split_line_.assign(block_);
  std::size_t end = std::string_view::npos;
  do {
    block_ = stream_.next();
    end = block_.find('\n');
    split_line_ += block_.substr(0, end);
    if (split_line_.size() > kMaxLine) fail("the line is too long for a text file");
  } while (end == std::string_view::npos && !block_.empty());
  if (end != std::string_view::npos) block_.remove_prefix(end + 1);
  line_ = split_line_;
}

bool LineReader::next_filled() {
  while (next()) {
    if (!at_end()) return true;
  }
  return false;
}

bool LineReader::at_end() {
  while (!rest_.empty() && is_separator(rest_.front())) rest_.remove_prefix(1);
  return rest_.empty();
}

std::string_view LineReader::field() {
  if (at_end()) return {};
  std::size_t length = 1;
  while (length < rest_.size() && !is_separator(rest_[length])) ++length;
  const std::string_view result = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return result;
}

std::int64_t LineReader::integer(const char* what, std::int64_t low, std::int64_t high) {
  at_end();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  const auto length = static_cast<std::size_t>(end - rest_.data());
  const bool whole = length == rest_.size() || is_separator(*end);
  if (error != std::errc() || !whole || value < low || value > high) {
    return integer_of(field(), what, low, high);  // fails, with what it shows of the field
  }
  rest_.remove_prefix(length);
  return value;
}

std::int64_t LineReader::integer_of(std::string_view cell, std::string_view what, std::int64_t low,
                                    std::int64_t high) const {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || value < low || value > high) {
    fail(std::string(what) + " " + in_quotes(cell) + "; expected an integer from " +
         std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

float LineReader::number(const char* what) { return number_of(field(), what); }

float LineReader::number_of(std::string_view cell, std::string_view what) const {
  float value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) {
    const bool out_of_range = error == std::errc::result_out_of_range;
    fail(std::string(what) + " " + in_quotes(cell) +
         (out_of_range ? "; expected a number that 32 bits hold" : "; expected a number"));
  }
  return value;
}

std::string LineReader::name_of(std::string_view cell, std::string_view what) const {
  if (const char* fault = text_fault(cell)) {
    fail(std::string(what) + " " + in_quotes(cell) + " has " + fault +
         "; expected UTF-8 without control characters");
  }
  return std::string(cell);
}

void LineReader::expect_end(const char* expected) {
  if (!at_end())
    fail("more fields than expected, from " + in_quotes(field()) + "; expected " + expected);
}

const std::vector<std::string_view>& LineReader::fields() {
  cells_.clear();
  rest_ = line_;
  while (!at_end()) cells_.push_back(field());
  rest_ = line_;
  return cells_;
}

std::string_view LineReader::quoted_cell(std::string_view& rest, std::string& unquoted,
                                         char separator) const {
  rest.remove_prefix(1);
  while (true) {
    const std::size_t quote = rest.find('"');
    if (quote == std::string_view::npos) fail("a quoted cell does not end on its line");
    unquoted += rest.substr(0, quote);
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) break;
    unquoted += '"';
    rest.remove_prefix(1);
  }
  rest = trimmed(rest, separator);
  if (!rest.empty() && rest.front() != separator) {
    const char* name = separator == ',' ? "comma" : separator == ';' ? "semicolon" : "tab";
    fail(std::string("expected a ") + name + " after a quoted cell");
  }
  return unquoted;
}

const std::vector<std::string_view>& LineReader::cells(char separator) {
  cells_.clear();
  unquoted_.clear();
  std::string_view rest = line_;
  while (true) {
    rest = trimmed(rest, separator);
    if (rest.starts_with('"')) {
      cells_.push_back(quoted_cell(rest, unquoted_.emplace_back(), separator));
    } else {
      const std::size_t end = std::min(rest.find(separator), rest.size());
      cells_.push_back(trimmed(rest.substr(0, end), separator));
      rest.remove_prefix(end);
    }
    if (rest.empty()) return cells_;
    rest.remove_prefix(1);
  }
}

}  // namespace hgnet
