#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "hgnet/core/task.hpp"
#include "hgnet/data/column.hpp"
#include "hgnet/data/split.hpp"
#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/sparse_matrix.hpp"

namespace hgnet {

/// One class of several; several yes-or-no tasks; several numbers.
enum class TargetKind { kClasses, kMultiLabel, kRegression };

template <>
struct EnumNames<TargetKind> {
  static constexpr const char* what = "kind of targets";
  static constexpr std::array<std::pair<TargetKind, const char*>, 3> values{
      {{TargetKind::kClasses, "classes"},
       {TargetKind::kMultiLabel, "multi-label"},
       {TargetKind::kRegression, "regression"}}};
};

/// Numbers, row-major.
struct DenseRows {
  std::int64_t width = 0;
  std::vector<float> values;
};

/// A category per column, row-major; column c has the categories 0 .. sizes[c] - 1.
struct CategoricalRows {
  std::vector<std::int32_t> sizes;
  std::vector<std::int32_t> values;
};

/// One column of 0 and 1, one bit per row: row r is bit r % 64 of words[r / 64]. The bits after the
/// last row are 0.
struct BitRows {
  std::vector<std::uint64_t> words;

  bool operator[](std::int64_t row) const { return (words[row / 64] >> (row % 64) & 1) != 0; }
};

/// One row per node. One-hot rows are sparse, so their width costs nothing.
using NodeFeatures = std::variant<DenseRows, SparseMatrix, CategoricalRows, BitRows, ColumnRows>;

/// What numbers are made of by standardising: (x - mean) / deviation.
struct Standard {
  double mean = 0;
  double deviation = 1;

  bool operator==(const Standard&) const = default;
};

inline constexpr std::int32_t kUnlabelled = -1;

inline constexpr const char* kWords = "words";
inline constexpr const char* kNodeLabels = "node labels";
inline constexpr const char* kNodeDegrees = "node degrees";
inline constexpr const char* kNumbers = "numbers";
inline constexpr const char* kAtoms = "columns of atoms";
inline constexpr const char* kColours = "colours";

/// What the feature columns mean.
struct FeatureColumns {
  /// One of the constants above; messages use it as the name.
  std::string kind;
  /// For dense features: the column names, if the files have them; otherwise empty.
  std::vector<std::string> names;
  /// For one-hot labels or degrees: the value that column 0 stands for.
  std::int64_t first_label = 0;

  bool operator==(const FeatureColumns&) const = default;
};

/// Graphs with features and targets, and the splits that come with them. Cheap to move. Samples
/// with the same graph hold copies of it, which share its storage.
struct Dataset {
  std::string name;
  Task task = Task::kNode;
  TargetKind target_kind = TargetKind::kClasses;

  std::vector<Graph> graphs;
  /// The nodes of graph g are the rows node_offsets[g] .. node_offsets[g + 1] - 1 of the features.
  std::vector<std::int64_t> node_offsets{0};
  NodeFeatures features;
  FeatureColumns columns;
  /// What the columns of the graphs' edge rows hold; empty if edges have none.
  std::vector<ColumnInfo> edge_columns;

  /// For kClasses: the class of each sample or kUnlabelled, and the names of the classes.
  std::vector<std::int32_t> classes;
  std::vector<std::string> class_names;
  /// For the other kinds: one row per sample with one column per task; NaN means unlabelled. Yes is
  /// 1, no is 0.
  std::vector<float> targets;
  std::int64_t num_tasks = 0;
  /// Of the tasks, if the files have them; empty: numbers from 0.
  std::vector<std::string> target_names;
  /// Of numbers to predict: what a model's outputs are standardised by, one for each task; empty:
  /// they are not.
  std::vector<Standard> target_standards;

  /// Names of the samples, if the files have them; empty: numbers from 0.
  std::vector<std::string> sample_names;

  /// "public", "scaffold", "own" and so on.
  std::map<std::string, Split> splits;

  /// By sample: those with the same number stay together when a split is drawn. Empty: each is
  /// alone.
  std::vector<std::int64_t> groups;

  /// What is known about the way the data set was made, by name, as text for readers.
  std::map<std::string, std::string> facts;

  /// What the reader did not take as it stands, for the user: "ignored: ...", "symmetrised: ...".
  std::vector<std::string> notes;
  /// Read from the user's own files, not by a name.
  bool own = false;

  std::int64_t num_graphs() const { return static_cast<std::int64_t>(graphs.size()); }
  std::int64_t num_nodes() const { return node_offsets.back(); }
  std::int64_t num_samples() const { return task == Task::kNode ? num_nodes() : num_graphs(); }
  std::int64_t num_classes() const { return static_cast<std::int64_t>(class_names.size()); }
  /// Columns of the features.
  std::int64_t num_features() const;
};

/// Converts the features to another data set's columns: fewer one-hot labels or degrees, ones that
/// start at a different value, named columns in a different order. A label or degree that the other
/// data set does not have becomes a row of zeros, with a note. Throws InvalidDataset if that is
/// impossible.
void align_features(Dataset& dataset, std::int64_t width, const FeatureColumns& columns);

/// Throws InvalidDataset, naming the thing and its place, unless lengths fit together, graphs share
/// one width of edge rows, categories, classes and samples exist, numbers are finite (targets may
/// be NaN), names are UTF-8 without control characters, and a split's parts ascend and do not
/// overlap. The graphs themselves are values that keep their own rules. O(nodes + edges).
void validate(const Dataset& dataset);

}  // namespace hgnet
