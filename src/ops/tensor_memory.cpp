#include "hgnet/ops/tensor_memory.hpp"

#include <cstdint>
#include <new>

#include "hgnet/core/block_cache.hpp"
#include "ops/torch_version.hpp"

namespace hgnet {
namespace {

class BlockAllocator : public detail::TensorAllocator {
 public:
  c10::DeleterFnPtr raw_deleter() const override { return &give_block; }

 private:
  c10::DataPtr block(std::size_t bytes) const override {
    if (bytes == 0) return {nullptr, nullptr, &give_block, c10::Device(c10::kCPU)};
    void* taken = take_block(bytes);
    if (taken == nullptr) throw std::bad_alloc();
    return {taken, taken, &give_block, c10::Device(c10::kCPU)};
  }
};

}  // namespace

void cache_tensor_memory() {
  constexpr std::uint8_t kBeforeDefault = 1;
  static BlockAllocator allocator;
  c10::SetAllocator(c10::kCPU, &allocator, kBeforeDefault);
}

}  // namespace hgnet
