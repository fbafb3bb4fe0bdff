#include "hgnet/ops/tensor_memory.hpp"

#include <c10/core/Allocator.h>

#include <cstdint>
#include <new>

#include "hgnet/core/block_cache.hpp"

namespace hgnet {
namespace {

class BlockAllocator : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) const override {
    if (bytes == 0) return {nullptr, nullptr, &give_block, c10::Device(c10::kCPU)};
    void* block = take_block(bytes);
    if (block == nullptr) throw std::bad_alloc();
    return {block, block, &give_block, c10::Device(c10::kCPU)};
  }

  c10::DeleterFnPtr raw_deleter() const override { return &give_block; }
};

}  // namespace

void cache_tensor_memory() {
  constexpr std::uint8_t kBeforeDefault = 1;
  static BlockAllocator allocator;
  c10::SetAllocator(c10::kCPU, &allocator, kBeforeDefault);
}

}  // namespace hgnet
