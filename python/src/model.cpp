#include <torch/library.h>

#include <algorithm>

#include "classes.hpp"
#include "hgnet/config/preparation.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/models/archive.hpp"
#include "hgnet/ops/tensor_memory.hpp"
#include "tensors.hpp"

namespace hgnet::python {
namespace {

using GraphPointer = c10::intrusive_ptr<GraphObject>;
using ModelPointer = c10::intrusive_ptr<ModelObject>;
using PreparedPointer = c10::intrusive_ptr<PreparedObject>;
using Tensors = c10::Dict<std::string, Tensor>;

template <class Items>
Tensors by_name(const Items& items) {
  Tensors result;
  for (const auto& item : items) result.insert(item.key(), item.value());
  return result;
}

/// The part of the union that consists of the nodes first .. last - 1.
Graph part_of(const Graph& all, NodeId first, NodeId last) {
  const EdgeId begin = all.offsets()[first];
  const EdgeId end = all.offsets()[last];
  GraphParts parts;
  parts.offsets.clear();
  for (NodeId v = first; v <= last; ++v) parts.offsets.push_back(all.offsets()[v] - begin);
  for (EdgeId s = begin; s < end; ++s) parts.columns.push_back(all.columns()[s] - first);
  if (all.has_weights())
    parts.weights.assign(all.weights().begin() + begin, all.weights().begin() + end);
  parts.edge_row_width = all.edge_row_width();
  if (!all.edge_rows().empty())
    parts.edge_rows.assign(all.edge_rows().begin() + begin * parts.edge_row_width,
                           all.edge_rows().begin() + end * parts.edge_row_width);
  return Graph::adopt(std::move(parts));
}

/// Throws c10::Error unless the graphs' numbers ascend and no edge joins two of them.
void check_batch(const Graph& graph, const ParentMap& graph_of_node) {
  const auto graphs = graph_of_node.parents();
  TORCH_CHECK(std::is_sorted(graphs.begin(), graphs.end()) && (graphs.empty() || graphs[0] >= 0),
              "prepare: batch must ascend from 0");
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (const NodeId u : graph.neighbours(v))
      TORCH_CHECK(graphs[u] == graphs[v], "prepare: the edge ", u, " - ", v, " joins graphs ",
                  graphs[u], " and ", graphs[v], " of the batch");
  }
}

/// Each graph of a batch is prepared alone, so its levels do not depend on the others.
Hierarchy prepare_each(const Model& model, const Graph& graph, const ParentMap& graph_of_node) {
  std::vector<Hierarchy> parts;
  NodeId first = 0;
  for (NodeId g = 0; g < graph_of_node.num_parents(); ++g) {
    const NodeId last = first + static_cast<NodeId>(graph_of_node.members(g).size());
    parts.push_back(model.prepare(part_of(graph, first, last)));
    first = last;
  }
  std::vector<const Hierarchy*> pointers;
  for (const Hierarchy& part : parts) pointers.push_back(&part);
  return Hierarchy::joined(pointers);
}

PreparedPointer prepare(const ModelPointer& model, const GraphPointer& graph,
                        const optional<Tensor>& batch, std::int64_t num_graphs) {
  const Tensor zeros = torch::zeros({graph->graph.num_nodes()}, torch::kLong);
  const Tensor graphs =
      checked_index("prepare", "batch", batch.value_or(zeros), graph->graph.num_nodes());
  const ParentMap graph_of_node = to_map("prepare", graphs, num_graphs);
  check_batch(graph->graph, graph_of_node);
  const bool alone = num_graphs == 1 || preparation_of(model->model->config()).levels == 0;
  return c10::make_intrusive<PreparedObject>(
      alone ? model->model->prepare(graph->graph)
            : prepare_each(*model->model, graph->graph, graph_of_node),
      graph_of_node);
}

Input input_of(const ModelPointer& model, const Tensor& x, const PreparedPointer& prepared,
               bool training) {
  const Tensor& first = model->first;
  TORCH_CHECK(x.device().is_cpu() && x.dim() == 2, "model: x must have shape [nodes, ",
              model->model->config().inputs, "] on the CPU (got ", x.options(), ", ", x.sizes(),
              ")");
  TORCH_CHECK(!first.defined() || x.scalar_type() == first.scalar_type(), "model: x is ",
              x.scalar_type(), ", the weights are ", first.scalar_type());
  if (model->model->is_training() != training) model->model->train(training);
  return {Features(x), prepared->hierarchy, prepared->graph_of_node};
}

Tensor forward(const ModelPointer& model, const Tensor& x, const PreparedPointer& prepared,
               bool training) {
  return model->model->forward(input_of(model, x, prepared, training));
}

Tensor node_rows(const ModelPointer& model, const Tensor& x, const PreparedPointer& prepared,
                 bool training) {
  return model->model->node_rows(input_of(model, x, prepared, training));
}

/// What dropout is drawn from, as four integers.
Tensor generator_state(const ModelPointer& model) {
  Tensor state = torch::empty({4}, torch::kLong);
  const auto& words = model->model->generator().state();
  std::copy(words.begin(), words.end(), state.data_ptr<std::int64_t>());
  return state;
}

void set_generator_state(const ModelPointer& model, const Tensor& state) {
  const auto words = numbers(checked_index("set_generator_state", "state", state, 4));
  Generator::State own{};
  std::copy(words.begin(), words.end(), own.begin());
  model->model->generator().set_state(own);
}

/// A name's settings as JSON, for Python to change.
std::string model_settings(const std::string& name) { return to_json(model_defaults(name)); }

ModelPointer load_file(const std::string& file) {
  return c10::make_intrusive<ModelObject>(load_model(file));
}

}  // namespace

void register_model(torch::Library& library) {
  library.class_<PreparedObject>("Prepared")
      .def("num_nodes",
           [](const PreparedPointer& p) { return std::int64_t{p->hierarchy.graph(0).num_nodes()}; })
      .def("num_graphs",
           [](const PreparedPointer& p) { return std::int64_t{p->graph_of_node.num_parents()}; })
      .def("num_levels",
           [](const PreparedPointer& p) { return std::int64_t{p->hierarchy.num_levels()}; })
      .def("graph_of_node",
           [](const PreparedPointer& p) { return to_tensor(p->graph_of_node.parents()); });
  library.class_<ModelObject>("Model")
      .def(torch::init([](const std::string& json, std::int64_t seed) {
        return c10::make_intrusive<ModelObject>(
            make_model(model_config_from_json(json), static_cast<std::uint64_t>(seed)));
      }))
      .def("settings", [](const ModelPointer& m) { return to_json(m->model->config()); })
      .def("parameters",
           [](const ModelPointer& m) { return by_name(m->model->named_parameters()); })
      .def("buffers", [](const ModelPointer& m) { return by_name(m->model->named_buffers()); })
      .def("describe", [](const ModelPointer& m) { return m->model->describe(); })
      .def("prepare", prepare)
      .def("forward", forward)
      .def("node_rows", node_rows)
      .def("generator_state", generator_state)
      .def("set_generator_state", set_generator_state)
      .def("save",
           [](const ModelPointer& m, const std::string& file) { save_model(*m->model, file); });
  library.def("model_settings", model_settings);
  library.def("model_names", [] { return model_names(); });
  library.def("load_model", load_file);
  library.def("keep_freed_memory", [] {
    hgnet::keep_freed_memory();
    cache_tensor_memory();
  });
}

}  // namespace hgnet::python
