#include <torch/library.h>

#include <algorithm>

#include "classes.hpp"
#include "hgnet/coarsening/build.hpp"
#include "hgnet/coarsening/methods.hpp"
#include "tensors.hpp"

namespace hgnet::python {
namespace {

using GraphPointer = c10::intrusive_ptr<GraphObject>;

/// The graphs G_0 .. G_L and the parents in between. `levels` < 0: until one node is left of each
/// component, or nothing more can be merged.
std::tuple<std::vector<GraphPointer>, std::vector<Tensor>> hierarchy(const GraphPointer& input,
                                                                     const std::string& coarsening,
                                                                     std::int64_t levels,
                                                                     std::int64_t seed, bool best) {
  CoarsenOptions options;
  options.seed = static_cast<std::uint64_t>(seed);
  options.partition = best ? Partition::kBest : Partition::kFirstPass;
  const int depth = levels < 0 ? kFullDepth : static_cast<int>(std::min<std::int64_t>(levels, 64));
  const Hierarchy built = build_hierarchy(
      input->graph, depth, coarsen_step(enum_value<Coarsening>(coarsening), options));
  std::vector<GraphPointer> graphs{input};
  std::vector<Tensor> parents;
  for (int level = 0; level < built.num_levels(); ++level) {
    parents.push_back(to_tensor(built.parent(level).parents()));
    graphs.push_back(c10::make_intrusive<GraphObject>(built.graph(level + 1)));
  }
  return {graphs, parents};
}

}  // namespace

GraphObject::GraphObject(const Tensor& edge_index, std::int64_t num_nodes,
                         const optional<Tensor>& weight, const optional<Tensor>& edge_rows)
    : graph(to_graph("Graph", edge_index, num_nodes, weight, SelfLoops::kKeep, edge_rows)) {
  const Tensor list = edge_index.contiguous();
  const std::int64_t num_edges = list.size(1);
  const auto* source = list.data_ptr<std::int64_t>();
  slot = torch::empty({num_edges}, torch::kLong);
  auto* slots = slot.data_ptr<std::int64_t>();
  std::vector<bool> listed(graph.num_edges());
  listed_once = num_edges == graph.num_edges();
  const auto columns = graph.columns().begin();
  for (std::int64_t e = 0; e < num_edges; ++e) {
    const std::int64_t row = source[num_edges + e];
    const auto begin = columns + graph.offsets()[row];
    const auto end = columns + graph.offsets()[row + 1];
    slots[e] = std::lower_bound(begin, end, static_cast<NodeId>(source[e])) - columns;
    if (listed[slots[e]]) listed_once = false;
    listed[slots[e]] = true;
  }
}

GraphObject::GraphObject(Graph own)
    : graph(std::move(own)),
      slot(torch::arange(graph.num_edges(), torch::kLong)),
      listed_once(true) {}

Tensor GraphObject::by_slot(const Tensor& values, torch::ScalarType type) const {
  if (!values.defined() && listed_once) return {};
  const Tensor given = values.defined() ? values : torch::ones({slot.size(0)}, type);
  return torch::zeros({graph.num_edges()}, type).index_add(0, slot, given);
}

void register_graph(torch::Library& library) {
  library.class_<GraphObject>("Graph")
      .def(torch::init([](const Tensor& edge_index, std::int64_t num_nodes,
                          const optional<Tensor>& weight, const optional<Tensor>& edge_rows) {
        return c10::make_intrusive<GraphObject>(edge_index, num_nodes, weight, edge_rows);
      }))
      .def("num_nodes", [](const GraphPointer& g) { return std::int64_t{g->graph.num_nodes()}; })
      .def("num_edges", [](const GraphPointer& g) { return std::int64_t{g->graph.num_edges()}; })
      .def("edge_index", [](const GraphPointer& g) { return to_edge_index(g->graph); })
      .def("edge_weight", [](const GraphPointer& g) { return to_weights(g->graph); })
      .def("edge_rows", [](const GraphPointer& g) { return to_edge_rows(g->graph); })
      .def("slot", [](const GraphPointer& g) { return g->slot; });
  library.def("hierarchy", hierarchy);
}

}  // namespace hgnet::python
