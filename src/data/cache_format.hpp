// Layout of a data set in a cache file: arrays one after the other, each as its length and its
// elements, in this machine's byte order, every array at a multiple of eight bytes.

#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// To be counted up whenever the layout, or what the readers make of the same files, changes.
inline constexpr std::uint32_t kCacheVersion = 8;

/// Passes the layout to `write`, piece by piece.
void encode_dataset(const Dataset& dataset,
                    const std::function<void(std::span<const std::byte>)>& write);

/// Decodes the data set and checks everything. `bytes` must start at a multiple of eight. Throws
/// the kind of Error that belongs to the broken rule.
Dataset decode_dataset(std::span<const std::byte> bytes);

}  // namespace hgnet
