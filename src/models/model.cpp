#include "hgnet/models/model.hpp"

#include <ATen/Parallel.h>

#include <numeric>

#include "hgnet/config/preparation.hpp"
#include "hgnet/core/text.hpp"
#include "hgnet/graph/wl.hpp"
#include "hgnet/models/hgnet.hpp"
#include "hgnet/nn/pools/top_k_pool.hpp"
#include "hgnet/nn/tail.hpp"
#include "hgnet/ops/segment.hpp"

namespace hgnet {
namespace {

/// How the network of a model is made: the other half of the table of models, which needs no torch.
struct NetworkRow {
  Frame frame;
  std::shared_ptr<Network> (*make)(const ModelConfig&, std::int64_t outputs, Generator&);
};

template <HgnetParts (*parts)(const ModelConfig&, std::int64_t, Generator&)>
std::shared_ptr<Network> framed(const ModelConfig& config, std::int64_t outputs,
                                Generator& generator) {
  return std::make_shared<HgnetNetwork>(parts(config, outputs, generator));
}

constexpr NetworkRow kNetworks[] = {{Frame::kFlat, make_flat_network},
                                    {Frame::kGUnet, framed<g_unet_parts>},
                                    {Frame::kHgnet, framed<hgnet_parts>},
                                    {Frame::kWl, make_wl_network},
                                    {Frame::kRows, make_rows_network}};

std::shared_ptr<Network> make_network(const ModelConfig& config, Generator& generator) {
  const std::int64_t outputs = config.task == Task::kNode ? config.outputs : config.hidden;
  for (const NetworkRow& row : kNetworks) {
    if (row.frame == model_row(config.model).frame) return row.make(config, outputs, generator);
  }
  throw Error("no network for the model " + config.model);
}

torch::Tensor read_out(Readout readout, const torch::Tensor& rows, const ParentMap& graph_of_node) {
  switch (readout) {
    case Readout::kMean: return segment_mean(rows, graph_of_node);
    case Readout::kSum: return segment_sum(rows, graph_of_node);
    case Readout::kMax: return segment_max(rows, graph_of_node);
  }
  throw Error("unknown readout");
}

}  // namespace

Input Input::of(Hierarchy hierarchy, Features x) {
  const NodeId num_nodes = hierarchy.graph(0).num_nodes();
  return {std::move(x), std::move(hierarchy), ParentMap(std::vector<NodeId>(num_nodes, 0), 1)};
}

Model::Model(const ModelConfig& config, std::uint64_t seed)
    : config_(config), generator_(seed, /*stream=*/1) {
  check(config);
  Generator weights(seed);
  network_ = register_module("network", make_network(config, weights));
  for (const auto& module : network_->modules()) {
    if (auto* tail = dynamic_cast<TailImpl*>(module.get())) tail->momentum = config.norm_momentum;
  }
  if (config.task == Task::kNode || model_row(config.model).frame == Frame::kWl) return;
  classifier_first_ = register_module("classifier_first",
                                      Linear(network_->width(), config.classifier_hidden, weights));
  classifier_second_ = register_module("classifier_second",
                                       Linear(config.classifier_hidden, config.outputs, weights));
}

torch::Tensor Model::node_rows(const Input& input) {
  check_input(input);
  return network_->forward(input, generator_);
}

torch::Tensor Model::forward(const Input& input) {
  const torch::Tensor rows = node_rows(input);
  if (!classifier_first_) return rows;  // of nodes; wl: of graphs
  const torch::Tensor graphs = read_out(config_.readout, rows, input.graph_of_node);
  const Dropout dropout = draw_dropout(config_.classifier_dropout, is_training(), generator_);
  const torch::Tensor hidden =
      norm_act(Features(graphs).times(classifier_first_->weight), classifier_first_->bias, nullptr,
               config_.classifier_activation, dropout);
  return classifier_second_->forward(hidden);
}

Hierarchy Model::prepare(const Graph& graph) const {
  return preparation_of(config_).of(graph, at::get_num_threads());
}

void Model::check_input(const Input& input) const {
  const NodeId nodes = input.hierarchy.graph(0).num_nodes();
  if (input.x.num_rows() != nodes) {
    throw InvalidGraph("model: " + std::to_string(input.x.num_rows()) + " feature rows for " +
                       std::to_string(nodes) + " nodes");
  }
  const bool counted =
      model_row(config_.model).frame == Frame::kWl && input.x.width() == kColourColumns;
  if (input.x.width() != config_.inputs && !counted) {
    throw InvalidGraph("model: features have width " + std::to_string(input.x.width()) +
                       ", the model takes " + std::to_string(config_.inputs));
  }
  if (input.graph_of_node.num_children() != nodes || !input.graph_of_node.is_total())
    throw InvalidGraph("model: graph_of_node must name the graph of every node");
}

std::int64_t Model::num_parameters() const {
  const auto all = parameters();
  return std::accumulate(
      all.begin(), all.end(), std::int64_t{0},
      [](std::int64_t sum, const torch::Tensor& tensor) { return sum + tensor.numel(); });
}

std::vector<std::string> Model::lists() const {
  std::vector<std::string> names = network_->lists();
  for (std::string& name : names) name.insert(0, "network.");
  return names;
}

std::vector<torch::Tensor> Model::first_layer_parameters() const {
  return network_->first_layer_parameters();
}

std::vector<torch::Tensor> Model::directions() const {
  std::vector<torch::Tensor> result;
  for (const auto& module : network_->modules()) {
    if (const auto* pool = dynamic_cast<const TopKPoolImpl*>(module.get()))
      result.push_back(pool->weight);
  }
  return result;
}

std::string Model::describe() const {
  std::string text = config_.model + ", " + std::string(enum_name(config_.task)) + " task\n";
  for (const std::string& line : network_->structure()) text += "  " + line + "\n";
  if (classifier_first_) {
    text += "  readout: " + std::string(enum_name(config_.readout)) + " over the graph's nodes\n";
    text += "  classifier: " + widths(network_->width(), config_.classifier_hidden) + ", " +
            std::string(enum_name(config_.classifier_activation)) + " -> " +
            std::to_string(config_.outputs) + "\n";
  }
  text += "  parameters: " + std::to_string(num_parameters()) + "\n";
  text += "  receptive field: " + receptive_field().text + "\n";
  return text;
}

std::shared_ptr<Model> make_model(const ModelConfig& config, std::uint64_t seed) {
  return std::make_shared<Model>(config, seed);
}

}  // namespace hgnet
