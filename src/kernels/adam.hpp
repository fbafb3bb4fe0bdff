#pragma once

#include <cstdint>

namespace hgnet::kernels {

/// One step of Adam for the entries of a parameter p, see hgnet/train/adam.hpp.
template <class T>
struct AdamStep {
  std::int64_t size = 0;
  const T* grad = nullptr;
  T* p = nullptr;
  T* m = nullptr;
  T* v = nullptr;
  T weight_decay = 0;
  T beta1 = 0;
  T one_less_beta1 = 1;
  T beta2 = 0;
  T one_less_beta2 = 1;
  T rate = 0;  // / (1 - b1^t)
  T root = 1;  // sqrt(1 - b2^t)
  T eps = 0;
};

template <class T>
void adam_step(const AdamStep<T>& args);

}  // namespace hgnet::kernels
