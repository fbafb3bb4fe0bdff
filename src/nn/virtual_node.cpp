#include "hgnet/nn/virtual_node.hpp"

#include "hgnet/core/text.hpp"
#include "hgnet/ops/segment.hpp"

namespace hgnet {

VirtualNodeImpl::VirtualNodeImpl(const VirtualNodeOptions& o, Generator& generator)
    : residual_(o.residual) {
  first = register_module("first", Linear(o.width, 2 * o.width, generator));
  first_tail =
      register_module("first_tail", Tail(2 * o.width, TailOptions{o.norm, Activation::kRelu, 0.0}));
  second = register_module("second", Linear(2 * o.width, o.width, generator));
  second_tail = register_module("second_tail",
                                Tail(o.width, TailOptions{o.norm, Activation::kRelu, o.dropout}));
}

torch::Tensor VirtualNodeImpl::forward(const torch::Tensor& vn, const torch::Tensor& rows,
                                       const ParentMap& graph_of_node, Generator& generator) const {
  const torch::Tensor sum = vn + segment_sum(rows, graph_of_node);
  const torch::Tensor hidden =
      first_tail->forward(Features(sum).times(first->weight), first->bias, generator);
  const torch::Tensor residual = residual_ ? vn.contiguous() : torch::Tensor();
  return second_tail->forward(Features(hidden).times(second->weight), second->bias, generator,
                              residual);
}

std::string VirtualNodeImpl::text() const {
  const std::int64_t width = first->weight.size(1);
  return "mlp " + widths(width, 2 * width) + first_tail->text() + " -> " + std::to_string(width) +
         second_tail->text() + (residual_ ? ", residual" : "");
}

}  // namespace hgnet
