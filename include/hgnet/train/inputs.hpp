#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hgnet/config/preparation.hpp"
#include "hgnet/core/lazy.hpp"
#include "hgnet/data/batches.hpp"
#include "hgnet/data/encoding.hpp"
#include "hgnet/models/model.hpp"
#include "hgnet/ranks/ranks.hpp"
#include "hgnet/settings/memory_plan.hpp"
#include "hgnet/train/not_finite.hpp"
#include "hgnet/train/objective.hpp"

namespace hgnet {

/// Converts rows to what a model takes; dense rows are not copied.
Features to_features(BatchFeatures rows);
Input to_input(SampleBatch batch);

/// A data set prepared for models with the same preparation: features as the encoding makes them,
/// the levels of a static coarsening or one row per sample, and the targets as tensors. Made once,
/// used by any number of fits at a time.
class FitInputs {
 public:
  /// Throws as encoded() does.
  FitInputs(std::shared_ptr<const Dataset> dataset, const Preparation& preparation, int threads,
            const Encoding& encoding = {}, const NodeMemory& memory = {});

  /// Encoded.
  const Dataset& dataset() const { return *dataset_; }
  const Encoding& encoding() const { return encoding_; }
  const Objective& objective() const { return objective_; }
  /// Node tasks: all graphs as one.
  const Input& whole() const { return whole_; }
  /// Node tasks in batches: the communities that batches are made of. Null: one batch of all nodes.
  const ParentMap* communities() const { return communities_ ? &*communities_ : nullptr; }
  /// Of an epoch.
  std::int64_t num_node_batches() const { return num_node_batches_; }
  /// Graph tasks.
  const BatchSource& source() const { return *source_; }
  /// wl: by sample; see colour_rows. Null for other models.
  const SparseMatrix* colours() const { return colours_ ? &*colours_ : nullptr; }
  /// See fingerprint(Dataset). Kept.
  const std::map<std::string, std::string>& fingerprint() const;

 private:
  Encoding encoding_;
  std::shared_ptr<const Dataset> dataset_;
  Objective objective_;
  Input whole_;
  std::optional<ParentMap> communities_;
  std::int64_t num_node_batches_ = 1;
  std::optional<SparseMatrix> colours_;
  Dataset reduced_;  // to one row per sample, for models that see no edges
  std::optional<BatchSource> source_;
  Lazy<std::map<std::string, std::string>> fingerprint_;
};

/// Logits of the samples, one row each, in their order. Leaves the model in evaluation mode. Throws
/// NotFinite, naming sample and layer, if a logit is not finite and that is not allowed. Several
/// ranks deal out the batches, so that their logits, and all ranks', are those of one.
torch::Tensor evaluate(Model& model, const FitInputs& inputs, std::span<const std::int64_t> samples,
                       std::int64_t batch, NonFinite non_finite = NonFinite::kRefuse,
                       const Ranks& ranks = Ranks::alone());

}  // namespace hgnet
