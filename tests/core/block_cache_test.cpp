#include "hgnet/core/block_cache.hpp"

#include <gtest/gtest.h>

#include <cstdint>
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

TEST(BlockCache, BlocksMayBeGivenBackByAnotherThread) {
  const Keeping keeping;
  std::vector<void*> blocks(100);
  std::jthread([&] {
    for (void*& block : blocks) block = take_block(4096);
  }).join();
  std::jthread([&] {
    for (void* block : blocks) give_block(block);  // freed when the thread ends
  }).join();
}

}  // namespace
}  // namespace hgnet
