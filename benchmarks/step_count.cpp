#include "step_count.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <functional>
#include <vector>

#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/coarsening/contraction.hpp"
#include "hgnet/coarsening/top_k.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/nn/pools/top_k_pool.hpp"

namespace hgnet::benchmarks {
namespace {

constexpr double kValue = sizeof(float);

/// A layer with its norm and activation on one level.
struct LayerShape {
  double nodes = 0;
  double slots = 0;  // directed edges
  double in = 0;
  double out = 0;
  double products = 1;         // weights [in, out] that node rows are multiplied by
  double parents = 0;          // rows multiplied by one more such weight
  double entries = 0;          // of sparse features; 0: dense
  double edge_operations = 2;  // by slot and column, forward
  bool input_gradient = true;  // not for the features
  bool norm = false;
  bool residual = false;
};

Count layer_count(const LayerShape& s) {
  const double passes = s.input_gradient ? 3 : 2;  // forward, for the weights, for the input
  const double rows_in = s.nodes * s.in;
  const double rows_out = s.nodes * s.out;
  Count count;
  count.operations = s.entries > 0 ? 2 * 2 * s.products * s.entries * s.out
                                   : passes * 2 * s.products * rows_in * s.out;
  count.operations += 3 * 2 * s.parents * s.in * s.out;
  count.operations += 2 * s.edge_operations * s.slots * std::min(s.in, s.out);
  count.operations += (s.norm ? 20 : 4) * rows_out;

  // Forward: x read, z written; with a norm, z read again and y written. Residual rows are read,
  // too.
  const double input = s.entries > 0 ? 2 * s.entries : rows_in;  // sparse: column and value
  double values = input + rows_out + s.parents * (s.in + s.out);
  if (s.norm) values += 2 * rows_out;
  if (s.residual) values += rows_out;
  // Backward: dy and z read, twice with a norm; dz written, and read again with x; dx written.
  values += (s.norm ? 5 : 3) * rows_out;
  values += rows_out + input + (s.input_gradient ? rows_in : 0);
  values += s.parents * (2 * s.in + s.out);
  if (s.residual) values += rows_out;
  // The graph, twice: a column and a value per slot, an offset per node.
  count.bytes = kValue * values + 2 * (8 * s.slots + 8 * s.nodes);
  return count;
}

/// From rows of `nodes` nodes to those of `parents`, forward and backward; with scores from both
/// ends of `slots` edges, if any.
Count pool_count(double nodes, double parents, double slots, double width) {
  // Rows added, and scaled backward; scores as two products per node and a softmax per edge, 20
  // operations for an exponential.
  const double scores = slots > 0 ? 3 * 2 * 2 * nodes * width + 40 * slots : 0;
  // x read, the parents' rows written; backward reads their gradient and, for the scores, the rows
  // themselves; dx read and written once, since it has several contributions. Scores and the graph
  // are read for the softmax, the choice of edges and backward.
  const double values = 3 * nodes * width + 3 * parents * width + 3 * 2 * slots;
  return {4 * nodes * width + scores, kValue * values};
}

/// Reads weight, gradient and two moments, writes all but the gradient.
Count adam_count(double parameters) { return {12 * parameters, 7 * kValue * parameters}; }

/// (A + I)^2 between kept nodes: a multiplication and an addition for each path of two steps.
Count squaring_count(const Graph& graph, const ParentMap& kept) {
  double paths = 0;
  for (NodeId p = 0; p < kept.num_parents(); ++p) {
    const NodeId v = kept.members(p).front();
    paths += static_cast<double>(graph.degree(v) + 1);
    for (const NodeId w : graph.neighbours(v)) paths += static_cast<double>(graph.degree(w) + 1);
  }
  return {2 * paths, 8 * paths};
}

/// The graphs of all levels, and the cost of making them in addition to pool_count.
struct Levels {
  std::vector<Graph> graphs;
  Count making;
};

Levels random_levels(const ModelConfig& c, const Input& input) {
  Levels levels{{input.hierarchy.graph(0)}, {}};
  Generator generator(1);
  ParentMap graph_of_node = input.graph_of_node;
  for (int l = 0; l < c.levels; ++l) {
    const Graph graph = levels.graphs.back();
    const bool top_k_levels = c.model == "g-unet";
    std::vector<float> scores(top_k_levels ? graph.num_nodes() : graph.num_edges());
    for (float& score : scores) score = static_cast<float>(generator.uniform());
    if (top_k_levels) {
      const double share = c.keep[l];
      const Keep keep =
          share > 1 ? Keep{.count = static_cast<std::int64_t>(share)} : Keep{.ratio = share};
      const ParentMap kept = top_k<float>(scores, graph_of_node, keep);
      levels.making += squaring_count(graph, kept);
      levels.graphs.push_back(squared_graph(graph, kept));
      graph_of_node = graph_of_coarse_node(kept, graph_of_node);
    } else {
      levels.graphs.push_back(coarse_graph(graph, contract_edges<float>(graph, scores).parent, {}));
    }
  }
  return levels;
}

Levels levels_of(const ModelConfig& c, const Input& input) {
  if (c.model == "g-unet" || (c.model == "hgnet" && c.coarsening == Coarsening::kEdgePool))
    return random_levels(c, input);
  Levels levels;
  for (int l = 0; l <= input.hierarchy.num_levels(); ++l)
    levels.graphs.push_back(input.hierarchy.graph(l));
  return levels;
}

/// A layer of the configuration on `graph`, its input of width `in`.
LayerShape shape_of(const ModelConfig& c, const Graph& graph, double in, double out) {
  LayerShape shape;
  shape.nodes = graph.num_nodes();
  shape.slots = static_cast<double>(graph.num_edges());
  shape.in = in;
  shape.out = out;
  shape.norm = c.norm == Norm::kBatch;
  return shape;
}

/// The first layer, which reads the features.
LayerShape first_shape_of(const ModelConfig& c, const Graph& graph, double out, double entries) {
  LayerShape shape = shape_of(c, graph, static_cast<double>(c.inputs), out);
  shape.input_gradient = false;
  shape.entries = entries;
  return shape;
}

Count flat_count(const ModelConfig& c, const Graph& graph, double entries) {
  Count count;
  auto in = static_cast<double>(c.inputs);
  for (int l = 0; l < c.layers; ++l) {
    const bool to_outputs = l + 1 == c.layers && c.task == Task::kNode;
    const auto heads = static_cast<double>(to_outputs ? c.last_heads : c.heads);
    const double out = heads * static_cast<double>(to_outputs ? c.outputs : c.hidden);
    LayerShape shape =
        l == 0 ? first_shape_of(c, graph, out, entries) : shape_of(c, graph, in, out);
    shape.residual = c.residual && in == out;
    if (c.model == "cheb") shape.products = c.cheb_order;
    // A logit, its exponential and its addition to the sum, per slot and head.
    if (c.model == "gat") shape.edge_operations += 30 * heads / out;
    count += layer_count(shape);
    if (c.model == "gin") {
      LayerShape second = shape_of(c, graph, out, out);
      second.slots = 0;
      count += layer_count(second);
    }
    in = out;
  }
  return count;
}

Count hierarchical_count(const ModelConfig& c, const Levels& levels, double entries) {
  const auto width = static_cast<double>(c.hidden);
  const bool scored = c.model == "hgnet" && c.coarsening == Coarsening::kEdgePool;
  Count count = levels.making;
  for (int l = 0; l <= c.levels; ++l) {
    const Graph& graph = levels.graphs[l];
    count += layer_count(l == 0 ? first_shape_of(c, graph, width, entries)
                                : shape_of(c, graph, width, width));
    if (l == c.levels) continue;
    const double parents = levels.graphs[l + 1].num_nodes();
    count += pool_count(graph.num_nodes(), parents,
                        scored ? static_cast<double>(graph.num_edges()) : 0, width);
    const bool to_outputs = l == 0 && c.task == Task::kNode;
    LayerShape down =
        shape_of(c, graph, width, to_outputs ? static_cast<double>(c.outputs) : width);
    if (c.model == "hgnet") {
      down.products = 2;
      down.parents = parents;
    }
    count += layer_count(down);
  }
  return count;
}

/// Best of several turns, in CPU time, as the steps are timed: other processes on the machine must
/// not count here either.
double best_seconds(const std::function<void()>& work, int times) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  double best = 1e9;
  for (int turn = 0; turn < 15; ++turn) {
    const double begin = now();
    for (int i = 0; i < times; ++i) work();
    best = std::min(best, (now() - begin) / times);
  }
  return best;
}

/// Bytes read and written per second when `bytes` are copied repeatedly.
double copy_rate(std::size_t bytes, int times) {
  std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes, 2);
  return 2 * static_cast<double>(bytes) /
         best_seconds([&] { std::memcpy(to.data(), from.data(), bytes); }, times);
}

}  // namespace

Count step_count(const Model& model, const Input& input, double feature_entries) {
  const ModelConfig& c = model.config();
  const Levels levels = levels_of(c, input);
  Count count = c.model == "g-unet" || c.model == "hgnet"
                    ? hierarchical_count(c, levels, feature_entries)
                    : flat_count(c, levels.graphs[0], feature_entries);
  count += adam_count(static_cast<double>(model.num_parameters()));
  // The readout reads all rows, and backward writes their gradient; the classifier is small.
  if (c.task == Task::kGraph) {
    const double values =
        static_cast<double>(input.x.num_rows()) * static_cast<double>(c.hidden * c.heads);
    count += {2 * values, 2 * kValue * values};
  }
  return count;
}

MachineRates measure_rates() {
  const torch::NoGradGuard no_grad;
  constexpr std::int64_t kSize = 768;
  const torch::Tensor a = torch::full({kSize, kSize}, 0.5F);
  torch::Tensor c = torch::empty({kSize, kSize});
  const double product = best_seconds([&] { torch::mm_out(c, a, a); }, 3);
  return {2.0 * kSize * kSize * kSize / product, copy_rate(std::size_t{400} << 10, 200),
          copy_rate(std::size_t{8} << 20, 10), copy_rate(std::size_t{256} << 20, 1)};
}

}  // namespace hgnet::benchmarks
