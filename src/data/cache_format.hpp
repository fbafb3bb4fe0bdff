// How a data set is laid out in a cache file: arrays one after the other, each its length and its
// elements, in this machine's byte order, every array at a multiple of eight bytes.

#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// To be counted up whenever the layout, or what the readers make of the same files, changes.
inline constexpr std::uint32_t kCacheVersion = 5;

/// Gives the layout piece by piece to `write`.
void encode_dataset(const Dataset& dataset,
                    const std::function<void(std::span<const std::byte>)>& write);

/// The data set again; nothing is taken on trust. `bytes` must start at a multiple of eight. Throws
/// Error, of whatever kind the broken rule has.
Dataset decode_dataset(std::span<const std::byte> bytes);

}  // namespace hgnet
