#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/byte_stream.hpp"
#include "data/line_reader.hpp"
#include "hgnet/data/column.hpp"

namespace hgnet {

/// The text in lower case; bytes beyond ASCII stay as they are.
std::string to_lower(std::string_view text);

/// A column of cells as they stand in a file. While there are few different ones, each is kept once
/// and a row takes a byte; else all are in one text, and a row takes four bytes besides.
class TextColumn {
 public:
  explicit TextColumn(std::string name) : name_(std::move(name)) {}

  void add(std::string_view cell);
  std::string_view operator[](std::size_t row) const {
    return coded_ ? text(codes_[row]) : text(row);
  }
  std::size_t size() const { return coded_ ? codes_.size() : ends_.size(); }
  void clear();
  const std::string& name() const { return name_; }

 private:
  static constexpr std::size_t kMaxCodes = 256;
  static constexpr std::size_t kBlock = 16;

  std::string_view text(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : end(i - 1);
    return std::string_view(bytes_).substr(begin, end(i) - begin);
  }
  std::size_t end(std::size_t i) const { return bases_[i / kBlock] + ends_[i]; }
  void append(std::string_view cell);
  void stop_coding();

  std::string name_;
  std::string bytes_;                // cells, or what codes stand for, one behind the other
  std::vector<std::uint32_t> ends_;  // in bytes_, from the base of each block on
  std::vector<std::size_t> bases_;
  bool coded_ = true;
  std::vector<std::uint8_t> codes_;  // by row
  std::map<std::string, std::uint8_t, std::less<>> code_of_;
};

/// The lines of a table's rows, as runs of rows on neighbouring lines.
class RowLines {
 public:
  void push_back(std::int64_t line);
  std::int64_t operator[](std::size_t row) const;
  std::size_t size() const { return size_; }

 private:
  struct Run {
    std::size_t row;
    std::int64_t line;  // of the first row; 0: not known, for all
  };

  std::vector<Run> runs_;
  std::size_t size_ = 0;
};

/// Rows of nodes, edges or graphs, as text.
struct TextTable {
  std::string file;
  std::string rows_are;             // for errors where there are no lines: "node"
  std::vector<TextColumn> columns;  // of equal size
  RowLines lines;                   // 0: not known
  std::int64_t header_line = 0;
  bool decimal_comma = false;  // numbers may be written so

  std::size_t num_rows() const { return lines.size(); }
  /// The column of that name, in whatever case; null if there is none. Fails if there are two.
  const TextColumn* find(std::string_view name) const;
  /// The same; fails if there is none.
  const TextColumn& require(std::string_view name) const;

  /// Throws InvalidFile with the row's place.
  [[noreturn]] void fail(std::size_t row, const std::string& what) const;
  [[noreturn]] void fail(const std::string& what) const;
};

/// Adds cells to a table by the name of their column; cells that are not set are empty.
class TableBuilder {
 public:
  TableBuilder(std::string file, std::string rows_are);

  void begin_row(std::int64_t line);
  /// Fails if the row has a cell there.
  void set(const std::string& column, std::string_view cell);
  TextTable finish();

 private:
  /// Attributes that few rows have take a cell in every row: those must not be many more than are
  /// set.
  void check_size() const;

  TextTable table_;
  std::size_t cells_ = 0;
  std::unordered_map<std::string, std::size_t> places_;
};

/// Lines of cells below a line with the columns' names. Commas, semicolons or tabs separate cells,
/// whichever the first line has.
class CsvLines {
 public:
  /// Reads the first line. Fails if there is none, or two columns have the same name.
  explicit CsvLines(ByteStream stream);

  const std::vector<std::string>& names() const { return names_; }
  /// The place of the column of that name, in whatever case; none if there is none or several.
  std::optional<std::size_t> find(std::string_view name) const;
  char separator() const { return separator_; }

  /// Moves to the next line that is not blank. False at the end. Fails unless it has as many cells
  /// as there are columns.
  bool next();
  /// Of the line. Valid until the next one.
  const std::vector<std::string_view>& cells() const { return *cells_; }
  /// For the place of the line.
  const LineReader& reader() const { return reader_; }

 private:
  LineReader reader_;
  char separator_ = ',';
  std::vector<std::string> names_;
  const std::vector<std::string_view>* cells_ = nullptr;
};

TextTable read_csv_table(ByteStream stream, std::string rows_are);

/// Empty, NA, N/A, NaN or null.
bool is_missing(std::string_view cell);

/// The cells as numbers, booleans (true, false, yes, no) or categories, whichever all of them are;
/// as categories if asked to. Fails, naming the first cell that is not a number, if most are.
Column typed_column(const TextTable& table, const TextColumn& column, bool as_categories);

/// Fails, naming the cell, unless it is a number.
float number_in(const TextTable& table, const TextColumn& column, std::size_t row);

/// Whether it is one of a boolean's words, and if so which value it stands for.
bool is_boolean(std::string_view cell, bool& value);

/// The cell as a name; fails unless it is UTF-8 without control characters.
std::string name_in(const TextTable& table, const TextColumn& column, std::size_t row);

}  // namespace hgnet
