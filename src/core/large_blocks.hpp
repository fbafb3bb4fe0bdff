// Blocks of megabytes, each a mapping of its own.

#pragma once

#include <cstddef>

namespace hgnet::detail {

/// A kept block of about this size, or else a new mapping, which begins where a huge page can. Null
/// if there is no memory or there are very many such blocks. In malloc's heap, blocks of this size
/// leave holes that nothing fits, and fresh pages for each of them would cost more than many
/// kernels. So they are kept, as long as those kept and those in use together are no more than were
/// once in use.
void* take_large(std::size_t bytes) noexcept;

/// Keeps the block, if keep_large says so, or unmaps it. False if it is none of take_large's.
bool give_large(void* block) noexcept;

/// Off, which it is at first, also unmaps what is kept.
void keep_large(bool keep) noexcept;

/// Unmaps what is kept, for someone who finds no memory; false if there was nothing.
bool free_large() noexcept;

}  // namespace hgnet::detail
