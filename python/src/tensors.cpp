#include "tensors.hpp"

#include <algorithm>
#include <limits>

namespace hgnet::python {
namespace {

Tensor float_copy(const char* op, const char* name, const Tensor& values, std::int64_t rows) {
  return checked_rows(op, name, values, rows).to(torch::kFloat32).contiguous();
}

std::vector<float> to_vector(const Tensor& values) {
  const auto* begin = values.data_ptr<float>();
  return {begin, begin + values.numel()};
}

Tensor from_floats(std::span<const float> values, torch::IntArrayRef shape) {
  Tensor result = torch::empty(shape, torch::kFloat32);
  std::copy(values.begin(), values.end(), result.data_ptr<float>());
  return result;
}

}  // namespace

NodeId checked_count(const char* op, const char* name, std::int64_t count) {
  TORCH_CHECK(count >= 0 && count < std::numeric_limits<NodeId>::max(), op, ": ", name,
              " must be in 0 .. ", std::numeric_limits<NodeId>::max() - 1, " (got ", count, ")");
  return static_cast<NodeId>(count);
}

Tensor checked_edge_index(const char* op, const Tensor& edge_index, std::int64_t num_nodes) {
  checked_count(op, "num_nodes", num_nodes);
  TORCH_CHECK(edge_index.device().is_cpu() && edge_index.layout() == torch::kStrided, op,
              ": edge_index must be a dense CPU tensor (got ", edge_index.options(), ")");
  TORCH_CHECK(edge_index.scalar_type() == torch::kLong, op, ": edge_index must be int64 (got ",
              edge_index.scalar_type(), ")");
  TORCH_CHECK(edge_index.dim() == 2 && edge_index.size(0) == 2, op,
              ": edge_index must have shape [2, edges] (got ", edge_index.sizes(), ")");
  Tensor result = edge_index.contiguous();
  const auto ids = numbers(result);
  const auto wrong = first_outside(ids, 0, num_nodes);
  TORCH_CHECK(wrong == ids.end(), op, ": edge_index holds node ", *wrong, ", but there are ",
              num_nodes, " nodes");
  return result;
}

Tensor checked_index(const char* op, const char* name, const Tensor& index, std::int64_t size) {
  TORCH_CHECK(index.device().is_cpu() && index.scalar_type() == torch::kLong && index.dim() == 1,
              op, ": ", name, " must be an int64 vector on the CPU (got ", index.options(), ", ",
              index.sizes(), ")");
  TORCH_CHECK(size < 0 || index.size(0) == size, op, ": ", name, " must have ", size,
              " entries (got ", index.size(0), ")");
  return index.contiguous();
}

Tensor checked_rows(const char* op, const char* name, const Tensor& rows, std::int64_t num_rows) {
  TORCH_CHECK(rows.device().is_cpu() && rows.layout() == torch::kStrided &&
                  (rows.scalar_type() == torch::kFloat32 || rows.scalar_type() == torch::kFloat64),
              op, ": ", name, " must be dense float32 or float64 on the CPU (got ", rows.options(),
              ")");
  TORCH_CHECK((rows.dim() == 1 || rows.dim() == 2) && rows.size(0) == num_rows, op, ": ", name,
              " must have shape [", num_rows, "] or [", num_rows, ", channels] (got ", rows.sizes(),
              ")");
  return rows.contiguous();
}

std::span<const std::int64_t> numbers(const Tensor& contiguous) {
  return {contiguous.data_ptr<std::int64_t>(), static_cast<std::size_t>(contiguous.numel())};
}

std::span<const std::int64_t>::iterator first_outside(std::span<const std::int64_t> ids,
                                                      std::int64_t low, std::int64_t high) {
  // One pass without branches, which compilers turn into vector instructions: a sign is set if
  // an id is outside.
  std::uint64_t signs = 0;
  for (const std::int64_t id : ids) {
    const auto bits = static_cast<std::uint64_t>(id);
    signs |=
        (bits - static_cast<std::uint64_t>(low)) | (static_cast<std::uint64_t>(high) - 1 - bits);
  }
  if (signs >> 63 == 0) return ids.end();
  return std::find_if(ids.begin(), ids.end(),
                      [=](std::int64_t id) { return id < low || id >= high; });
}

ParentMap to_map(const char* op, const Tensor& parent, std::int64_t num_parents) {
  const Tensor index = checked_index(op, "index", parent, -1);
  const NodeId parents = checked_count(op, "number of parents", num_parents);
  checked_count(op, "length of the index", index.numel());
  const auto ids = numbers(index);
  const auto wrong = first_outside(ids, -1, num_parents);
  TORCH_CHECK(wrong == ids.end(), op, ": index holds ", *wrong, " at ", wrong - ids.begin(),
              "; expected -1 (none) or 0 .. ", num_parents - 1);
  return {std::vector<NodeId>(ids.begin(), ids.end()), parents};
}

Graph to_graph(const char* op, const Tensor& edge_index, std::int64_t num_nodes,
               const optional<Tensor>& weight, SelfLoops self_loops,
               const optional<Tensor>& edge_rows) {
  const Tensor list = checked_edge_index(op, edge_index, num_nodes);
  const auto ids = numbers(list);
  const auto edges = static_cast<std::ptrdiff_t>(ids.size() / 2);
  EdgeList result;
  result.source.assign(ids.begin(), ids.begin() + edges);
  result.target.assign(ids.begin() + edges, ids.end());
  if (weight.has_value()) {
    const Tensor weights = float_copy(op, "edge_weight", *weight, edges);
    TORCH_CHECK(weights.dim() == 1, op, ": edge_weight must have shape [", edges, "] (got ",
                weights.sizes(), ")");
    result.weight = to_vector(weights);
  }
  if (edge_rows.has_value()) {
    const Tensor rows = float_copy(op, "edge_attr", *edge_rows, edges);
    result.rows = to_vector(rows);
    result.row_width = rows.dim() == 1 ? 1 : rows.size(1);
  }
  return Graph::from_edges(num_nodes, result, {self_loops, Merge::kMean});
}

Tensor to_edge_index(const Graph& graph) {
  Tensor result = torch::empty({2, graph.num_edges()}, torch::kLong);
  auto* source = result.data_ptr<std::int64_t>();
  std::copy(graph.columns().begin(), graph.columns().end(), source);
  auto* target = source + graph.num_edges();
  for (NodeId v = 0; v < graph.num_nodes(); ++v) target = std::fill_n(target, graph.degree(v), v);
  return result;
}

Tensor to_weights(const Graph& graph) {
  return from_floats(graph.weights(), {static_cast<std::int64_t>(graph.weights().size())});
}

Tensor to_edge_rows(const Graph& graph) {
  const std::int64_t width = graph.edge_row_width();
  return from_floats(graph.edge_rows(), {width == 0 ? 0 : graph.num_edges(), width});
}

}  // namespace hgnet::python
