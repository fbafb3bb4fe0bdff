#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "hgnet/core/enum_names.hpp"

namespace hgnet {

enum class RunState { kDone, kRunning, kStopped, kBroken };

template <>
struct EnumNames<RunState> {
  static constexpr const char* what = "state of a run";
  static constexpr std::array<std::pair<RunState, const char*>, 4> values{
      {{RunState::kDone, "done"},
       {RunState::kRunning, "running"},
       {RunState::kStopped, "stopped"},
       {RunState::kBroken, "broken"}}};
};

/// The fits of one model in a run, because scores of different models have no mean; or a search,
/// whose scores are those of its choice.
struct ListedRun {
  std::filesystem::path folder;  // of the run
  RunState state = RunState::kStopped;
  std::size_t done = 0;
  std::size_t fits = 0;  // planned
  std::string model;     // of a search that is not done: all of them
  std::string dataset;
  std::string metric;
  std::vector<double> scores;     // on test, of the fits that are done; NaN where there is none
  std::vector<double> baselines;  // the same; see FitRecord
  double seconds = 0;             // of all fits so far
  std::string error;              // if it is broken
};

/// The runs at the folder or below it, by name; what is inside a run is not another one. A run that
/// cannot be read is broken and says why.
std::vector<ListedRun> list_runs(const std::filesystem::path& folder);

}  // namespace hgnet
