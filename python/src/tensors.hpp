// Tensors as PyTorch Geometric has them, to and from the library's values. Shapes and ids are
// checked here, so what reaches the library is well-formed.

#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet::python {

using torch::optional;
using torch::Tensor;

/// A contiguous copy or the tensor itself; throws c10::Error unless it is int64 [2, E] on the CPU,
/// with ids of nodes.
Tensor checked_edge_index(const char* op, const Tensor& edge_index, std::int64_t num_nodes);

/// A contiguous int64 vector of `size` entries; `size` < 0: of any length.
Tensor checked_index(const char* op, const char* name, const Tensor& index, std::int64_t size);

/// A contiguous tensor of floats or doubles with `rows` rows and one or two dimensions.
Tensor checked_rows(const char* op, const char* name, const Tensor& rows, std::int64_t num_rows);

/// Throws c10::Error for a negative count and for one that a NodeId cannot hold.
NodeId checked_count(const char* op, const char* name, std::int64_t count);

std::span<const std::int64_t> numbers(const Tensor& contiguous);

/// The first id that is not one of low .. high - 1, or the end.
std::span<const std::int64_t>::iterator first_outside(std::span<const std::int64_t> ids,
                                                      std::int64_t low, std::int64_t high);

/// `parent` int64 [N]; -1: none.
ParentMap to_map(const char* op, const Tensor& parent, std::int64_t num_parents);

/// A list may hold an edge in one direction or in both, and several times; the graph has both. Of
/// weights of the same edge the mean counts.
Graph to_graph(const char* op, const Tensor& edge_index, std::int64_t num_nodes,
               const optional<Tensor>& weight, SelfLoops self_loops = SelfLoops::kKeep,
               const optional<Tensor>& edge_rows = {});

/// [2, slots]: sources and targets, slot by slot.
Tensor to_edge_index(const Graph& graph);
/// [slots], or [slots, width]; empty if the graph has none.
Tensor to_weights(const Graph& graph);
Tensor to_edge_rows(const Graph& graph);

template <class T>
Tensor to_tensor(std::span<const T> ids) {
  Tensor result = torch::empty({static_cast<std::int64_t>(ids.size())}, torch::kLong);
  std::copy(ids.begin(), ids.end(), result.data_ptr<std::int64_t>());
  return result;
}

}  // namespace hgnet::python
