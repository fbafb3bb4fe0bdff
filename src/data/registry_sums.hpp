#pragma once

#include <span>

namespace hgnet {

/// The sum of a file below the data root. For the members of tu/NAME.zip the path is tu/ and the
/// member's, as if the archive had been unpacked there.
struct PublishedSum {
  const char* path;
  const char* sha256;
};

std::span<const PublishedSum> published_sums();

}  // namespace hgnet
