#pragma once

#include <functional>
#include <span>
#include <vector>

#include "hgnet/models/model.hpp"
#include "hgnet/nn/tail.hpp"
#include "hgnet/ranks/gradient_sum.hpp"
#include "hgnet/settings/config.hpp"
#include "hgnet/train/fit_counters.hpp"

namespace hgnet {

/// What one rank computes of a batch.
struct Share {
  std::vector<std::int64_t> samples;  // at least one
  std::vector<std::int64_t> places;   // in the batch, ascending
  std::int64_t batch = 0;             // samples of all ranks
  bool counts = true;  // false: only goes along, because there are more ranks than samples
};

/// Deals out a batch: the heaviest sample first, each to the rank that has least to do.
Share share_of(std::span<const std::int64_t> batch, const std::function<double(std::int64_t)>& cost,
               const Ranks& ranks);

/// What the ranks of a fit do together. Each computes its share of every batch; gradients, loss and
/// logits are then the same on all, as if one process had computed the batch.
class Team {
 public:
  /// The model must outlive it.
  Team(const Ranks& ranks, Model& model, NormOver norm_over);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Training mode. Dropout differs from rank to rank, and goes on from the same generator on all.
  torch::Tensor forward(const Input& input, const Share& share);

  struct Step {
    double loss = 0;       // of the batch
    torch::Tensor logits;  // of the batch, in its order
    bool stop = false;     // whether any rank wants to
  };
  /// `loss` is this rank's part of the batch's: the parts' sum is the loss.
  Step backward(const torch::Tensor& loss, const torch::Tensor& logits, const Share& share,
                bool stop);

  /// Gives all ranks the first one's running statistics, where each has its own.
  void share_statistics();
  /// After an epoch: checks that all ranks have the same weights, and takes the times of the first.
  void agree(FitCounters& counters) const;

  /// How long this rank has waited for others.
  double exchange_seconds() const { return exchange_seconds_; }

 private:
  const Ranks& ranks_;
  Model& model_;
  NormOver norm_over_;
  std::vector<TailImpl*> norms_;  // of the model
  GradientSum gradients_;
  double exchange_seconds_ = 0;
};

}  // namespace hgnet
