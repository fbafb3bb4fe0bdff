#include "hgnet/core/block_cache.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <limits>  // defines __GLIBC__ with glibc
#include <mutex>
#include <new>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "core/large_blocks.hpp"

namespace hgnet {
namespace {

constexpr std::size_t kAlignment = 64;
/// Sizes are rounded up to a power of two or one of three steps above it.
constexpr int kSteps = 4;
constexpr int kFirstBit = 8;  // 256 bytes: steps are multiples of the alignment
constexpr int kLastBit = 22;  // 4 MB
constexpr std::size_t kClasses = kSteps * (kLastBit - kFirstBit);
constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // in the depot

std::atomic<bool> keeping{false};

/// The class of the largest size that is no larger; kClasses or more: none.
std::size_t class_below(std::size_t bytes) {
  const int bit = static_cast<int>(std::bit_width(bytes)) - 1;
  if (bit < kFirstBit) return kClasses;
  const std::size_t step = (bytes >> (bit - 2)) & (kSteps - 1);
  return static_cast<std::size_t>(bit - kFirstBit) * kSteps + step;
}

std::size_t size_of(std::size_t size_class) {
  const int bit = kFirstBit + static_cast<int>(size_class / kSteps);
  return (std::size_t{1} << bit) + (size_class % kSteps << (bit - 2));
}

/// The first bytes of a block that nobody has.
struct FreeBlock {
  FreeBlock* next;        // of its list
  FreeBlock* next_chain;  // of the depot, in the first block of a chain
};

/// Blocks that go from thread to thread at a time: some 64 KB, but a few at least.
int chain_length(std::size_t size_class) {
  return static_cast<int>(std::clamp<std::size_t>((1 << 16) / size_of(size_class), 2, 16));
}

void free_list(FreeBlock* block) {
  while (block != nullptr) std::free(std::exchange(block, block->next));
}

/// Chains of blocks of one size that some thread had too many of. Where one thread makes what
/// another uses up, as with batches, the blocks come back this way.
class Depot {
 public:
  void put(FreeBlock* chain, std::size_t size_class) {
    const std::size_t bytes = chain_length(size_class) * size_of(size_class);
    {
      const std::scoped_lock lock(mutex_);
      if (bytes_ + bytes <= kMostBytes) {
        chain->next_chain = std::exchange(chains_[size_class], chain);
        bytes_ += bytes;
        return;
      }
    }
    free_list(chain);
  }

  /// Null if there is none.
  FreeBlock* take(std::size_t size_class) {
    const std::scoped_lock lock(mutex_);
    FreeBlock* chain = chains_[size_class];
    if (chain == nullptr) return nullptr;
    chains_[size_class] = chain->next_chain;
    bytes_ -= chain_length(size_class) * size_of(size_class);
    return chain;
  }

 private:
  std::mutex mutex_;
  std::array<FreeBlock*, kClasses> chains_{};
  std::size_t bytes_ = 0;
};

constinit Depot depot;

/// Of a thread. Without a destructor, so that it can be used until the thread has ended.
struct Kept {
  std::array<FreeBlock*, kClasses> first;
  std::array<int, kClasses> count;
  bool closed;

  void free_all() {
    for (FreeBlock*& list : first) free_list(std::exchange(list, nullptr));
    count.fill(0);
  }

  FreeBlock* take(std::size_t size_class) {
    if (first[size_class] == nullptr) {
      first[size_class] = depot.take(size_class);
      if (first[size_class] == nullptr) return nullptr;
      count[size_class] = chain_length(size_class);
    }
    --count[size_class];
    return std::exchange(first[size_class], first[size_class]->next);
  }

  void put(void* block, std::size_t size_class) {
    first[size_class] = new (block) FreeBlock{first[size_class], nullptr};
    const int length = chain_length(size_class);
    if (++count[size_class] < 2 * length) return;
    FreeBlock* last = first[size_class];
    for (int i = 1; i < length; ++i) last = last->next;
    FreeBlock* rest = std::exchange(last->next, nullptr);
    depot.put(std::exchange(first[size_class], rest), size_class);
    count[size_class] = length;
  }
};

constinit thread_local Kept kept{};

/// Frees what is kept when the thread ends; blocks given back after that are freed at once.
struct AtThreadEnd {
  bool is_noted = false;  // its first use makes the destructor known to the thread
  ~AtThreadEnd() {
    kept.free_all();
    kept.closed = true;
  }
};
thread_local AtThreadEnd at_thread_end;

void* allocate(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::ptrdiff_t>::max()) return nullptr;
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;  // as aligned_alloc asks for
  void* block = std::aligned_alloc(kAlignment, bytes);
  if (block == nullptr && detail::free_large()) block = std::aligned_alloc(kAlignment, bytes);
  return block;
}

/// What the block was made for, or a little more; 0: unknown.
std::size_t usable([[maybe_unused]] void* block) {
#ifdef __GLIBC__
  return malloc_usable_size(block);
#else
  return 0;
#endif
}

}  // namespace

void* take_block(std::size_t bytes) noexcept {
  bytes = std::max(bytes, size_of(0));
  if (!keeping.load(std::memory_order_relaxed)) return allocate(bytes);
  std::size_t size_class = class_below(bytes);
  if (size_of(size_class) < bytes) ++size_class;
  if (size_class >= kClasses) {
    void* const large = detail::take_large(bytes);
    return large == nullptr ? allocate(bytes) : large;
  }
  FreeBlock* block = kept.take(size_class);
  return block == nullptr ? allocate(size_of(size_class)) : block;
}

void give_block(void* block) noexcept {
  if (block == nullptr) return;
  if (detail::give_large(block)) return;
  const std::size_t size_class = class_below(usable(block));
  if (!keeping.load(std::memory_order_relaxed) || size_class >= kClasses || kept.closed) {
    std::free(block);
    return;
  }
  at_thread_end.is_noted = true;
  kept.put(block, size_class);
}

void keep_blocks(bool keep) noexcept {
  keeping.store(keep, std::memory_order_relaxed);
  detail::keep_large(keep);
  if (!keep) kept.free_all();
}

}  // namespace hgnet
