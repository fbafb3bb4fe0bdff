#pragma once

#include <filesystem>
#include <string>

namespace hgnet::test {

/// What a finished fit left in its folder, without what depends on the clock and the command line.
std::string run_outcome(const std::filesystem::path& folder);

}  // namespace hgnet::test
