#pragma once

#include <cstdint>

namespace hgnet {

/// Makes the process keep freed memory instead of returning it to the system (glibc; no effect
/// elsewhere). Training allocates the same sizes in every step; without this, every large tensor
/// pays for fresh pages. Programs should call it first thing in main(); the library never does.
/// For tensors see also cache_tensor_memory() in hgnet/ops/tensor_memory.hpp.
void keep_freed_memory();

/// Takes that back, for work within a limit of memory.
void return_freed_memory();

/// Bytes that the process has had in memory at most.
std::int64_t peak_memory();

}  // namespace hgnet
