#pragma once

#include <cstdint>

namespace hgnet {

/// How far a fit is.
struct FitCounters {
  std::int64_t epoch = 0;  // done
  std::int64_t batch = 0;  // done, of the next epoch
  std::int64_t best_epoch = 0;
  double best_value = 0;
  double loss_sum = 0;  // of the current epoch, weighted by number of targets
  double targets = 0;
  double train_seconds = 0;
  double evaluate_seconds = 0;
};

}  // namespace hgnet
