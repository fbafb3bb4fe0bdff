#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "hgnet/records/fit_record.hpp"
#include "hgnet/train/input_store.hpp"
#include "hgnet/train/planned_fit.hpp"
#include "hgnet/train/progress.hpp"

namespace hgnet {

struct FitOutcome {
  enum class Kind { kDone, kStopped, kFailed, kBusy };  // kBusy: another process is running it
  Kind kind = Kind::kStopped;
  FitRecord record;   // of a fit that is done
  std::string error;  // of one that is not
};

struct FitRunOptions {
  double checkpoint_seconds = 10;
  std::string command;  // how the program was called, for the record
  /// When the program began: the record says how long the first batch took from there.
  std::chrono::steady_clock::time_point program_begin = std::chrono::steady_clock::now();
  ProgressSink* sink = nullptr;  // or none
  std::function<bool()> stop;    // asked after every batch: true ends the fit with a checkpoint
};

/// Runs one fit to its end, or until it is to stop, and keeps its folder. What is done already is not run again. `number` is the
/// fit's for the sink. Throws FitBusy while another process runs the fit, and Error where it cannot go on.
FitOutcome run_fit(const PlannedFit& fit, int number, InputStore& store,
                   const FitRunOptions& options);

}  // namespace hgnet
