#include "hgnet/train/schedule.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <system_error>
#include <thread>

#include "hgnet/core/error_text.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/train/threads.hpp"

namespace hgnet {
namespace {

FitOutcome try_fit(const PlannedFit& fit, int number, InputStore& store,
                   const FitRunOptions& options) {
  try {
    return run_fit(fit, number, store, options);
  } catch (const FitBusy& busy) {
    if (!options.ranks->is_alone()) throw;
    return {FitOutcome::Kind::kBusy, {}, busy.what()};
  } catch (const std::exception& error) {
    if (!options.ranks->is_alone()) throw;  // the ranks cannot know where the others are
    return {FitOutcome::Kind::kFailed, {}, error_text(error)};
  }
}

/// Whether any rank wants to stop: all must begin the next fit, or none.
bool stops(const FitRunOptions& options) {
  double wishes = options.stop && options.stop() ? 1 : 0;
  options.ranks->sum(std::span(&wishes, 1));
  return wishes > 0;
}

}  // namespace

std::vector<FitOutcome> run_fits(const std::vector<PlannedFit>& fits, int jobs, InputStore& store,
                                 const FitRunOptions& options) {
  jobs = options.ranks->is_alone() ? std::min(jobs, static_cast<int>(fits.size())) : 1;
  if (jobs > 1) {
    const int threads = fits.front().config.threads;
    set_threads(threads);  // while there is room for libtorch's pool
    const int fitting = jobs_within_addresses(jobs, threads);
    if (fitting < jobs && options.sink != nullptr)
      options.sink->failure("the limit on addresses (ulimit -v) leaves room for " +
                            std::to_string(fitting) + " of " + std::to_string(jobs) + " jobs");
    jobs = fitting;
  }
  std::vector<FitOutcome> outcomes(fits.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < fits.size(); i = next++) {
      if (stops(options)) return;
      outcomes[i] = try_fit(fits[i], static_cast<int>(i), store, options);
      const bool failed = outcomes[i].kind == FitOutcome::Kind::kFailed;
      // For a single fit, the caller reports the error.
      if (failed && options.sink != nullptr && fits.size() > 1)
        options.sink->failure(fits[i].label + " failed: " + outcomes[i].error);
    }
  };
  {
    std::vector<std::jthread> threads;  // they join at the end of the block
    try {
      for (int j = 1; j < jobs; ++j) threads.emplace_back(work);
    } catch (const std::system_error& error) {
      if (options.sink != nullptr)
        options.sink->failure("only " + std::to_string(threads.size() + 1) + " of " +
                              std::to_string(jobs) + " jobs could be started: " + error.what());
    }
    work();
  }
  return outcomes;
}

}  // namespace hgnet
