// Blocks of many megabytes, each a mapping of its own.

#pragma once

#include <cstddef>

namespace hgnet::detail {

/// Every such block begins there, so that all of it can be huge pages.
constexpr std::size_t kLargeAlignment = std::size_t{1} << 21;

/// Takes a kept block of about this size, or else maps one; null if there is no memory. In malloc's
/// heap, blocks of this size leave holes that nothing fits, and fresh pages for each of them would
/// cost more than many kernels. So they are kept, as long as those kept and those in use together
/// are no more than were once in use: then keeping does not raise the peak.
void* take_large(std::size_t bytes) noexcept;

/// Keeps the block, or unmaps it. False if it is none of take_large's.
bool give_large(void* block, bool keep) noexcept;

/// Unmaps what is kept.
void free_large() noexcept;

}  // namespace hgnet::detail
