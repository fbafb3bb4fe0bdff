#pragma once

#include <cstdint>

#include "hgnet/records/metrics.hpp"

namespace hgnet {

/// The results of an epoch. For graph tasks, `train` is measured on the batches during training, in
/// training mode; everything else is measured with the weights after the epoch, in evaluation mode.
struct EpochRecord {
  std::int64_t epoch = 0;  // from 1
  double lr = 0;
  Metrics train;
  Metrics val;
  Metrics test;
  Metrics recalibrated;  // val after recalibrate(), if the fit is asked for it
  double train_seconds = 0;
  double evaluate_seconds = 0;
};

}  // namespace hgnet
