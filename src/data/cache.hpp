#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// What a cached data set was made from.
struct CacheKey {
  std::string name;   // for readers of the folder
  std::string what;   // path and options: one file for each
  std::string state;  // of the files: a change makes the cached file stale
};

/// The size from which graphs stay in the cached file.
inline constexpr std::size_t kStayInFile = std::size_t{1} << 29;

/// The file in which a data set is cached.
std::filesystem::path cache_file(const std::filesystem::path& folder, const CacheKey& key);

/// The files' names and XXH3 checksums: the state for a key. Throws InvalidFile when one cannot be
/// read.
std::string state_of(const std::vector<std::filesystem::path>& files);

/// What was kept under the key, or nothing if there is none, it is stale, of another version, cut
/// off or damaged in any byte. The file is mapped into memory, not read. The graphs of a file of
/// `stay_from` bytes or more stay in it, and their pages are read when they are used: a data set
/// may be larger than the memory.
std::optional<Dataset> read_cache(const std::filesystem::path& folder, const CacheKey& key,
                                  std::size_t stay_from = kStayInFile);

/// Caches the data set. The file appears complete or not at all; failures are ignored.
void write_cache(const std::filesystem::path& folder, const CacheKey& key, const Dataset& dataset);

}  // namespace hgnet
