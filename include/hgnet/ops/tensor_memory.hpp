#pragma once

namespace hgnet {

/// Gives libtorch's CPU tensors memory that goes from one to the next by its size, while
/// keep_freed_memory() is in force; otherwise it comes from malloc as before. For the whole
/// process, tensors of other code included, so programs choose it, as early in main() as they can;
/// the library never does.
void cache_tensor_memory();

}  // namespace hgnet
