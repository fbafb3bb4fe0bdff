#include "hgnet/train/probe.hpp"

#include <torch/csrc/autograd/autograd.h>

#include "hgnet/config/model_table.hpp"
#include "hgnet/graph/algorithms.hpp"
#include "train/not_finite.hpp"

namespace hgnet {
namespace {

using torch::Tensor;

/// X itself, or a sparse matrix made dense.
Tensor dense_rows(const Features& x) {
  return x.is_sparse() ? x.times(torch::eye(x.width())) : x.dense();
}

/// By node u: sum over outputs and features of |d y_vc / d x_uf|.
Tensor absolute_jacobian(const Tensor& row, const Tensor& x) {
  Tensor sum = torch::zeros({x.size(0)}, torch::kFloat64);
  for (std::int64_t c = 0; c < row.size(0); ++c) {
    const auto grad =
        torch::autograd::grad({row[c]}, {x}, {}, /*retain_graph=*/true, /*create_graph=*/false,
                              /*allow_unused=*/true);
    if (grad.front().defined()) sum += grad.front().abs().sum(1).to(torch::kFloat64);
  }
  return sum;
}

}  // namespace

void probe(Model& model, const Input& input, std::span<const NodeId> targets,
           Influence& influence) {
  if (model_row(model.config().model).yardstick())
    throw Error("probe: " + model.config().model + " has no rows of nodes that depend on others");
  model.eval();
  std::vector<double>& rho = influence.rho.emplace_back();
  const Tensor x = dense_rows(input.x).detach().clone().requires_grad_();
  const Tensor rows = model.node_rows({x, input.hierarchy, input.graph_of_node});
  if (!all_finite(rows))
    throw NotFinite("the model's rows are not finite; the first value that is not finite is in " +
                    where_not_finite(model, input));
  for (const NodeId target : targets) {
    const Tensor jacobian = absolute_jacobian(rows[target], x) / static_cast<double>(rows.size(1));
    if (!all_finite(jacobian))
      throw NotFinite("the gradient of the row of node " + std::to_string(target) +
                      " is not finite");
    const double* values = jacobian.data_ptr<double>();
    const std::vector<std::int32_t> distance =
        breadth_first_distances(input.hierarchy.graph(0), target);
    double weighted = 0;
    double sum = 0;
    for (std::size_t u = 0; u < distance.size(); ++u) {
      if (distance[u] < 0) continue;
      weighted += values[u] * distance[u];
      sum += values[u];
      const auto d = static_cast<std::size_t>(distance[u]);
      if (d >= influence.mean.size()) {
        influence.mean.resize(d + 1, 0.0);
        influence.pairs.resize(d + 1, 0);
      }
      ++influence.pairs[d];
      influence.mean[d] +=
          (values[u] - influence.mean[d]) / static_cast<double>(influence.pairs[d]);
    }
    rho.push_back(sum > 0 ? weighted / sum : 0.0);
  }
}

}  // namespace hgnet
