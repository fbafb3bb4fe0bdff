#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "hgnet/graph/parent_map.hpp"
#include "hgnet/nn/linear.hpp"
#include "hgnet/nn/tail.hpp"

namespace hgnet {

struct VirtualNodeOptions {
  std::int64_t width = 0;
  Norm norm = Norm::kNone;
  double dropout = 0;
  bool residual = false;  // vn is added to the result
};

/// vn' = [vn +] dropout(MLP(vn + sum of the graph's node rows)), MLP: C -> 2C -> C, [BatchNorm] and
/// ReLU after both.
class VirtualNodeImpl : public torch::nn::Module {
 public:
  VirtualNodeImpl(const VirtualNodeOptions& options, Generator& generator);
  /// vn [graphs, C], rows [nodes, C].
  torch::Tensor forward(const torch::Tensor& vn, const torch::Tensor& rows,
                        const ParentMap& graph_of_node, Generator& generator) const;
  std::string text() const;

  Linear first{nullptr};
  Tail first_tail{nullptr};
  Linear second{nullptr};
  Tail second_tail{nullptr};

 private:
  bool residual_;
};
TORCH_MODULE(VirtualNode);

}  // namespace hgnet
