#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "hgnet/ranks/ranks.hpp"
#include "hgnet/records/fit_record.hpp"
#include "hgnet/settings/planned_fit.hpp"
#include "hgnet/train/input_store.hpp"
#include "hgnet/train/progress.hpp"

namespace hgnet {

struct FitOutcome {
  enum class Kind { kDone, kStopped, kFailed, kBusy };  // kBusy: running in another process
  Kind kind = Kind::kStopped;
  FitRecord record;   // if the fit is done
  std::string error;  // if it is not
};

struct FitRunOptions {
  double checkpoint_seconds = 10;
  std::string command;  // the command line, for the record
  /// When the program started: the record says how long it took from then to the first batch.
  std::chrono::steady_clock::time_point program_begin = std::chrono::steady_clock::now();
  ProgressSink* sink = nullptr;  // or none
  std::string told_part =
      "test";                  // whose score the sink gets at the end; a search shows "val" only
  std::function<bool()> stop;  // called after every batch: true ends the fit with a checkpoint
  /// The processes that share the fit. All call run_fit; the first has the folder and the sink.
  const Ranks* ranks = &Ranks::alone();
};

/// Runs one fit to its end, or until it is told to stop, and maintains its folder. Epochs that are
/// already done are not run again. `number` is the fit's number for the sink. Throws FitBusy while
/// another process is running the fit, and Error if it cannot continue. The record of a fit that is
/// done is the first rank's only.
FitOutcome run_fit(const PlannedFit& fit, int number, InputStore& store,
                   const FitRunOptions& options);

}  // namespace hgnet
