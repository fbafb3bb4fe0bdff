#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hgnet {

/// The progress of a fit.
struct FitProgress {
  std::string label;        // "gcn fold 3"
  std::int64_t epoch = 0;   // done
  std::int64_t epochs = 0;  // planned
  std::int64_t batch = 0;   // of the current epoch, done
  std::int64_t batches = 0;
  double loss = 0;            // training, mean of the current epoch
  std::string metric;         // "accuracy"
  std::optional<double> val;  // of the last epoch
  std::optional<double> best_val;
  double samples_per_second = 0;  // 0: not known yet
  std::string unit;               // "graphs", or "epochs" for whole-graph training
  double seconds_left = 0;        // 0: not known yet
};

/// Receives the progress of several fits. Calls may come from several threads at once; `fit`
/// numbers the fits from 0.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  /// May be called at any rate: implementations drop updates that come too fast.
  virtual void update(int fit, const FitProgress& progress) = 0;
  /// Once per epoch.
  virtual void epoch(int fit, const FitProgress& progress) { update(fit, progress); }
  virtual void finished(int fit, const FitProgress& progress, const std::string& summary) = 0;
  /// A line of text for the user, without the newline.
  virtual void message(const std::string& line) = 0;
  /// The same for what went wrong: shown even if nothing else is.
  virtual void failure(const std::string& line) { message(line); }
};

}  // namespace hgnet
