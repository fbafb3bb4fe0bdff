#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "hgnet/core/enum_names.hpp"

namespace hgnet {

enum class ColumnKind { kNumber, kBoolean, kCategory };

template <>
struct EnumNames<ColumnKind> {
  static constexpr const char* what = "kind of column";
  static constexpr std::array<std::pair<ColumnKind, const char*>, 3> values{
      {{ColumnKind::kNumber, "number"},
       {ColumnKind::kBoolean, "boolean"},
       {ColumnKind::kCategory, "category"}}};
};

/// What a column of a table of nodes or edges holds.
struct ColumnInfo {
  std::string name;
  ColumnKind kind = ColumnKind::kNumber;
  std::vector<std::string> categories = {};  // their names, by number

  bool operator==(const ColumnInfo&) const = default;
};

/// A cell without a value.
inline constexpr float kMissingCell = std::numeric_limits<float>::lowest();

/// One cell per row: a number; 0 or 1; the number of a category; or kMissingCell.
struct Column : ColumnInfo {
  std::vector<float> values = {};
};

/// Columns of equal length, as read. A model takes them as an Encoding makes them.
struct ColumnRows {
  std::vector<Column> columns;
};

}  // namespace hgnet
