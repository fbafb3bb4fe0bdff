// The library's values as objects that Python holds (TorchBind).

#pragma once

#include <torch/custom_class.h>
#include <torch/types.h>

#include <memory>
#include <string>
#include <vector>

#include "hgnet/data/batches.hpp"
#include "hgnet/data/dataset.hpp"
#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/hierarchy.hpp"
#include "hgnet/models/model.hpp"

namespace hgnet::python {

/// An edge list, the graph made of it, and the slot of each edge of the list.
struct GraphObject : torch::CustomClassHolder {
  GraphObject(const torch::Tensor& edge_index, std::int64_t num_nodes,
              const torch::optional<torch::Tensor>& weight,
              const torch::optional<torch::Tensor>& edge_rows);
  /// The list is the graph's own: slot by slot.
  explicit GraphObject(Graph own);

  /// Numbers [E] by edge of the list, summed by slot; undefined: 1 for each edge. The result is
  /// undefined if all are 1.
  torch::Tensor by_slot(const torch::Tensor& values, torch::ScalarType type) const;

  Graph graph;
  torch::Tensor slot;        // int64 [E]
  bool listed_once = false;  // each slot by exactly one edge
};

/// A graph, or several joined into one, prepared for a model: see Model::prepare.
struct PreparedObject : torch::CustomClassHolder {
  PreparedObject(Hierarchy prepared, ParentMap graphs)
      : hierarchy(std::move(prepared)), graph_of_node(std::move(graphs)) {}

  Hierarchy hierarchy;
  ParentMap graph_of_node;
};

struct ModelObject : torch::CustomClassHolder {
  explicit ModelObject(std::shared_ptr<Model> own) : model(std::move(own)) {
    if (const auto parameters = model->parameters(); !parameters.empty()) first = parameters[0];
  }

  std::shared_ptr<Model> model;
  torch::Tensor first;  // of its parameters, undefined without any: to look for it takes long
};

struct DatasetObject : torch::CustomClassHolder {
  explicit DatasetObject(Dataset own) : dataset(std::make_shared<const Dataset>(std::move(own))) {}

  std::shared_ptr<const Dataset> dataset;
};

/// Batches of a data set, prepared for one model.
struct SourceObject : torch::CustomClassHolder {
  SourceObject(const c10::intrusive_ptr<DatasetObject>& data,
               const c10::intrusive_ptr<ModelObject>& model);

  std::shared_ptr<const Dataset> dataset;
  BatchSource source;
};

/// The batches of a source in order, joined by a thread that keeps some ready.
struct StreamObject : torch::CustomClassHolder {
  /// Splits the samples into batches of `size`.
  StreamObject(c10::intrusive_ptr<SourceObject> from, const torch::Tensor& samples,
               std::int64_t size);

  c10::intrusive_ptr<SourceObject> source;
  BatchStream stream;
};

void register_graph(torch::Library& library);
void register_model(torch::Library& library);
void register_dataset(torch::Library& library);

}  // namespace hgnet::python
