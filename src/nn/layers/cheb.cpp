#include "hgnet/nn/layers/cheb.hpp"

#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"
#include "hgnet/nn/init.hpp"
#include "hgnet/ops/gcn_norm.hpp"
#include "hgnet/ops/graph_linear.hpp"

namespace hgnet {
namespace {

/// -L~ = D^-1/2 A D^-1/2.
SparseOperator scaled_adjacency(const Graph& graph, torch::ScalarType type) {
  return gcn_operator(graph, SelfLoopFill::kNone, type);
}

}  // namespace

ChebLayerImpl::ChebLayerImpl(const ChebOptions& options, Generator& generator) : options_(options) {
  if (options.order < 1) throw Error("cheb: the order K must be at least 1");
  weight = register_parameter("weight", init::glorot({options.order * options.out, options.in},
                                                     options.in, options.out, generator));
  bias = register_parameter("bias", torch::zeros({options.out}, torch::kFloat32));
}

torch::Tensor ChebLayerImpl::propagate(const LayerInput& input, Generator&) {
  auto& [graph, x, edges, parents] = input;
  if (options_.order == 1) return x.times(weight);
  if (options_.order == 2) return two_terms(graph, x);
  if (!x.is_sparse() && options_.in < options_.out) return polynomials_first(graph, x.dense());
  return products_first(graph, x.times(weight));
}

/// X W_0 + L~ X W_1.
torch::Tensor ChebLayerImpl::two_terms(const Graph& graph, Features& x) const {
  const SparseOperator m = scaled_adjacency(graph, weight.scalar_type());
  const SparseOperator l{graph, -m.values, {}, true};
  if (!x.is_sparse() && worth_graph_linear(options_.in, options_.out))
    return x.keep_rows(graph_linear(l, x.dense(), weight, {.root = true}));
  return split_spmm(l, x.times(weight));
}

/// [T_0 X | T_1 X | ...] times all weights at once.
torch::Tensor ChebLayerImpl::polynomials_first(const Graph& graph, const torch::Tensor& x) const {
  const SparseOperator m = scaled_adjacency(graph, weight.scalar_type());
  std::vector<torch::Tensor> t{x, -spmm(m, x)};
  while (static_cast<int>(t.size()) < options_.order)
    t.push_back(-2 * spmm(m, t.back()) - t[t.size() - 2]);
  const torch::Tensor stacked = weight.view({options_.order, options_.out, options_.in})
                                    .transpose(0, 1)
                                    .reshape({options_.out, options_.order * options_.in});
  return torch::cat(t, 1).mm(stacked.t());
}

/// With Y_k = X W_k: b_k = Y_k + 2 L~ b_{k+1} - b_{k+2}, and the result is Y_0 + L~ b_1 - b_2.
torch::Tensor ChebLayerImpl::products_first(const Graph& graph,
                                            const torch::Tensor& products) const {
  const SparseOperator m = scaled_adjacency(graph, weight.scalar_type());
  const auto y = products.chunk(options_.order, 1);
  torch::Tensor above = torch::zeros_like(y[0]);
  torch::Tensor b = y[options_.order - 1];
  for (int k = options_.order - 2; k > 0; --k) {
    torch::Tensor next = y[k] - 2 * spmm(m, b) - above;
    above = b;
    b = next;
  }
  return y[0] - spmm(m, b) - above;
}

std::string ChebLayerImpl::text() const {
  return "cheb " + widths(options_.in, options_.out) + " (K = " + std::to_string(options_.order) +
         ")";
}

}  // namespace hgnet
