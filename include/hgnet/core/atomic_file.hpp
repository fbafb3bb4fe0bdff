#pragma once

#include <filesystem>
#include <string_view>

namespace hgnet {

/// Writes a file that appears complete or not at all, and is flushed to disk by then. Throws Error,
/// with the system's reason, on failure; an existing file is then left as it was, and nothing else
/// is left behind.
void write_atomically(const std::filesystem::path& file, std::string_view bytes);

/// Adds to the end of a file, which need not exist. Throws Error, with the system's reason, on
/// failure; the file then ends where it did before.
void append_to_file(const std::filesystem::path& file, std::string_view bytes);

/// All bytes of a regular file. Throws InvalidFile, with the system's reason, when it cannot be
/// read or is something else, such as a pipe.
std::string read_whole(const std::filesystem::path& file);

}  // namespace hgnet
