// Layout of a data set in a cache file: arrays one after the other, each as its length and its
// elements, in this machine's byte order, every array at a multiple of eight bytes.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// To be counted up whenever the layout, or what the readers make of the same files, changes.
inline constexpr std::uint32_t kCacheVersion = 8;

/// Passes the layout to `write`, piece by piece.
void encode_dataset(const Dataset& dataset,
                    const std::function<void(std::span<const std::byte>)>& write);

/// Decodes the data set and checks everything. `bytes` must start at a multiple of eight. With an
/// owner of the bytes, the graphs stay in them and keep it; else they are copied. Throws the kind
/// of Error that belongs to the broken rule.
Dataset decode_dataset(std::span<const std::byte> bytes,
                       const std::shared_ptr<const void>& owner = nullptr);

}  // namespace hgnet
