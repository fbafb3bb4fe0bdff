#pragma once

#include <cstdint>
#include <vector>

#include "hgnet/models/model.hpp"

namespace hgnet {

/// How strongly a model's row of a node depends on the input of nodes at distance d.
struct Influence {
  std::vector<double> mean;         // by distance: mean of |J|, see probe()
  std::vector<std::int64_t> pairs;  // number of node pairs in the mean
  /// By call of probe() and target: the mean distance of the nodes it depends on, weighted by |J|.
  std::vector<std::vector<double>> rho;
};

/// Adds to `influence`, for each target node v and every node u connected to it, at breadth-first
/// distance d:
///   |J|_vu = sum over outputs c and features f of |d y_vc / d x_uf|, over the number of outputs,
/// where y are the rows of the nodes before readout (for node tasks, the predictions). Puts the
/// model into evaluation mode. The choice of contracted edges or kept nodes is treated as constant,
/// as in training. Sparse features are made dense for this. Further adds
///   rho_v = sum over u of |J|_vu d(u, v) / sum over u of |J|_vu,
/// 0 for a row that depends on nothing. Throws Error for models that see no edges, and
/// NotFinite, naming the layer, if rows or their gradients are not finite.
void probe(Model& model, const Input& input, std::span<const NodeId> targets, Influence& influence);

}  // namespace hgnet
