#include "hgnet/settings/memory_plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "hgnet/config/model_table.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

constexpr double kFloat = sizeof(float);
constexpr double kMegabyte = 1e6;

/// The program and libtorch, before any data.
constexpr double kProgram = 230 * kMegabyte;
/// The smallest batch worth training on.
constexpr double kLeastBatch = 1000;

/// Bytes for each node and each directed edge of a graph that is worked on.
struct Cost {
  double node = 0;
  double edge = 0;

  double of(double nodes, double edges) const { return node * nodes + edge * edges; }
};

struct Sizes {
  double nodes = 0;
  double edges = 0;
  double inputs = 0;    // width of the features
  double features = 0;  // bytes of them for each node
  double hidden = 0;
  double outputs = 0;
  double heads = 1;
  double layers = 0;  // of a flat model; 0: hierarchical
  double coarse = 0;  // nodes of all coarse levels together, as a share of the nodes
  bool weighted = false;
  double edge_width = 0;
};

double feature_bytes(const Dataset& dataset, double inputs) {
  // As they were read, as they are encoded, and as a tensor.
  if (const auto* sparse = std::get_if<SparseMatrix>(&dataset.features))
    return 8 + 8 * static_cast<double>(sparse->num_entries()) /
                   std::max(1.0, static_cast<double>(dataset.num_nodes()));
  return 3 * kFloat * inputs;
}

Sizes sizes_of(const TrainConfig& config, const Dataset& dataset) {
  const ModelConfig& network = config.network;
  Sizes s;
  s.nodes = static_cast<double>(dataset.num_nodes());
  for (const Graph& graph : dataset.graphs) {
    s.edges += static_cast<double>(graph.num_edges());
    s.weighted = s.weighted || graph.has_weights();
    s.edge_width = std::max(s.edge_width, static_cast<double>(graph.edge_row_width()));
  }
  s.inputs = static_cast<double>(network.inputs);
  s.features = feature_bytes(dataset, s.inputs);
  s.heads = layer_of(network) == LayerKind::kGat ? static_cast<double>(network.heads) : 1;
  s.hidden = static_cast<double>(network.hidden) * s.heads;
  s.outputs = static_cast<double>(network.outputs);
  const bool hierarchical = model_row(network.model).hierarchical();
  s.layers = hierarchical ? 0 : network.layers;
  // A contraction leaves at least half of the nodes; communities are some ten times smaller.
  if (hierarchical) s.coarse = network.coarsening == Coarsening::kLouvain ? 0.25 : 1;
  return s;
}

/// The data set, its targets as tensors and its hierarchy, for as long as the fit runs.
double held(const Sizes& s) {
  const Cost graph{8, 4 + (s.weighted ? 4 : 0) + kFloat * s.edge_width};
  const Cost levels{24, 1};   // parents, members, coarse graphs; communities
  const double targets = 40;  // and the split
  return graph.of(s.nodes, s.edges) + levels.of(s.nodes, s.edges) +
         (s.features + targets) * s.nodes;
}

/// While the files are read or the graph is coarsened: beside what is held in the end.
double preparing(const Sizes& s) { return Cost{60, 5}.of(s.nodes, s.edges); }

/// What a training step keeps for its backward pass: the rows before and after what follows each
/// layer, and two gradients of them. A coarse level has two layers.
Cost step_cost(const Sizes& s) {
  const double rows = (s.layers > 0 ? 2 * s.layers + 2 : 4 + 10 * s.coarse) * s.hidden;
  const double attention = s.heads > 1 ? 6 * kFloat * s.heads : 0;
  return {kFloat * (rows + 2 * s.inputs + 4 * s.outputs) + 100,
          (1 + s.coarse) * (40 + attention + 2 * kFloat * s.edge_width)};
}

/// What evaluating all nodes holds at once beside the part that is computed: the rows of a level,
/// those that are made of them, and what metrics are computed from. A learned pool scores all
/// edges.
double rows_of_all(const Sizes& s) {
  const double rows = (s.layers > 0 ? 2 : 1 + s.coarse) * s.hidden;
  return (kFloat * (rows + 2 * s.outputs) + 40 + 40 * s.coarse) * s.nodes + 16 * s.coarse * s.edges;
}

/// Of a layer on a part, by node or edge of it.
double part_cost(const Sizes& s) {
  return kFloat * (s.inputs + 5 * s.hidden) + 48 + (s.heads > 1 ? 2 * kFloat * s.heads : 0);
}

/// Within a 32nd of the limit, but not so few that the work is in the cutting; more do not go
/// faster.
std::int64_t part_of(const Sizes& s, double limit) {
  return static_cast<std::int64_t>(std::clamp(limit / 32 / part_cost(s), 20000.0, 200000.0));
}

std::string in_gigabytes(double bytes) {
  return short_number(std::round(bytes / 1e7) / 100) + " GB";
}

}  // namespace

std::int64_t memory_bytes(const std::string& text) {
  static constexpr std::array<std::pair<const char*, double>, 6> kUnits{{{"MB", 1e6},
                                                                         {"GB", 1e9},
                                                                         {"TB", 1e12},
                                                                         {"MiB", 1048576.0},
                                                                         {"GiB", 1073741824.0},
                                                                         {"B", 1}}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  unit.erase(0, unit.find_first_not_of(' '));
  for (const auto& [name, bytes] : kUnits) {
    if (error == std::errc() && unit == name && number > 0 && number * bytes < 1e18)
      return static_cast<std::int64_t>(number * bytes);
  }
  throw Error("training: memory is " + in_quotes(text) + "; expected a size such as 2GB or 512MB");
}

MemoryPlan plan_memory(const TrainConfig& config, const Dataset& dataset) {
  const Sizes s = sizes_of(config, dataset);
  const auto limit = static_cast<double>(memory_bytes(config.memory));
  const double fixed = kProgram + held(s);
  const Cost step = step_cost(s);
  const double degree = s.edges / std::max(1.0, s.nodes);
  const auto bytes_with = [&](double batch, std::int64_t at_a_time) {
    const double part = part_cost(s) * std::min(static_cast<double>(at_a_time), s.nodes + s.edges);
    return fixed + std::max({preparing(s), step.of(batch, batch * degree), rows_of_all(s) + part});
  };
  MemoryPlan plan{config.batch_nodes, part_of(s, limit), 0};
  if (plan.batch_nodes == 0 && bytes_with(s.nodes, plan.at_a_time) > limit) {
    // Batches differ by up to a community.
    constexpr double kUneven = 1.125;
    const double fits = (limit - fixed) / step.of(1, degree) / kUneven;
    plan.batch_nodes = static_cast<std::int64_t>(std::clamp(fits, kLeastBatch, s.nodes));
  }
  const double batch = plan.batch_nodes > 0 ? static_cast<double>(plan.batch_nodes) : s.nodes;
  plan.bytes = static_cast<std::int64_t>(bytes_with(std::min(batch, s.nodes), plan.at_a_time));
  if (static_cast<double>(plan.bytes) > limit)
    throw Error("training: " + config.model + " on " + dataset.name + " needs about " +
                in_gigabytes(static_cast<double>(plan.bytes)) + ", of which the data take " +
                in_gigabytes(held(s)) + "; memory is " + config.memory);
  return plan;
}

NodeMemory node_memory(const TrainConfig& config, const Dataset& dataset) {
  if (config.memory.empty() || dataset.task != Task::kNode) return {config.batch_nodes, 0};
  const auto limit = static_cast<double>(memory_bytes(config.memory));
  return {config.batch_nodes, part_of(sizes_of(config, dataset), limit)};
}

NodeMemory scoring_memory(const TrainConfig& config, const Dataset& dataset) {
  return {0, node_memory(config, dataset).at_a_time};
}

void check_node_batches(const TrainConfig& config, const Dataset& dataset) {
  if (config.batch_nodes == 0 && config.memory.empty()) return;
  const char* setting = config.memory.empty() ? "batch-nodes" : "memory";
  if (dataset.task != Task::kNode)
    throw NoEffect(std::string("training: ") + setting + " has no effect on " + dataset.name +
                   ", whose samples are graphs; batch is the number of them in a batch");
  const ModelRow& row = model_row(config.network.model);
  if (row.yardstick())
    throw NoEffect(std::string("training: ") + setting + " has no effect on " + config.model +
                   ", which has no layers on the graph");
  if (!config.memory.empty() && read_by::kTopKLevels.include(config.network))
    throw Error("training: the memory of " + config.model +
                " cannot be estimated, since it squares graphs; set batch-nodes instead");
}

}  // namespace hgnet
