#pragma once

#include <cstdint>
#include <span>

#include "hgnet/data/registry.hpp"

namespace hgnet {

/// The sum of a file below the data root. For the members of tu/NAME.zip the path is tu/ and the
/// member's, as if the archive had been unpacked there.
struct PublishedSum {
  const char* path;
  std::int64_t bytes;
  const char* sha256;
  SumOf of = SumOf::kBytes;
};

std::span<const PublishedSum> published_sums();

}  // namespace hgnet
