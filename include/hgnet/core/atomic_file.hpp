#pragma once

#include <filesystem>
#include <string_view>

namespace hgnet {

/// Writes a file that appears complete or not at all: writes to a temporary file next to it,
/// flushes that to disk and renames it. Throws Error, with the system's reason, on failure; an
/// existing file is then left as it was.
void write_atomically(const std::filesystem::path& file, std::string_view bytes);

/// All bytes of a regular file. Throws InvalidFile, with the system's reason, when it cannot be
/// read or is something else, such as a pipe.
std::string read_whole(const std::filesystem::path& file);

}  // namespace hgnet
