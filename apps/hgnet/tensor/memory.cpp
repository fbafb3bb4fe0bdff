// The program's memory: blocks that malloc would have to search for go from one owner to the next,
// those of tensors and those of everything else, libtorch included.

#include <cstdint>
#include <cstdlib>
#include <limits>  // defines __GLIBC__ with glibc
#include <new>

#include "hgnet/core/block_cache.hpp"
#include "hgnet/ops/tensor_memory.hpp"

namespace {

/// Before main(), and so before the first tensor. Takes effect with keep_freed_memory().
[[maybe_unused]] const bool kCached = [] {
  hgnet::cache_tensor_memory();
  return true;
}();

}  // namespace

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <malloc.h>

namespace {

/// Smaller ones malloc itself keeps by their size.
constexpr std::size_t kLeast = 1200;
/// What malloc gives for smaller ones is less than this, and what take_block keeps is not.
constexpr std::size_t kLeastOfBlock = 1280;
/// A block that begins at a page may be a mapping, of which malloc knows nothing.
constexpr std::uintptr_t kPage = 4096;

}  // namespace

void* operator new(std::size_t bytes) {
  void* block = bytes < kLeast ? std::malloc(bytes == 0 ? 1 : bytes) : hgnet::take_block(bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void operator delete(void* block) noexcept {
  if (reinterpret_cast<std::uintptr_t>(block) % kPage != 0 &&
      malloc_usable_size(block) < kLeastOfBlock) {
    std::free(block);
  } else {
    hgnet::give_block(block);
  }
}

void operator delete(void* block, std::size_t bytes) noexcept {
  if (bytes < kLeast) {
    std::free(block);
  } else {
    hgnet::give_block(block);
  }
}
#endif
