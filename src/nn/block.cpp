#include "hgnet/nn/block.hpp"

#include <algorithm>

#include "hgnet/graph/subgraph.hpp"

namespace hgnet {
namespace {

/// The end of the part that begins at a row: at least that row, and then as many as fit.
NodeId end_of_part(const Graph& graph, NodeId begin, std::int64_t at_a_time) {
  const std::span<const EdgeId> offsets = graph.offsets();
  NodeId end = begin + 1;
  while (end < graph.num_nodes() &&
         end + 1 - begin + offsets[end + 1] - offsets[begin] <= at_a_time)
    ++end;
  return end;
}

torch::Tensor to_index(std::span<const EdgeId> rows) {
  return torch::from_blob(const_cast<EdgeId*>(rows.data()), {std::ssize(rows)}, torch::kInt64);
}

/// Of the part's slots.
EdgeRows rows_of_part(const EdgeRows& edges, const Subgraph& part) {
  if (!edges.rows.defined()) return {};
  if (!edges.row_of_slot) return {edges.rows.index_select(0, to_index(part.slots))};
  std::vector<NodeId> row(part.slots.size());
  for (std::size_t s = 0; s < row.size(); ++s)
    row[s] = edges.row_of_slot->parents()[static_cast<std::size_t>(part.slots[s])];
  return {edges.rows, ParentMap(std::move(row), edges.row_of_slot->num_parents())};
}

/// Of the `count` nodes that the part is made for; its other nodes get no parent.
ParentRows parents_of_part(const ParentRows& parents, const Subgraph& part, NodeId count) {
  if (!parents.rows.defined()) return {};
  std::vector<NodeId> parent(part.nodes.size(), kNoNode);
  std::vector<EdgeId> rows;  // of the parents, ascending
  for (NodeId i = part.first; i < part.first + count; ++i) {
    parent[i] = parents.parent.parent(part.nodes[i]);
    if (parent[i] != kNoNode) rows.push_back(parent[i]);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (NodeId& p : parent) {
    if (p != kNoNode)
      p = static_cast<NodeId>(std::lower_bound(rows.begin(), rows.end(), p) - rows.begin());
  }
  return {parents.rows.index_select(0, to_index(rows)),
          ParentMap(std::move(parent), static_cast<NodeId>(rows.size()))};
}

}  // namespace

BlockImpl::BlockImpl(std::shared_ptr<GraphLayer> its_layer, const BlockOptions& options)
    : options_(options) {
  layer = register_module("layer", std::move(its_layer));
  tail = register_module("tail", Tail(layer->width(), options.tail));
}

torch::Tensor BlockImpl::forward(const LayerInput& input, Generator& generator,
                                 std::int64_t at_a_time) {
  const bool in_parts = at_a_time > 0 && !is_training() && !torch::GradMode::is_enabled() &&
                        input.graph.num_nodes() + input.graph.num_edges() > at_a_time;
  if (in_parts) return forward_in_parts(input, generator, at_a_time);
  const torch::Tensor z = layer->propagate(input, generator);
  return tail->forward(z, layer->bias, generator, rows_past(input.x, z));
}

/// The rows of a part depend on those of its nodes and of their neighbours.
torch::Tensor BlockImpl::forward_in_parts(const LayerInput& input, Generator& generator,
                                          std::int64_t at_a_time) {
  if (layer->hops() > 1)
    throw Error(layer->text() + " reaches " + std::to_string(layer->hops()) +
                " edges far; only layers that reach one can be computed in parts");
  const Graph& graph = input.graph;
  SubgraphCutter cutter(graph);
  torch::Tensor result =
      torch::empty({graph.num_nodes(), width()}, layer->parameters()[0].options());
  for (NodeId begin = 0; begin < graph.num_nodes();) {
    const NodeId end = end_of_part(graph, begin, at_a_time);
    const Subgraph part = cutter.around(begin, end);
    Features x = input.x.at(part.nodes);
    const torch::Tensor rows = forward({part.graph, x, rows_of_part(input.edges, part),
                                        parents_of_part(input.parents, part, end - begin)},
                                       generator);
    result.slice(0, begin, end).copy_(rows.slice(0, part.first, part.first + end - begin));
    begin = end;
  }
  return result;
}

torch::Tensor BlockImpl::rows_past(const Features& x, const torch::Tensor& z) const {
  if (!options_.residual) return {};
  if (options_.broadcast_residual && x.width() == 1)
    return x.times(torch::ones({z.size(1), 1}, z.options()));
  if (x.width() != z.size(1)) return {};
  return x.is_sparse() ? x.times(torch::eye(x.width(), z.options())) : x.dense();
}

std::string BlockImpl::text() const {
  return layer->text() + tail->text() +
         (options_.broadcast_residual ? ", residual (one column to all)"
          : options_.residual         ? ", residual"
                                      : "");
}

}  // namespace hgnet
