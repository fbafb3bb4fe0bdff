#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "hgnet/ranks/ranks.hpp"

namespace hgnet {

/// Sums the gradients of parameters over ranks, in buckets that go out as soon as the gradients in
/// them are there; between machines that is during the backward pass, see Ranks::sum_later. All
/// ranks must have the same parameters in the same order.
class GradientSum {
 public:
  static constexpr std::int64_t kBucketBytes = 256 << 10;

  /// Float parameters. `ranks` must outlive it.
  GradientSum(const Ranks& ranks, std::vector<torch::Tensor> parameters,
              std::int64_t bucket_bytes = kBucketBytes);
  ~GradientSum();
  GradientSum(const GradientSum&) = delete;
  GradientSum& operator=(const GradientSum&) = delete;

  /// Before the backward pass.
  void begin();
  /// After it: gradients are the sums, the same on all ranks. A parameter that no rank's pass has
  /// reached keeps none.
  void finish();

  std::int64_t num_buckets() const { return static_cast<std::int64_t>(buckets_.size()); }

 private:
  struct Bucket {
    torch::Tensor values;  // gradients, and for each parameter how many ranks have reached it
    std::size_t parameters = 0;
    std::size_t missing = 0;  // gradients that are still to come
  };
  struct Place {
    std::size_t bucket = 0;
    torch::Tensor view;        // in the bucket
    float* reached = nullptr;  // also there
  };

  void take(std::size_t parameter, const torch::Tensor& gradient);
  void send_complete();

  const Ranks& ranks_;
  std::vector<torch::Tensor> parameters_;
  std::vector<Place> places_;    // by parameter
  std::vector<unsigned> hooks_;  // by parameter
  std::vector<Bucket> buckets_;  // the last parameters first: theirs come first
  std::size_t sent_ = 0;         // buckets; all ranks send them in the same order
  bool active_ = false;
  std::vector<std::function<void()>> under_way_;
};

}  // namespace hgnet
