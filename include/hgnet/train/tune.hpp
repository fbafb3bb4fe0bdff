// A search for settings, chosen by validation alone: its trials, and its rounds one by one.

#pragma once

#include <filesystem>
#include <vector>

#include "hgnet/settings/search.hpp"
#include "hgnet/train/fit_run.hpp"

namespace hgnet {

/// A trial for each of the drawn settings, without those that have no effect on the model; equal
/// ones once. Throws Error for settings that the model or the data set refuses.
std::vector<Trial> make_trials(const TrainConfig& config, const std::vector<Settings>& drawn,
                               const Dataset& dataset, const std::vector<std::int64_t>& folds);

/// Runs the fits of a round, `jobs` at a time, in folders below `out`, adds their scores and writes
/// the search there. False, with nothing added, if it was told to stop or another process is
/// running one of the fits. Throws Error if the only fit failed; of several, the sink is told
/// which.
bool run_round(Search& search, std::size_t round, const std::filesystem::path& out, int jobs,
               InputStore& store, const FitRunOptions& options);

}  // namespace hgnet
