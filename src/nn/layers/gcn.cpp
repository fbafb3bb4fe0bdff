#include "hgnet/nn/layers/gcn.hpp"

#include "hgnet/core/text.hpp"
#include "hgnet/nn/init.hpp"
#include "hgnet/ops/gcn_norm.hpp"
#include "hgnet/ops/graph_linear.hpp"

namespace hgnet {

GcnLayerImpl::GcnLayerImpl(const GcnOptions& options, Generator& generator) : options_(options) {
  weight = register_parameter(
      "weight", init::glorot({options.out, options.in}, options.in, options.out, generator));
  bias = register_parameter("bias", torch::zeros({options.out}, torch::kFloat32));
}

torch::Tensor GcnLayerImpl::propagate(const LayerInput& input, Generator&) {
  auto& [graph, x, edges, parents] = input;
  const SparseOperator m = gcn_operator(graph, options_.fill, weight.scalar_type());
  if (!x.is_sparse() && worth_graph_linear(options_.in, options_.out))
    return x.keep_rows(graph_linear(m, x.dense(), weight));
  return spmm(m, x.times(weight));
}

std::string GcnLayerImpl::text() const {
  return (options_.fill == SelfLoopFill::kTwo ? "gcn (A + 2I) " : "gcn ") +
         widths(options_.in, options_.out);
}

}  // namespace hgnet
