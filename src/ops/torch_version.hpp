// What differs between libtorch 1.13 and PyTorch 2.

#pragma once

#include <c10/core/Allocator.h>
#include <torch/csrc/autograd/function.h>
#include <torch/types.h>
#include <torch/version.h>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace hgnet::detail {

#if TORCH_VERSION_MAJOR >= 2

// Compilers trace operators with sizes that are symbols.
#define HGNET_SIZE "SymInt"
using Size = c10::SymInt;
inline Size size_of(const torch::Tensor& tensor, std::int64_t dim) { return tensor.sym_size(dim); }
inline Size to_size(const c10::IValue& value) { return value.toSymInt(); }

/// An allocator that has to give its blocks only.
class TensorAllocator : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) final { return block(bytes); }
  void copy_data(void* to, const void* from, std::size_t bytes) const final {
    default_copy_data(to, from, bytes);
  }

 private:
  virtual c10::DataPtr block(std::size_t bytes) const = 0;
};

#else

#define HGNET_SIZE "int"
using Size = std::int64_t;
inline Size size_of(const torch::Tensor& tensor, std::int64_t dim) { return tensor.size(dim); }
inline Size to_size(const c10::IValue& value) { return value.toInt(); }

class TensorAllocator : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) const final { return block(bytes); }

 private:
  virtual c10::DataPtr block(std::size_t bytes) const = 0;
};

#endif

/// A node of the graph of gradients, owned as this libtorch owns nodes: the later of PyTorch 2
/// count references in the node, the earlier free long chains of nodes with deleteNode.
template <class Node>
auto make_node(auto&&... arguments) {
  if constexpr (std::is_base_of_v<c10::intrusive_ptr_target, Node>) {
    return c10::make_intrusive<Node>(std::forward<decltype(arguments)>(arguments)...);
  } else {
    return std::shared_ptr<Node>(new Node(std::forward<decltype(arguments)>(arguments)...),
                                 [](Node* node) { deleteNode(node); });
  }
}

/// A pointer that does not keep the node alive.
template <class Node>
auto weak(const std::shared_ptr<Node>& node) {
  return std::weak_ptr<Node>(node);
}
template <class Node>
auto weak(const c10::intrusive_ptr<Node>& node) {
  return c10::weak_intrusive_ptr<Node>(node);
}

}  // namespace hgnet::detail
