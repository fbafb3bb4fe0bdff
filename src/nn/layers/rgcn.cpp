#include "hgnet/nn/layers/rgcn.hpp"

#include "hgnet/core/text.hpp"
#include "hgnet/nn/features.hpp"
#include "hgnet/nn/init.hpp"
#include "hgnet/ops/graph_linear.hpp"

namespace hgnet {
namespace {

/// A with a self-loop at every node that has none; `mean`: rows divided by their number of entries.
SparseOperator level_operator(const Graph& graph, Aggregation aggregation, torch::ScalarType type) {
  if (aggregation == Aggregation::kSum && graph.num_self_loops() == 0)
    return sum_operator(graph, type);
  std::vector<double> values(graph.num_edges(), 1.0);
  std::vector<double> diagonal(graph.num_nodes());
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    diagonal[v] = graph.has_edge(v, v) ? 0.0 : 1.0;
    if (aggregation == Aggregation::kSum) continue;
    const double share = 1 / (static_cast<double>(graph.degree(v)) + diagonal[v]);
    diagonal[v] *= share;
    for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) values[s] = share;
  }
  return {graph, torch::tensor(values, type), torch::tensor(diagonal, type),
          aggregation == Aggregation::kSum};
}

}  // namespace

RgcnLayerImpl::RgcnLayerImpl(const RgcnOptions& options, Generator& generator) : options_(options) {
  weight = register_parameter(
      "weight", init::glorot({2 * options.out, options.in}, options.in, options.out, generator));
  parent_weight = register_parameter(
      "parent_weight", init::glorot({options.out, options.in}, options.in, options.out, generator));
  bias = register_parameter("bias", torch::zeros({options.out}, torch::kFloat32));
}

torch::Tensor RgcnLayerImpl::propagate(const LayerInput& input, Generator&) {
  const torch::Tensor& x = input.x.dense();
  const ParentRows& parents = input.parents;
  const ParentRows products{Features(parents.rows).times(parent_weight), parents.parent};
  const SparseOperator m = level_operator(input.graph, options_.aggregation, x.scalar_type());
  if (worth_graph_linear(options_.in, options_.out))
    return graph_linear(m, x, weight, {.root = true, .parents = &products}).y;
  return split_spmm(m, Features(x).times(weight), &products);
}

std::string RgcnLayerImpl::text() const {
  return "rgcn " + widths(options_.in, options_.out) +
         (options_.aggregation == Aggregation::kMean ? " (mean)" : "");
}

}  // namespace hgnet
