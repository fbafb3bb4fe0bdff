// The cost of joining a batch and freeing it, compared with the training step it is for: forward,
// loss, backward and Adam of a GCN. Both are timed alternately, so that other load on the machine
// affects both; the best turn of each counts.

#include <ATen/Parallel.h>
#include <torch/nn/functional/loss.h>

#include <cstdio>
#include <ctime>
#include <iostream>
#include <limits>
#include <numeric>

#include "comparison.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/data/batches.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/models/model.hpp"
#include "hgnet/train/adam.hpp"

namespace hgnet {
namespace {

constexpr int kTurns = 20;

/// Graphs drawn at random with about as many nodes, edges and node labels as those of a TU set.
Dataset random_set(const std::string& name, std::int64_t nodes, double edges_per_node,
                   std::uint64_t num_labels) {
  Generator generator(1);
  Dataset dataset;
  dataset.name = name;
  dataset.task = Task::kGraph;
  std::vector<NodeId> labels;
  for (int g = 0; g < 600; ++g) {
    const auto n = nodes / 2 + static_cast<std::int64_t>(generator.below(nodes));
    const auto edges = static_cast<std::int64_t>(edges_per_node * static_cast<double>(n));
    dataset.graphs.push_back(random_graph(n, edges, generator));
    dataset.node_offsets.push_back(dataset.node_offsets.back() + n);
    for (std::int64_t v = 0; v < n; ++v)
      labels.push_back(static_cast<NodeId>(generator.below(num_labels)));
    dataset.classes.push_back(g % 2);
  }
  std::vector<EdgeId> offsets(labels.size() + 1);
  std::iota(offsets.begin(), offsets.end(), EdgeId{0});
  std::vector<float> ones(labels.size(), 1.0F);
  dataset.features = SparseMatrix(static_cast<std::int64_t>(num_labels), std::move(offsets),
                                  std::move(labels), std::move(ones));
  dataset.class_names = {"0", "1"};
  return dataset;
}

/// Colourings of one grid; which nodes are red does not matter here.
Dataset grid_set() {
  Dataset dataset;
  dataset.name = "color-connectivity 16x16";
  dataset.task = Task::kGraph;
  dataset.graphs.assign(600, grid_graph(16, 16));
  for (int g = 0; g < 600; ++g) {
    dataset.node_offsets.push_back(256 * (g + 1));
    dataset.classes.push_back(g % 2);
  }
  Generator generator(1);
  BitRows red{std::vector<std::uint64_t>(600 * 4)};
  for (std::uint64_t& word : red.words) word = generator();
  dataset.features = red;
  dataset.class_names = {"0", "1"};
  return dataset;
}

ModelConfig config_for(const Dataset& dataset, bool grid) {
  ModelConfig config = model_defaults("gcn");
  config.task = Task::kGraph;
  config.inputs = dataset.num_features();
  config.outputs = dataset.num_classes();
  config.layers = grid ? 4 : 2;
  config.residual = grid;
  config.norm = grid ? Norm::kBatch : Norm::kNone;
  config.activation = grid ? Activation::kRelu : Activation::kElu;
  return config;
}

Features features_of(const BatchFeatures& x) {
  if (const auto* sparse = std::get_if<SparseMatrix>(&x)) return *sparse;
  const auto& dense = std::get<DenseRows>(x);
  return torch::tensor(dense.values).view({-1, dense.width});
}

double microseconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
  };
  const double begin = now();
  work();
  return now() - begin;
}

void compare(const Dataset& dataset, std::int64_t size, bool grid) {
  Model model(config_for(dataset, grid), 1);
  Adam adam(model.parameters(), {});
  const BatchSource source(dataset, [&](const Graph& graph) { return model.prepare(graph); });
  std::vector<std::int64_t> samples(dataset.num_graphs());
  std::iota(samples.begin(), samples.end(), 0);
  Generator generator(1);
  double join = std::numeric_limits<double>::max();
  double step = join;
  for (int turn = 0; turn < kTurns; ++turn) {
    const auto plan = plan_batches(samples, size, &generator);
    const auto per_batch = [&](double time) { return time / static_cast<double>(plan.size()); };
    join = std::min(join, per_batch(microseconds([&] {
                      for (const auto& batch : plan) static_cast<void>(source.join(batch));
                    })));
    std::vector<Input> inputs;
    std::vector<torch::Tensor> labels;
    for (const auto& planned : plan) {
      const SampleBatch batch = source.join(planned);
      inputs.push_back({features_of(batch.x), batch.hierarchy, batch.graph_of_node});
      std::vector<std::int64_t> classes;
      for (const std::int64_t sample : batch.samples) classes.push_back(dataset.classes[sample]);
      labels.push_back(torch::tensor(classes, torch::kLong));
    }
    step = std::min(step, per_batch(microseconds([&] {
                      for (std::size_t i = 0; i < inputs.size(); ++i) {
                        adam.zero_grad();
                        const torch::Tensor logits = model.forward(inputs[i]);
                        torch::nn::functional::cross_entropy(logits, labels[i]).backward();
                        adam.step();
                      }
                    })));
  }
  std::printf("| %s | %lld | %.1f us | %.0f us | %.1f %% |\n", dataset.name.c_str(),
              static_cast<long long>(size), join, step, 100 * join / step);
  std::fflush(stdout);
}

void run() {
  std::printf("| data | batch | joining | GCN step | joining / step |\n|---|---|---|---|---|\n");
  compare(grid_set(), 32, true);
  compare(random_set("NCI1-like", 30, 1.1, 37), 20, false);
  compare(random_set("ENZYMES-like", 33, 2.0, 3), 20, false);
}

}  // namespace
}  // namespace hgnet

int main() {
  hgnet::keep_freed_memory();
  at::set_num_threads(1);
  try {
    hgnet::run();
  } catch (const std::exception& error) {
    std::cerr << "batches_benchmark: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
