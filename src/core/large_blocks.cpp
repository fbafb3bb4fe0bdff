#include "core/large_blocks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <mutex>

namespace hgnet::detail {
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;
/// A multiple of every machine's page.
constexpr std::size_t kPage = std::size_t{1} << 16;

struct Mapping {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
};

void unmap(Mapping mapping) { munmap(mapping.begin, mapping.bytes); }

/// Begins at a huge page; null if there is no memory.
std::byte* map(std::size_t bytes) {
  const std::size_t room = bytes + kHugePage;
  void* const mapped =
      mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const first = static_cast<std::byte*>(mapped);
  const std::uintptr_t misfit = reinterpret_cast<std::uintptr_t>(first) % kHugePage;
  const std::size_t before = misfit == 0 ? 0 : kHugePage - misfit;
  if (before > 0) unmap({first, before});
  unmap({first + before + bytes, kHugePage - before});
#ifdef MADV_HUGEPAGE
  // Only a hint: if it is refused, the pages stay small and nothing else changes.
  static_cast<void>(madvise(first + before, bytes / kHugePage * kHugePage, MADV_HUGEPAGE));
#endif
  return first + before;
}

/// Without memory of its own, since it is what memory comes from.
template <std::size_t kMost>
class Mappings {
 public:
  std::size_t count() const { return count_; }
  bool is_full() const { return count_ == kMost; }
  std::size_t bytes() const { return bytes_; }
  const Mapping& operator[](std::size_t i) const { return all_[i]; }

  void add(Mapping mapping) {
    all_[count_++] = mapping;
    bytes_ += mapping.bytes;
  }

  Mapping take(std::size_t i) {
    const Mapping taken = all_[i];
    all_[i] = all_[--count_];
    bytes_ -= taken.bytes;
    return taken;
  }

 private:
  std::array<Mapping, kMost> all_{};
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

constexpr std::size_t kMostKept = 512;
using KeptMappings = Mappings<kMostKept>;

class LargeBlocks {
 public:
  void* take(std::size_t bytes) {
    KeptMappings surplus;
    {
      const std::scoped_lock lock(mutex_);
      if (used_.is_full()) return nullptr;
      if (const std::size_t found = find_kept(bytes); found < kept_.count())
        return use(kept_.take(found));
      const std::size_t limit = std::max(most_, used_.bytes() + bytes);
      while (kept_.count() > 0 && used_.bytes() + kept_.bytes() + bytes > limit)
        surplus.add(kept_.take(largest_kept()));
    }
    // Without the lock: it takes long, and a process may fork meanwhile.
    unmap_all(surplus);
    std::byte* begin = map(bytes);
    if (begin == nullptr && free_kept()) begin = map(bytes);
    if (begin == nullptr) return nullptr;
    const std::scoped_lock lock(mutex_);
    if (!used_.is_full()) return use({begin, bytes});
    unmap({begin, bytes});
    return nullptr;
  }

  bool give(void* block) {
    Mapping mapping;
    {
      const std::scoped_lock lock(mutex_);
      std::size_t i = 0;
      while (i < used_.count() && used_[i].begin != block) ++i;
      if (i == used_.count()) return false;
      mapping = used_.take(i);
      if (keep_ && !kept_.is_full()) {
        kept_.add(mapping);
        return true;
      }
    }
    unmap(mapping);
    return true;
  }

  void keep(bool keep) {
    {
      const std::scoped_lock lock(mutex_);
      keep_ = keep;
    }
    if (!keep) free_kept();
  }

  /// False if there were none.
  bool free_kept() {
    KeptMappings all;
    {
      const std::scoped_lock lock(mutex_);
      std::swap(all, kept_);
    }
    unmap_all(all);
    return all.count() > 0;
  }

 private:
  static void unmap_all(const KeptMappings& mappings) {
    for (std::size_t i = 0; i < mappings.count(); ++i) unmap(mappings[i]);
  }

  void* use(Mapping mapping) {
    used_.add(mapping);
    most_ = std::max(most_, used_.bytes());
    return mapping.begin;
  }

  /// The smallest that is large enough, if no more than an eighth of it would be left over.
  std::size_t find_kept(std::size_t bytes) const {
    std::size_t best = kept_.count();
    for (std::size_t i = 0; i < kept_.count(); ++i) {
      const std::size_t has = kept_[i].bytes;
      if (has >= bytes && has <= bytes + bytes / 8 &&
          (best == kept_.count() || has < kept_[best].bytes))
        best = i;
    }
    return best;
  }

  std::size_t largest_kept() const {
    std::size_t largest = 0;
    for (std::size_t i = 1; i < kept_.count(); ++i) {
      if (kept_[i].bytes > kept_[largest].bytes) largest = i;
    }
    return largest;
  }

  static constexpr std::size_t kMostUsed = 4096;  // a process may have 65,530 mappings

  std::mutex mutex_;
  Mappings<kMostUsed> used_;
  KeptMappings kept_;
  std::size_t most_ = 0;  // bytes ever in use at a time
  bool keep_ = false;
};

constinit LargeBlocks large;

}  // namespace

void* take_large(std::size_t bytes) noexcept {
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) return nullptr;
  return large.take((bytes + kPage - 1) / kPage * kPage);
}

bool give_large(void* block) noexcept {
  return reinterpret_cast<std::uintptr_t>(block) % kHugePage == 0 && large.give(block);
}

void keep_large(bool keep) noexcept { large.keep(keep); }

bool free_large() noexcept { return large.free_kept(); }

}  // namespace hgnet::detail
