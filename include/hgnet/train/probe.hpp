#pragma once

#include <cstdint>
#include <vector>

#include "hgnet/models/model.hpp"

namespace hgnet {

/// How strongly a model's row of a node depends on the input of nodes at distance d.
struct Influence {
  std::vector<double> mean;         // by distance: mean of |J|, see probe()
  std::vector<std::int64_t> pairs;  // how many pairs of nodes that is over
};

/// Adds to `influence`, for each of `targets` v and every node u that v is joined with by a path, at breadth-first distance d:
///   |J|_vu = sum over outputs c and features f of |d y_vc / d x_uf|, over the number of outputs,
/// where y are the rows of the nodes before readout (for node tasks the predictions). The model is put into evaluation mode;
/// the choice of contracted edges or kept nodes counts as constant, as in training. Sparse features are made dense for this.
void probe(Model& model, const Input& input, std::span<const NodeId> targets, Influence& influence);

}  // namespace hgnet
