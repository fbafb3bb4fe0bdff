#pragma once

#include "hgnet/ops/spmm.hpp"
#include "support/gradients.hpp"

namespace hgnet::test {

/// What is constant in a call of a sparse op, in float64.
struct Matrix {
  Graph graph;
  torch::Tensor values;
  torch::Tensor diagonal;
  bool symmetric = false;

  SparseOperator in(torch::ScalarType type) const {
    return {graph, values.defined() ? values.to(type) : values,
            diagonal.defined() ? diagonal.to(type) : diagonal, symmetric};
  }
};

inline Matrix random_matrix(const Graph& graph) {
  return {graph, random_tensor({graph.num_edges()}, 1), random_tensor({graph.num_nodes()}, 2)};
}

}  // namespace hgnet::test
