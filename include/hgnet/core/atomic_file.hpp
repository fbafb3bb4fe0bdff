#pragma once

#include <filesystem>
#include <string_view>

namespace hgnet {

/// Writes a file that appears whole or not at all: into a temporary one beside it, flushed to the disk, then renamed. Throws
/// Error, with the system's reason, when that fails; the old file, if any, is then still there.
void write_atomically(const std::filesystem::path& file, std::string_view bytes);

/// All bytes of a regular file. Throws InvalidFile, with the system's reason, when it cannot be read
/// or is something else, such as a pipe.
std::string read_whole(const std::filesystem::path& file);

}  // namespace hgnet
