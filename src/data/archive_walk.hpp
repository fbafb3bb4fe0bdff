#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "hgnet/data/verify.hpp"

namespace hgnet {

/// Receives a member's content, piece by piece.
using Sink = std::function<void(std::span<const char>)>;

/// Goes through all members of a zip archive and unpacks them into the sinks that `sink_for` gives
/// for their names; members that get an empty one are passed over. Throws InvalidFile for a damaged
/// archive and for members that no data set has: links and the like, absolute paths, paths with
/// "..", sizes over the limits.
void walk_archive(const std::filesystem::path& archive, const ArchiveLimits& limits,
                  const std::function<Sink(const std::string&)>& sink_for);

}  // namespace hgnet
