#include "hgnet/train/schedule.hpp"

#include <c10/util/Exception.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "hgnet/train/fit_folder.hpp"

namespace hgnet {
namespace {

FitOutcome try_fit(const PlannedFit& fit, int number, InputStore& store,
                   const FitRunOptions& options) {
  try {
    return run_fit(fit, number, store, options);
  } catch (const FitBusy& busy) {
    return {FitOutcome::Kind::kBusy, {}, busy.what()};
  } catch (const c10::Error& error) {
    return {FitOutcome::Kind::kFailed, {}, error.what_without_backtrace()};
  } catch (const std::exception& error) {
    return {FitOutcome::Kind::kFailed, {}, error.what()};
  }
}

}  // namespace

std::vector<FitOutcome> run_fits(const std::vector<PlannedFit>& fits, int jobs, InputStore& store,
                                 const FitRunOptions& options) {
  std::vector<FitOutcome> outcomes(fits.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < fits.size(); i = next++) {
      if (options.stop && options.stop()) return;
      outcomes[i] = try_fit(fits[i], static_cast<int>(i), store, options);
      const bool failed = outcomes[i].kind == FitOutcome::Kind::kFailed;
      // For a single fit, the caller reports the error.
      if (failed && options.sink != nullptr && fits.size() > 1)
        options.sink->message(fits[i].label + " failed: " + outcomes[i].error);
    }
  };
  std::vector<std::thread> threads;
  for (int j = 1; j < std::min(jobs, static_cast<int>(fits.size())); ++j)
    threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return outcomes;
}

}  // namespace hgnet
