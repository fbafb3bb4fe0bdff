#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hgnet/data/dataset.hpp"
#include "hgnet/data/encoding.hpp"

namespace hgnet {

/// What the columns of a model's features and outputs mean.
struct ColumnNames {
  TargetKind kind = TargetKind::kClasses;
  std::vector<std::string> outputs;
  FeatureColumns features;
  Encoding encoding;

  static ColumnNames of(const Dataset& dataset, const Encoding& encoding = {});

  /// The encoding for data of the same columns. Runs of version 0.1 have none, and took numbers as
  /// they were; then it follows from the data.
  Encoding encoding_for(const Dataset& dataset) const;

  bool operator==(const ColumnNames&) const = default;
};

/// The text of columns.json, with a checksum, which those of version 0.1 have not. Throws Error,
/// naming it, for a name that is not UTF-8 or has control characters.
std::string to_json(const ColumnNames& columns);
/// Throws InvalidFile, naming `file`, for any other text.
ColumnNames columns_from_json(std::string_view json, const std::string& file);

}  // namespace hgnet
