#pragma once

// Includes no torch header: a program that only predicts compiles in seconds.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hgnet/data/dataset.hpp"
#include "hgnet/train/not_finite.hpp"

namespace hgnet {

/// What a model predicts: a row per sample, a column per class, label or target.
struct Predictions {
  TargetKind kind = TargetKind::kClasses;
  std::vector<std::string> outputs;  // names of the columns
  /// Row-major. Probabilities of the classes, or of yes for each label; for regression, the values.
  std::vector<float> values;
  std::vector<std::string> notes = {};  // what was left out of the data

  std::int64_t num_samples() const;
  std::span<const float> row(std::int64_t sample) const;
  /// The column of the most probable class, and its name; the first of equals.
  std::size_t best(std::int64_t sample) const;
  const std::string& class_of(std::int64_t sample) const { return outputs.at(best(sample)); }
};

/// The trained model of a run, to be applied to other data. A run over several seeds or folds is
/// one predictor: its result is the mean over the models. Only one thread may use it at a time.
class Predictor {
 public:
  /// Throws Error if the folder holds no run, a fit has no model yet, or the fits differ in more
  /// than seed and fold.
  explicit Predictor(const std::filesystem::path& run, int threads = 1);
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;
  ~Predictor();

  /// One row for each node or graph, labelled or not. Columns are found by name, if they have
  /// names; classes have the order of outputs(). Throws Error or InvalidDataset if the features or
  /// the task are not those of the run, and NotFinite for an answer that is not finite, unless
  /// allowed.
  Predictions predict(const Dataset& dataset, NonFinite non_finite = NonFinite::kRefuse) const;

  /// One row for each node of the graph or, for a graph task, one for the graph. `rows` are the
  /// features as they are in tables of nodes, row-major: a row per node, a column per feature, in
  /// the order of feature_names(); the graph's edge rows have those of edge_feature_names(). A
  /// category is its number there. Not for molecules.
  Predictions predict(const Graph& graph, std::span<const float> rows) const;

  /// What a data set's nodes have before the readout (for a node task: the logits): a row per node.
  /// Only for a run of one fit.
  struct Embeddings {
    std::int64_t width = 0;
    std::vector<float> values;  // row-major
  };
  Embeddings embed(const Dataset& dataset) const;

  Task task() const;
  TargetKind kind() const;
  /// Names of classes, labels or targets.
  const std::vector<std::string>& outputs() const;
  /// What the feature columns are; their names, if they have any, and how many there are, before
  /// they are encoded.
  const FeatureColumns& features() const;
  std::vector<std::string> feature_names() const;
  /// Of the columns of edges that the model reads.
  std::vector<std::string> edge_feature_names() const;
  std::int64_t num_features() const;
  std::int64_t num_models() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hgnet
