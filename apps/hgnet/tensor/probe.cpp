// hgnet probe: measures how far a trained model looks.

#include <cstdio>
#include <iostream>
#include <numeric>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/records/fit_record.hpp"
#include "hgnet/records/spread.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/train/inputs.hpp"
#include "hgnet/train/probe.hpp"
#include "hgnet/train/threads.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "notes.hpp"
#include "requests.hpp"

namespace hgnet::app {
namespace {

template <class T>
std::vector<T> draw(std::vector<T> items, int count, Generator& generator) {
  generator.shuffle(std::span<T>(items));
  if (static_cast<int>(items.size()) > count) items.resize(static_cast<std::size_t>(count));
  return items;
}

/// Over test graphs, or over the single graph of a node task.
Influence measure(Model& model, const FitInputs& inputs, const Split& split,
                  const ProbeRequest& options) {
  Generator generator(options.seed);
  Influence influence;
  const auto measure_one = [&](const Input& input) {
    std::vector<NodeId> nodes(static_cast<std::size_t>(input.hierarchy.graph(0).num_nodes()));
    std::iota(nodes.begin(), nodes.end(), 0);
    probe(model, input, draw(std::move(nodes), options.rows, generator), influence);
  };
  if (inputs.dataset().task == Task::kNode) {
    measure_one(inputs.whole());
  } else {
    for (const std::int64_t sample : draw(split.test, options.graphs, generator))
      measure_one(to_input(inputs.source().join({&sample, 1})));
  }
  return influence;
}

ProbeRecord probe_fit(const FitFolder& fit, const ProbeRequest& options) {
  TrainConfig config = fit.config();
  if (!options.use.root.empty()) config.root = options.use.root;
  const auto model = best_of(fit);
  const auto dataset = dataset_for(fit, config);
  print_notes(dataset->notes);
  const FitInputs inputs(dataset, preparation_of(model->config()), options.use.threads);
  const Split split = choose_split(inputs.dataset(), config.split, config.split_seed, config.fold);
  const Influence influence = measure(*model, inputs, split, options);
  ProbeRecord record;
  record.dataset = inputs.dataset().name;
  record.model = record_model(config.model, enum_name(config.network.coarsening));
  record.depth = is_hierarchical(config.model) ? config.network.levels : config.network.layers;
  record.seed = config.seed;
  record.fold = config.fold;
  record.epochs = static_cast<int>(config.epochs);
  for (std::size_t d = 0; d < influence.mean.size(); ++d) {
    record.distance.push_back(static_cast<double>(d));
    record.influence.push_back(influence.mean[d]);
    record.nodes.push_back(static_cast<double>(influence.pairs[d]));
  }
  for (const std::vector<double>& of_graph : influence.rho) {
    record.rho.insert(record.rho.end(), of_graph.begin(), of_graph.end());
    record.graph_rho.push_back(summary_of(of_graph).mean);
  }
  return record;
}

void print(const ProbeRecord& record) {
  std::cout << record.model << " of depth " << record.depth << " on " << record.dataset
            << ": influence of a node's input on a row, by distance\n"
            << "  distance      mean |J|  relative to 0      pairs\n";
  for (std::size_t d = 0; d < record.distance.size(); ++d) {
    const double own = record.influence.front();
    char line[80];
    std::snprintf(line, sizeof line, "  %8.0f  %12.4g  %12.4g  %9.0f\n", record.distance[d],
                  record.influence[d], own > 0 ? record.influence[d] / own : 0.0, record.nodes[d]);
    std::cout << line;
  }
  const Summary nodes = summary_of(record.rho);
  const Summary graphs = summary_of(record.graph_rho);
  char text[128];
  std::snprintf(text, sizeof text,
                "  rho, the mean distance weighted by influence: %.2f (deviation %.2f over nodes",
                nodes.mean, nodes.deviation);
  std::cout << text;
  if (graphs.count > 1) {
    std::snprintf(text, sizeof text, ", %.2f over graphs", graphs.deviation);
    std::cout << text;
  }
  std::cout << ")\n";
}

}  // namespace

void run_probe(const ProbeRequest& options) {
  set_threads(options.use.threads);
  std::vector<ProbeRecord> all;
  for (const std::filesystem::path& folder : options.runs) {
    for (const FitFolder& fit : fits_in(folder)) {
      const ProbeRecord record = probe_fit(fit, options);
      write_atomically(fit.path() / "probe.jsonl", to_json(record) + "\n");
      if (!options.json) print(record);
      all.push_back(record);
    }
  }
  if (options.json) std::cout << to_json(all) << "\n";
}

}  // namespace hgnet::app
