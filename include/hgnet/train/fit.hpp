#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "hgnet/data/split.hpp"
#include "hgnet/settings/config.hpp"
#include "hgnet/settings/epoch_record.hpp"
#include "hgnet/train/adam.hpp"
#include "hgnet/train/fit_counters.hpp"
#include "hgnet/train/inputs.hpp"
#include "hgnet/train/not_finite.hpp"

namespace hgnet {

class Team;
struct Share;

/// Fit::history after one more epoch.
std::string history_with(const std::string& before, const EpochRecord& epoch);

/// One training: a model, its optimiser, and their progress. Call run_epoch until it has finished.
/// All numbers follow from the configuration and the data; saving and restoring changes none of
/// them.
///
/// Several ranks share its batches (graph tasks): every rank has the fit, and calls the same
/// functions. The numbers are then those of one process, but for rounding and for dropout, whose
/// masks differ.
class Fit {
 public:
  /// The configuration must be complete(). Throws Error if it cannot be trained: an invalid model,
  /// no labelled training sample, a metric that the validation samples do not define, or a node
  /// task for several ranks. `ranks` must outlive it.
  Fit(TrainConfig config, std::shared_ptr<const FitInputs> inputs,
      const Ranks& ranks = Ranks::alone());

  /// Takes over the weights of a trained model before the first epoch. Its outputs may be others:
  /// then the layer that makes them keeps its own weights. Throws Error, with what differs, for
  /// another network; seeds and dropout may differ.
  void begin_with(const Model& trained);

  /// Called after each batch with its number (from 1), the number of batches and the mean loss of
  /// the epoch so far. Returning false stops the epoch; on any of several ranks, all of them after
  /// the next batch.
  using AfterBatch = std::function<bool(std::int64_t batch, std::int64_t batches, double loss)>;

  /// Runs one epoch. None if `after_batch` stopped it; the next call then continues with the next
  /// batch. Throws NotFinite.
  std::optional<EpochRecord> run_epoch(const AfterBatch& after_batch = {});

  /// Whether all epochs are done, or patience has run out.
  bool finished() const;

  std::int64_t epochs_done() const { return progress_.epoch; }
  /// The best by validation, the first if several are equal; without validation samples, the last.
  /// 0: none yet.
  std::int64_t best_epoch() const { return progress_.best_epoch; }
  double best_value() const { return progress_.best_value; }
  /// A model with the weights of the best epoch, in evaluation mode.
  std::shared_ptr<Model> best_model() const;
  /// Metrics on val and test of the baseline: see Objective::baseline.
  std::map<std::string, Metrics> baseline() const;
  /// Metrics on val and test of that model after recalibrate(); empty without running statistics.
  std::map<std::string, Metrics> recalibrated() const;
  const Model& model() const { return *model_; }
  const TrainConfig& config() const { return config_; }
  const Split& split() const { return split_; }
  /// A checksum of the metrics of all epochs so far, so that nobody edits them between two
  /// processes; empty if it is not known.
  const std::string& history() const { return history_; }
  double train_seconds() const { return progress_.train_seconds; }
  double evaluate_seconds() const { return progress_.evaluate_seconds; }
  /// Of train_seconds, how long this process has waited for other ranks.
  double exchange_seconds() const;

  /// save() returns all that is needed to continue from here, even in the middle of an epoch;
  /// restore() loads it. It throws InvalidFile, naming `file`, if the bytes are damaged or belong
  /// to a fit with other data or settings (except kMayChange); the fit is then unchanged.
  std::string save() const;
  void restore(const std::string& bytes, const std::string& file);

 private:
  using State = std::map<std::string, torch::Tensor>;

  /// Of one epoch.
  std::int64_t num_batches() const;
  /// Checksums of what the numbers follow from: of the data set, by part, and of the split.
  std::map<std::string, std::string> data_fingerprint() const;
  /// Tensors of the right names, shapes and types for a checkpoint of these counters.
  State checkpoint_tensors(const FitCounters& counters) const;

  bool is_node_task() const { return inputs_->dataset().task == Task::kNode; }
  double learning_rate() const;

  /// False if `after_batch` stopped it.
  bool train_epoch(const AfterBatch& after_batch);
  bool train_whole(const AfterBatch& after_batch);
  bool train_communities(const AfterBatch& after_batch);
  bool train_batches(const AfterBatch& after_batch);
  /// On a share of a batch. `rows` of the model's result belong to its samples; undefined: all, in
  /// order.
  void step(const Input& input, const torch::Tensor& rows, const Share& share,
            const std::vector<std::int64_t>& batch);
  /// Node tasks, which no other rank shares.
  void step_alone(const Input& input, const std::vector<std::int64_t>& rows,
                  const std::vector<std::int64_t>& samples);
  /// What this rank computes of each batch.
  std::vector<Share> shares_of(const std::vector<std::vector<std::int64_t>>& plan) const;
  /// After a batch: whether the epoch goes on.
  bool goes_on(const AfterBatch& after_batch, std::int64_t batches);
  [[noreturn]] void fail_not_finite(const Input& input, double loss);

  /// Throws Error unless the metric that chooses the best epoch has a value on the validation
  /// samples.
  void check_validation() const;

  EpochRecord score_epoch();
  void score_nodes(EpochRecord& record);
  void score_graphs(EpochRecord& record);
  Metrics scored(Model& model, const std::vector<std::int64_t>& samples,
                 NonFinite non_finite) const;
  /// A model with these weights, in evaluation mode.
  std::shared_ptr<Model> model_of(const State& weights) const;
  void close_epoch();
  void keep_if_best(const EpochRecord& record);

  TrainConfig config_;
  std::shared_ptr<const FitInputs> inputs_;
  Split split_;
  std::shared_ptr<Model> model_;
  Adam adam_;
  Generator shuffle_;            // as it was when the current epoch began
  torch::Tensor class_weights_;  // undefined: none
  const Ranks& ranks_;
  std::shared_ptr<Team> team_;  // null: alone
  bool wants_stop_ = false;     // not yet known to the other ranks
  bool all_stop_ = false;
  FitCounters progress_;
  std::string history_;
  State best_;
  std::vector<torch::Tensor> epoch_logits_;  // graph tasks: of the current epoch
};

}  // namespace hgnet
