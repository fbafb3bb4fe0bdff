#include "data/text_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

/// One input of a model for each; free text is no category.
constexpr std::size_t kMaxCategories = 1000;
constexpr std::size_t kMaxColumns = std::size_t{1} << 16;

enum class Parsed { kNumber, kTooLarge, kText };

Parsed read_number(std::string_view cell, bool decimal_comma, float& value) {
  std::string with_point;
  if (decimal_comma && std::count(cell.begin(), cell.end(), ',') == 1 &&
      cell.find('.') == std::string_view::npos) {
    with_point = cell;
    with_point[with_point.find(',')] = '.';
    cell = with_point;
  }
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc::invalid_argument || end != cell.data() + cell.size())
    return Parsed::kText;
  if (error == std::errc::result_out_of_range || std::isinf(value)) return Parsed::kTooLarge;
  return std::isnan(value) ? Parsed::kText : Parsed::kNumber;
}

std::string in_column(const TextColumn& column) { return "column '" + column.name() + "': "; }

/// The separator of a file with this first line.
char separator_of(std::string_view line) {
  std::array<std::size_t, 256> counts{};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted) ++counts[static_cast<unsigned char>(c)];
  }
  if (counts['\t'] > 0) return '\t';
  return counts[';'] > counts[','] ? ';' : ',';
}

/// What the cells of a column are.
struct Census {
  std::size_t numbers = 0;
  std::size_t booleans = 0;
  std::size_t others = 0;
  std::optional<std::size_t> first_word;  // the first row that is not a number

  Census(const TextTable& table, const TextColumn& column) {
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (is_missing(column[row])) continue;
      float value = 0;
      bool truth = false;
      if (read_number(column[row], table.decimal_comma, value) != Parsed::kText) {
        ++numbers;
        continue;
      }
      if (!first_word) first_word = row;
      ++(is_boolean(column[row], truth) ? booleans : others);
    }
  }
};

void add_categories(const TextTable& table, const TextColumn& column, Column& result) {
  std::unordered_map<std::string_view, float> number;
  std::vector<std::pair<std::string_view, std::size_t>> first;  // a name, and its first row
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (is_missing(column[row]) || !number.emplace(column[row], 0.0F).second) continue;
    first.emplace_back(column[row], row);
    if (first.size() > kMaxCategories) {
      table.fail(row, in_column(column) + in_quotes(column[row]) +
                          "; expected a number, or one of at most " +
                          std::to_string(kMaxCategories) + " categories");
    }
  }
  std::sort(first.begin(), first.end());
  for (const auto& [name, row] : first) {
    number[name] = static_cast<float>(result.categories.size());
    result.categories.push_back(name_in(table, column, row));
  }
  for (std::size_t row = 0; row < column.size(); ++row)
    result.values.push_back(is_missing(column[row]) ? kMissingCell : number.at(column[row]));
}

}  // namespace

std::string to_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

const TextColumn* TextTable::find(std::string_view name) const {
  const TextColumn* similar = nullptr;
  for (const TextColumn& column : columns) {
    if (to_lower(column.name()) != to_lower(name)) continue;
    if (similar != nullptr) {
      throw InvalidFile(file, header_line,
                        "two columns are called " + similar->name() +
                            (similar->name() == column.name() ? "" : " and " + column.name()));
    }
    similar = &column;
  }
  return similar;
}

const TextColumn& TextTable::require(std::string_view name) const {
  if (const TextColumn* column = find(name)) return *column;
  throw InvalidFile(
      file, header_line,
      "no column '" + std::string(name) + (header_line > 0 ? "' on the header line" : "'"));
}

void TextTable::fail(std::size_t row, const std::string& what) const {
  const bool has_line = lines[row] > 0;
  throw InvalidFile(file, lines[row],
                    (has_line ? "" : rows_are + " " + std::to_string(row + 1) + ": ") + what);
}

void TextTable::fail(const std::string& what) const { throw InvalidFile(file, 0, what); }

TableBuilder::TableBuilder(std::string file, std::string rows_are) {
  table_.file = std::move(file);
  table_.rows_are = std::move(rows_are);
}

void TableBuilder::begin_row(std::int64_t line) {
  table_.lines.push_back(line);
  check_size();
}

void TableBuilder::check_size() const {
  constexpr std::size_t kSmall = std::size_t{1} << 24;
  const std::size_t size = table_.columns.size() * table_.num_rows();
  if (size > kSmall && size / 100 > cells_)
    table_.fail(table_.num_rows() - 1, std::to_string(table_.columns.size()) +
                                           " attributes, of which most " + table_.rows_are +
                                           "s have none; expected the same for all");
}

void TableBuilder::set(const std::string& name, std::string_view cell) {
  const auto [place, is_new] = places_.try_emplace(name, table_.columns.size());
  const std::size_t row = table_.num_rows() - 1;
  if (is_new) {
    if (const char* fault = text_fault(name))
      table_.fail(row, "an attribute called " + in_quotes(name) + ", with " + fault +
                           "; expected UTF-8 without control characters");
    if (table_.columns.size() == kMaxColumns)
      table_.fail(row, "more attributes than a table holds");
    table_.columns.emplace_back(name);
    check_size();
  }
  ++cells_;
  TextColumn& column = table_.columns[place->second];
  if (column.size() > row) table_.fail(row, "two attributes are called " + name);
  while (column.size() < row) column.add({});
  column.add(cell);
}

TextTable TableBuilder::finish() {
  for (TextColumn& column : table_.columns) {
    while (column.size() < table_.num_rows()) column.add({});
  }
  return std::move(table_);
}

CsvLines::CsvLines(ByteStream stream) : reader_(std::move(stream)) {
  if (!reader_.next_filled()) reader_.fail("is empty; expected a header line with column names");
  separator_ = separator_of(reader_.line());
  std::unordered_set<std::string> seen;
  for (const std::string_view name : reader_.cells(separator_)) {
    if (names_.size() == kMaxColumns) reader_.fail("more columns than a table holds");
    names_.push_back(reader_.name_of(name, "column"));
    if (!seen.insert(names_.back()).second) reader_.fail("two columns are called " + names_.back());
  }
}

std::optional<std::size_t> CsvLines::find(std::string_view name) const {
  std::optional<std::size_t> found;
  for (std::size_t c = 0; c < names_.size(); ++c) {
    if (to_lower(names_[c]) != to_lower(name)) continue;
    if (found) return std::nullopt;
    found = c;
  }
  return found;
}

bool CsvLines::next() {
  if (!reader_.next_filled()) return false;
  cells_ = &reader_.cells(separator_);
  if (cells_->size() != names_.size()) {
    reader_.fail(std::to_string(cells_->size()) + " cells; the header line has " +
                 std::to_string(names_.size()) + " columns");
  }
  return true;
}

TextTable read_csv_table(ByteStream stream, std::string rows_are) {
  CsvLines lines(std::move(stream));
  TextTable table{lines.reader().file(),        std::move(rows_are),     {}, {},
                  lines.reader().line_number(), lines.separator() != ','};
  for (const std::string& name : lines.names()) table.columns.emplace_back(name);
  while (lines.next()) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) table.columns[c].add(lines.cells()[c]);
    table.lines.push_back(lines.reader().line_number());
  }
  return table;
}

bool is_missing(std::string_view cell) {
  if (cell.empty()) return true;
  if (cell.size() > 4) return false;
  const std::string word = to_lower(cell);
  return word == "na" || word == "n/a" || word == "nan" || word == "null";
}

bool is_boolean(std::string_view cell, bool& value) {
  if (cell.size() > 5) return false;
  const std::string word = to_lower(cell);
  value = word == "true" || word == "yes";
  return value || word == "false" || word == "no";
}

float number_in(const TextTable& table, const TextColumn& column, std::size_t row) {
  float value = 0;
  const Parsed reading = read_number(column[row], table.decimal_comma, value);
  if (reading == Parsed::kNumber) return value;
  table.fail(row, in_column(column) + in_quotes(column[row]) +
                      (reading == Parsed::kTooLarge ? "; expected a number that 32 bits hold"
                                                    : "; expected a number"));
}

std::string name_in(const TextTable& table, const TextColumn& column, std::size_t row) {
  if (const char* fault = text_fault(column[row])) {
    table.fail(row, in_column(column) + in_quotes(column[row]) + " has " + fault +
                        "; expected UTF-8 without control characters");
  }
  return std::string(column[row]);
}

Column typed_column(const TextTable& table, const TextColumn& column, bool as_categories) {
  Column result{{column.name()}};
  result.values.reserve(column.size());
  const Census census(table, column);
  if (as_categories || census.others + census.booleans > census.numbers) {
    if (!as_categories && census.others + census.numbers == 0) {
      result.kind = ColumnKind::kBoolean;
      for (std::size_t row = 0; row < column.size(); ++row) {
        bool truth = false;
        result.values.push_back(!is_boolean(column[row], truth) ? kMissingCell
                                : truth                         ? 1.0F
                                                                : 0.0F);
      }
      return result;
    }
    result.kind = ColumnKind::kCategory;
    add_categories(table, column, result);
    return result;
  }
  if (census.first_word) {
    table.fail(*census.first_word,
               in_column(column) + in_quotes(column[*census.first_word]) +
                   "; expected a number, as in most cells of the column; the setting categorical "
                   "makes categories of all of them");
  }
  for (std::size_t row = 0; row < column.size(); ++row)
    result.values.push_back(is_missing(column[row]) ? kMissingCell : number_in(table, column, row));
  return result;
}

}  // namespace hgnet
