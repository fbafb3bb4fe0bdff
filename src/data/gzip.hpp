#pragma once

#include <string>
#include <string_view>

namespace hgnet {

/// The bytes as a gzip file; the same bytes every time. Throws Error if memory runs out.
std::string gzipped(std::string_view bytes);

}  // namespace hgnet
