#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/byte_stream.hpp"

namespace hgnet {

/// The bytes as a gzip file; the same bytes every time. Throws Error if memory runs out.
std::string gzipped(std::string_view bytes);

/// What a gzip file holds. Throws InvalidFile at the end of it unless checksum and length are
/// right.
std::unique_ptr<ByteStream::Blocks> gunzipped(ByteStream packed);

}  // namespace hgnet
