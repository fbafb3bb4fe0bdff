// The fits of a run that a command applies.

#pragma once

#include <filesystem>
#include <vector>

#include "hgnet/settings/fit_folder.hpp"

namespace hgnet::app {

/// Names those that are not finished, on stderr.
void note_unfinished(const std::vector<FitFolder>& fits);

/// The fits of a run that stand for it: of a search, those that validation chose, with a note on
/// stderr. Calls note_unfinished. Throws Error if there are none.
std::vector<FitFolder> fits_to_use(const std::filesystem::path& run);

}  // namespace hgnet::app
