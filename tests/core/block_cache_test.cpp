#include "hgnet/core/block_cache.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

namespace hgnet {
namespace {

struct Keeping {
  Keeping() { keep_blocks(true); }
  ~Keeping() { keep_blocks(false); }
};

TEST(BlockCache, GivesAlignedMemoryOfAnySize) {
  for (const bool keep : {false, true}) {
    keep_blocks(keep);
    std::vector<void*> blocks;
    for (std::size_t bytes = 0; bytes < 9'000'000; bytes = bytes * 9 / 8 + 1) {
      void* block = take_block(bytes);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0);
      std::memset(block, static_cast<int>(blocks.size()), bytes);
      blocks.push_back(block);
    }
    for (void* block : blocks) give_block(block);
  }
  keep_blocks(false);
  give_block(nullptr);
  EXPECT_EQ(take_block(std::numeric_limits<std::size_t>::max()), nullptr);
}

TEST(BlockCache, GivesABlockAgainToWhoAsksForAboutAsMuch) {
  const Keeping keeping;
  for (const std::size_t bytes : {1, 256, 300, 5000, 1 << 20}) {
    void* block = take_block(bytes);
    give_block(block);
    void* again = take_block(bytes);
    EXPECT_EQ(again, block) << bytes;
    give_block(again);
  }
  void* small = take_block(1000);
  give_block(small);
  void* large = take_block(4000);
  EXPECT_NE(large, small);  // which is too small
  give_block(large);
}

constexpr std::size_t kMb = std::size_t{1} << 20;

bool is_mapped(void* block) {
  unsigned char resident = 0;
  return mincore(block, 1, &resident) == 0;
}

TEST(BlockCache, GivesALargeBlockAgainUnlessTooMuchOfItWouldBeLeftOver) {
  const Keeping keeping;
  void* block = take_block(32 * kMb);
  give_block(block);
  EXPECT_TRUE(is_mapped(block));
  void* less = take_block(30 * kMb);
  EXPECT_EQ(less, block);
  void* beside = take_block(32 * kMb);  // both are in use now, so both may be kept
  give_block(less);
  give_block(beside);
  void* half = take_block(16 * kMb);
  EXPECT_NE(half, block);
  EXPECT_NE(half, beside);
  give_block(half);
}

TEST(BlockCache, LargeBlocksKeptDoNotRaiseThePeak) {
  keep_blocks(false);  // nothing is kept of other tests
  const Keeping keeping;
  void* first = take_block(400 * kMb);  // more than any test before has used
  give_block(first);
  void* second = take_block(200 * kMb);  // 600 would be more than was ever in use
  EXPECT_FALSE(is_mapped(first));
  give_block(second);
  EXPECT_TRUE(is_mapped(second));
  void* third = take_block(100 * kMb);
  EXPECT_TRUE(is_mapped(second));
  give_block(third);
  keep_blocks(false);
  EXPECT_FALSE(is_mapped(second));
  EXPECT_FALSE(is_mapped(third));
}

TEST(BlockCache, LargeBlocksThatAreNotKeptAreUnmapped) {
  void* block = nullptr;
  {
    const Keeping keeping;
    block = take_block(16 * kMb);
  }
  EXPECT_TRUE(is_mapped(block));
  give_block(block);
  EXPECT_FALSE(is_mapped(block));
}

TEST(BlockCache, TakesBackBlocksOfMallocThatBeginWhereLargeOnesDo) {
  for (const bool keep : {false, true}) {
    keep_blocks(keep);
    give_block(std::aligned_alloc(2 * kMb, 16 * kMb));  // a leak or a crash would be the sign
  }
  keep_blocks(false);
}

TEST(BlockCache, TakesFromMallocWhatIsMoreThanTheMostMappings) {
  const Keeping keeping;
  std::vector<void*> blocks(5000);
  for (void*& block : blocks) {
    block = take_block(4 * kMb);
    ASSERT_NE(block, nullptr);
  }
  for (void* block : blocks) give_block(block);
}

TEST(BlockCache, BlocksMayBeGivenBackByAnotherThread) {
  const Keeping keeping;
  std::vector<void*> blocks(100);
  std::jthread([&] {
    for (void*& block : blocks) block = take_block(&block == &blocks.front() ? 8 * kMb : 4096);
  }).join();
  std::jthread([&] {
    for (void* block : blocks) give_block(block);  // freed when the thread ends
  }).join();
}

}  // namespace
}  // namespace hgnet
