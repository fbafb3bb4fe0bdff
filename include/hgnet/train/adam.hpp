#pragma once

#include <torch/types.h>

#include <vector>

namespace hgnet {

struct AdamOptions {
  double learning_rate = 1e-3;
  double weight_decay = 0;  // L2: added to the gradient
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
};

/// Adam (Kingma and Ba), with g + weight_decay p for the gradient g of parameter p:
///   m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,
///   p <- p - rate / (1 - b1^t) m / (sqrt(v / (1 - b2^t)) + eps).
/// The same numbers as libtorch's, in one pass over each parameter. Parameters without a gradient
/// are skipped.
class Adam {
 public:
  /// Parameters must be contiguous CPU tensors of float32 or float64. `decayed` says to which of
  /// them weight decay applies; empty: to all.
  Adam(std::vector<torch::Tensor> parameters, const AdamOptions& options,
       std::vector<bool> decayed = {});

  void step();
  /// Drops the gradients, so that the next backward pass need not add to them.
  void zero_grad();

  AdamOptions& options() { return options_; }

  /// What a checkpoint holds: the number of steps taken, and m and v of each parameter.
  struct State {
    std::int64_t steps = 0;
    std::vector<torch::Tensor> first;
    std::vector<torch::Tensor> second;
  };
  const State& state() const { return state_; }
  /// Throws c10::Error unless the shapes are those of the parameters.
  void set_state(State state);

 private:
  std::vector<torch::Tensor> parameters_;
  AdamOptions options_;
  std::vector<bool> decayed_;
  State state_;
};

}  // namespace hgnet
