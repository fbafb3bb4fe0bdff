#include "core/large_blocks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>
#include <new>
#include <utility>

namespace hgnet::detail {
namespace {

constexpr std::size_t kPage = 4096;
/// Where malloc has the size of its blocks, which are never so large. Blocks of malloc may begin at
/// the same alignment.
constexpr std::uint64_t kMark = 0x6b636f6c62746e68;

/// Just before a block, in a page of its own.
struct Header {
  std::size_t bytes;  // of the block, without this page
  Header* next;       // among those kept
  std::uint64_t mark;
};

Header* header_of(void* block) { return static_cast<Header*>(block) - 1; }
void* block_of(Header* header) { return header + 1; }

void unmap(Header* header) {
  auto* block = static_cast<std::byte*>(block_of(header));
  munmap(block - kPage, kPage + header->bytes);
}

/// Null if there is no memory.
Header* map(std::size_t bytes) {
  const std::size_t room = bytes + kLargeAlignment + kPage;
  void* const mapped =
      mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(mapped);
  const std::uintptr_t misfit = (reinterpret_cast<std::uintptr_t>(begin) + kPage) % kLargeAlignment;
  std::byte* const block = begin + kPage + (misfit == 0 ? 0 : kLargeAlignment - misfit);
  if (block - kPage > begin) munmap(begin, block - kPage - begin);
  if (begin + room > block + bytes) munmap(block + bytes, begin + room - (block + bytes));
#ifdef MADV_HUGEPAGE
  // Only a hint: if it is refused, the pages stay small and nothing else changes.
  static_cast<void>(madvise(block, bytes / kLargeAlignment * kLargeAlignment, MADV_HUGEPAGE));
#endif
  return new (header_of(block)) Header{bytes, nullptr, kMark};
}

class LargeBlocks {
 public:
  void* take(std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    Header* found = take_kept(bytes);
    if (found == nullptr) {
      const std::size_t limit = std::max(most_, used_ + bytes);
      while (kept_ != nullptr && used_ + kept_bytes_ + bytes > limit) unmap(take_largest());
      found = map(bytes);
      while (found == nullptr && kept_ != nullptr) {
        unmap(take_largest());
        found = map(bytes);
      }
      if (found == nullptr) return nullptr;
    }
    used_ += found->bytes;
    most_ = std::max(most_, used_);
    return block_of(found);
  }

  void give(Header* header, bool keep) {
    const std::scoped_lock lock(mutex_);
    used_ -= header->bytes;
    if (!keep) {
      unmap(header);
      return;
    }
    header->next = std::exchange(kept_, header);
    kept_bytes_ += header->bytes;
  }

  void free_all() {
    const std::scoped_lock lock(mutex_);
    while (kept_ != nullptr) unmap(take_largest());
  }

 private:
  /// The smallest that is large enough, if no more than an eighth of it is left over.
  Header* take_kept(std::size_t bytes) {
    Header** best = nullptr;
    for (Header** at = &kept_; *at != nullptr; at = &(*at)->next) {
      const std::size_t has = (*at)->bytes;
      if (has >= bytes && has <= bytes + bytes / 8 && (best == nullptr || has < (*best)->bytes))
        best = at;
    }
    return best == nullptr ? nullptr : take_out(best);
  }

  Header* take_largest() {
    Header** largest = &kept_;
    for (Header** at = &kept_; *at != nullptr; at = &(*at)->next) {
      if ((*at)->bytes > (*largest)->bytes) largest = at;
    }
    return take_out(largest);
  }

  Header* take_out(Header** at) {
    Header* const header = *at;
    *at = header->next;
    kept_bytes_ -= header->bytes;
    return header;
  }

  std::mutex mutex_;
  Header* kept_ = nullptr;
  std::size_t kept_bytes_ = 0;
  std::size_t used_ = 0;
  std::size_t most_ = 0;  // ever in use at a time
};

constinit LargeBlocks large;

}  // namespace

void* take_large(std::size_t bytes) noexcept {
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) return nullptr;
  return large.take((bytes + kPage - 1) / kPage * kPage);
}

bool give_large(void* block, bool keep) noexcept {
  if (reinterpret_cast<std::uintptr_t>(block) % kLargeAlignment != 0) return false;
  Header* const header = header_of(block);
  if (header->mark != kMark) return false;
  large.give(header, keep);
  return true;
}

void free_large() noexcept { large.free_all(); }

}  // namespace hgnet::detail
