#pragma once

#include <vector>

#include "hgnet/train/fit_run.hpp"

namespace hgnet {

/// Runs the fits, `jobs` at a time. A fit's numbers do not depend on the others. If one fails, the
/// rest go on; its outcome says why. Several ranks run them one by one, and throw if one fails.
std::vector<FitOutcome> run_fits(const std::vector<PlannedFit>& fits, int jobs, InputStore& store,
                                 const FitRunOptions& options);

}  // namespace hgnet
