#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "hgnet/data/registry.hpp"

namespace hgnet {

/// Limits on what an archive may unpack to; far above any known data set.
struct ArchiveLimits {
  std::int64_t member_bytes = std::int64_t{4} << 30;
  std::int64_t total_bytes = std::int64_t{8} << 30;
  std::int64_t members = 10000;
};

/// Throws InvalidFile unless what lies at `place` is the known file: it has its sums, and if it is
/// an archive it can be unpacked and has only members that are plain files or folders, stay inside
/// the archive's own folder and within the limits. Returns the archive's members of which no sum is
/// known.
std::vector<std::string> verify_file(const std::filesystem::path& place, const KnownFile& file,
                                     const ArchiveLimits& limits = {});

/// Makes an archive at `kept` of those members of the one at `place` of which a sum is known, and
/// verifies them. Throws InvalidFile as verify_file does, Error when it cannot be written.
void keep_known_members(const std::filesystem::path& place, const KnownFile& file,
                        const std::filesystem::path& kept, const ArchiveLimits& limits = {});

/// 64 hexadecimal digits. Throws InvalidFile if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace hgnet
