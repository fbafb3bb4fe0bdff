#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// What the columns of a model's features and outputs mean.
struct ColumnNames {
  TargetKind kind = TargetKind::kClasses;
  std::vector<std::string> outputs;
  FeatureColumns features;

  static ColumnNames of(const Dataset& dataset);

  bool operator==(const ColumnNames&) const = default;
};

/// The text of columns.json. Throws Error, naming it, for a name that is not UTF-8.
std::string to_json(const ColumnNames& columns);
/// Throws InvalidFile, naming `file`, for any other text.
ColumnNames columns_from_json(std::string_view json, const std::string& file);

}  // namespace hgnet
