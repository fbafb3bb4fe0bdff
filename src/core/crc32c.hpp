#pragma once

#include <cstdint>
#include <string_view>

namespace hgnet {

/// Castagnoli's cyclic redundancy check, as in RFC 3720.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace hgnet
