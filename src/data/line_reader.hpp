#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_stream.hpp"

namespace hgnet {

/// Reads a text file line by line, and a line field by field, and knows the position for errors.
/// The text stays where it was read to; lines are not copied into strings.
class LineReader {
 public:
  explicit LineReader(ByteStream stream);

  /// Moves to the next line. False at the end.
  bool next();
  /// Moves to the next line that is not blank.
  bool next_filled();
  /// Without the line break. Valid until the next line.
  std::string_view line() const { return line_; }

  // The following remove fields from the front of the line; blanks, tabs and commas separate
  // fields.

  bool at_end();
  /// Empty at the end of the line.
  std::string_view field();
  /// Fails unless the next field is an integer from `low` to `high`.
  std::int64_t integer(const char* what, std::int64_t low, std::int64_t high);
  float number(const char* what);
  /// Fails unless the line ends here.
  void expect_end(const char* expected);

  /// All fields of the whole line; field() then starts from the beginning again. Valid until the
  /// next call of this or of cells().
  const std::vector<std::string_view>& fields();

  /// The whole line, split at the separator, a comma, semicolon or tab; blanks around cells are
  /// removed. A cell in double quotes may contain separators, and "" for a quote. Valid as
  /// fields().
  const std::vector<std::string_view>& cells(char separator = ',');

  // A field or cell as a value of the given kind; fails otherwise. Numbers are finite.

  std::int64_t integer_of(std::string_view cell, std::string_view what, std::int64_t low,
                          std::int64_t high) const;
  float number_of(std::string_view cell, std::string_view what) const;
  /// As a name: UTF-8 without control characters.
  std::string name_of(std::string_view cell, std::string_view what) const;

  [[noreturn]] void fail(const std::string& what) const;
  // The place of the line.
  const std::string& file() const { return stream_.name(); }
  std::int64_t line_number() const { return number_; }

 private:
  void read_split_line();
  std::string_view quoted_cell(std::string_view& rest, std::string& unquoted, char separator) const;

  ByteStream stream_;
  std::string_view block_;  // unread part of the stream's current block
  std::string split_line_;  // a line that began in an earlier block
  std::string_view line_;
  std::string_view rest_;
  std::int64_t number_ = 0;
  std::vector<std::string_view> cells_;
  std::deque<std::string> unquoted_;  // stays in place as it grows
};

}  // namespace hgnet
