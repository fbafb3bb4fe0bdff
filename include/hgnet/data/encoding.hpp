#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hgnet/core/enum_names.hpp"
#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// What becomes of cells without a value.
enum class Missing {
  kError,
  kMean,       // the mean of the column's encoded cells in the training part
  kIndicator,  // the same, with a further column: 1 where the cell is missing
};

template <>
struct EnumNames<Missing> {
  static constexpr const char* what = "treatment of missing cells";
  static constexpr std::array<std::pair<Missing, const char*>, 3> values{
      {{Missing::kError, "error"}, {Missing::kMean, "mean"}, {Missing::kIndicator, "indicator"}}};
};

/// How a column becomes inputs of a model: a number or boolean x one input (x - mean) / deviation,
/// a category one input for each name. Other categories are 0 in all of them.
struct ColumnEncoding : ColumnInfo {
  Standard standard = {};  // of a number
  /// What a missing cell becomes, one number for each input; empty: missing cells are refused.
  std::vector<float> fill = {};
  bool indicator = false;

  std::int64_t width() const {
    const std::size_t inputs = kind == ColumnKind::kCategory ? categories.size() : 1;
    return static_cast<std::int64_t>(inputs) + (indicator ? 1 : 0);
  }
  bool operator==(const ColumnEncoding&) const = default;
};

/// How a data set's columns and targets become numbers for a model: fitted on the training part,
/// kept with the run, applied to the data to predict.
struct Encoding {
  std::vector<ColumnEncoding> nodes;
  std::vector<ColumnEncoding> edges;
  std::vector<Standard> targets;  // of numbers to predict, by task; empty: as they are

  bool operator==(const Encoding&) const = default;
};

struct EncodingOptions {
  bool standardise = false;  // numbers to mean 0 and deviation 1, also those to predict
  Missing missing = Missing::kError;
};

/// Inputs that `columns` are encoded to. Follows from the data set and the treatment of missing
/// cells, not from the training part.
std::int64_t encoded_node_width(const Dataset& dataset, Missing missing);
std::int64_t encoded_edge_width(const Dataset& dataset, Missing missing);

/// Fits means and deviations on the training samples: on their nodes, and on the edges of the
/// graphs that they are in.
Encoding fit_encoding(const Dataset& dataset, std::span<const std::int64_t> train,
                      const EncodingOptions& options);

/// The data set with dense features, edge rows that are encoded, and target_standards. Data sets
/// without columns are unchanged. Columns that the encoding does not have are left out, with a
/// note. Throws InvalidDataset for a column that is missing or of another kind, and for a missing
/// cell without fill.
Dataset encoded(const Dataset& dataset, const Encoding& encoding);

}  // namespace hgnet
