// Memory that goes from one owner to the next without a search.

#pragma once

#include <cstddef>

namespace hgnet {

/// Blocks of memory from malloc. While keep_freed_memory() is in force, blocks that were given back
/// are kept by their size for the next that asks, some by each thread and others for all: a
/// training step needs blocks of the same sizes as the step before, and above a kilobyte malloc
/// searches, splits and merges for each of them. Those above 3.5 MB are mappings of their own.
///
/// At least so many bytes, aligned for vectors; null if there is no memory.
void* take_block(std::size_t bytes) noexcept;
/// One from take_block, of any thread. Null is nothing.
void give_block(void* block) noexcept;

/// Turns keeping on or off; off also frees what this thread has kept.
void keep_blocks(bool keep) noexcept;

}  // namespace hgnet
