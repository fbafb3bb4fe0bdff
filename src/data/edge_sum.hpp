#pragma once

#include <string>

#include "data/byte_stream.hpp"

namespace hgnet {

/// The SHA-256, 64 hexadecimal digits, of the edges that a text has one a line: of "u v" lines with
/// u <= v, sorted by number, each once. Throws InvalidFile for lines that are not two node ids.
std::string sha256_of_edges(ByteStream stream);

}  // namespace hgnet
