#pragma once

#include <optional>
#include <string>

#include "hgnet/train/fit.hpp"
#include "hgnet/train/progress.hpp"
#include "train/stopwatch.hpp"

namespace hgnet {

/// Reports to a sink, if there is one, a fit's progress, its speed and the time left.
class FitTeller {
 public:
  FitTeller(ProgressSink* sink, int number, std::string label);

  void epoch_begins() {
    epoch_ = Stopwatch();
    batches_before_.reset();
  }
  void batch_done(const Fit& fit, std::int64_t batch, std::int64_t batches, double loss);
  void epoch_done(const Fit& fit, const EpochRecord& record);
  void finished(const std::string& summary);

  /// Since the first epoch that was reported.
  double seconds_in_epochs() const { return seconds_in_epochs_; }

 private:
  void fill_speed(const Fit& fit);

  ProgressSink* sink_;
  int number_;
  FitProgress progress_;
  Stopwatch epoch_;
  double seconds_in_epochs_ = 0;
  double epochs_ = 0;  // run here: of one that a checkpoint had begun, the rest
  std::optional<std::int64_t> batches_before_;  // of this epoch, in an earlier process
};

}  // namespace hgnet
