#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "hgnet/data/registry.hpp"

namespace hgnet {

/// Limits on what an archive may unpack to; far above any known data set.
struct ArchiveLimits {
  std::int64_t member_bytes = std::int64_t{4} << 30;
  std::int64_t total_bytes = std::int64_t{8} << 30;
  std::int64_t members = 10000;
};

/// Throws InvalidFile unless the file at `place` is the known file: its sums match and, if it is an
/// archive, it can be unpacked and contains only plain files and folders that stay inside the
/// archive's own folder and within the limits.
void verify_file(const std::filesystem::path& place, const KnownFile& file,
                 const ArchiveLimits& limits = {});

/// 64 hexadecimal digits. Throws InvalidFile if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace hgnet
