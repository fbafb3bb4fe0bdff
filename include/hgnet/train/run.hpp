#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hgnet/data/load.hpp"
#include "hgnet/train/progress.hpp"
#include "hgnet/train/run_folder.hpp"

namespace hgnet {

/// Data sets and what fits are fed with, loaded and prepared once for all that ask. Thread-safe. Holds on to the few last ones.
class InputStore {
 public:
  /// The configuration says which, from where, and how it is read.
  std::shared_ptr<const Dataset> dataset(const TrainConfig& config);
  /// How long that took when it was loaded.
  double load_seconds(const TrainConfig& config);
  /// For a configuration that is complete().
  std::shared_ptr<const FitInputs> inputs(const TrainConfig& config);

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const Dataset>> datasets_;
  std::map<std::string, double> load_seconds_;
  std::map<std::pair<std::string, Preparation>, std::weak_ptr<const FitInputs>> inputs_;
  std::deque<std::shared_ptr<const void>> recent_;

  void hold(std::shared_ptr<const void> item);
};

/// A fit to be run in a folder of its own: begun, or gone on with if the folder has a run already.
struct PlannedFit {
  TrainConfig config;
  std::filesystem::path folder;
  std::string label;  // for progress: "gcn fold 3"
  std::string table;  // of the paper, for the record
  bool quick = false;
  bool keep_checkpoint = true;  // and the event files, once the fit is done
};

struct FitOutcome {
  enum class Kind { kDone, kStopped, kFailed, kBusy };  // kBusy: another process is at it
  Kind kind = Kind::kStopped;
  std::string result;  // a JSON object: see docs/file-formats.md
  std::string error;
};

struct RunOptions {
  int jobs = 1;  // fits side by side
  double checkpoint_seconds = 10;
  std::string command;  // how the program was called, for the record
  /// When the program began: the record says how long the first batch took from there.
  std::chrono::steady_clock::time_point program_begin = std::chrono::steady_clock::now();
  ProgressSink* sink = nullptr;  // or none
  std::function<bool()>
      stop;  // asked after every batch: true ends all fits, each with a checkpoint
};

/// Runs the fits, `jobs` at a time. A fit's numbers do not depend on the others. One that fails does not stop the rest.
std::vector<FitOutcome> run_fits(const std::vector<PlannedFit>& fits, InputStore& store,
                                 const RunOptions& options);

/// One fit in the calling thread; throws where run_fits reports.
FitOutcome run_fit(const PlannedFit& fit, int number, InputStore& store, const RunOptions& options);

/// Threads of this thread's ops, and of BLAS in the whole process.
void set_threads(int threads);

}  // namespace hgnet
