// Time and memory of each stage on graphs with beacons of growing size: reading csv files and the
// cache, coarsening, an epoch in batches of communities, and evaluating all nodes in parts.
//   scaling_benchmark FOLDER MEMORY THREADS NODES...   such as /tmp/beacons 2GB 1 1000 100000

#include <ATen/Parallel.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "hgnet/config/model_table.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/data/beacons.hpp"
#include "hgnet/settings/memory_plan.hpp"
#include "hgnet/train/fit.hpp"
#include "hgnet/train/input_store.hpp"
#include "hgnet/train/threads.hpp"
#include "resident.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

void begin_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

struct Stage {
  double seconds = 0;
  double peak = 0;  // megabytes of the process
};

using Stages = std::vector<std::pair<std::string, Stage>>;

template <class Work>
auto timed(Stages& stages, const std::string& name, const Work& work) {
  begin_peak();
  const auto begin = std::chrono::steady_clock::now();
  auto result = work();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  stages.emplace_back(name, Stage{seconds.count(), resident("VmHWM")});
  std::fprintf(stderr, "  %s: %.2f s, %.0f MB\n", name.c_str(), seconds.count(),
               stages.back().second.peak);
  return result;
}

struct Row {
  double edges = 0;
  std::int64_t batch_nodes = 0;
  double graph = 0;  // megabytes
  Stages stages;
};

Row measure(const fs::path& folder, const std::string& memory, std::int64_t nodes) {
  Row row;
  const std::string name = "beacons-" + std::to_string(nodes);
  fs::remove_all(folder / name);
  timed(row.stages, "generate, write", [&] {
    BeaconOptions options;
    options.num_nodes = nodes;
    options.community = std::min<std::int64_t>(1000, nodes / 10);
    options.threads = at::get_num_threads();
    return write_beacons(generate_beacons(options), folder, name);
  });
  TrainConfig config;
  config.dataset = (folder / name).string();
  config.model = "hgnet-louvain";
  config.network = model_defaults(config.model);
  config.network.hidden = 32;
  config.network.levels = 3;
  config.network.norm = Norm::kBatch;
  config.memory = memory;
  config.threads = at::get_num_threads();
  LoadOptions options = load_options(config);
  options.use_cache = false;
  timed(row.stages, "read csv", [&] { return load_dataset(config.dataset, options).num_nodes(); });
  options.use_cache = true;
  options.cache_folder = folder / "cache";
  load_dataset(config.dataset, options);
  auto dataset = std::make_shared<const Dataset>(
      timed(row.stages, "read cache", [&] { return load_dataset(config.dataset, options); }));
  const Graph& graph = dataset->graphs[0];
  row.edges = static_cast<double>(graph.num_edges());
  row.graph = (8.0 * static_cast<double>(graph.num_nodes()) + 4 * row.edges) / 1e6;
  complete(config, *dataset);
  row.batch_nodes = config.batch_nodes;
  const Split& train = dataset->splits.at("own");
  const auto inputs = timed(row.stages, "coarsen", [&] {
    return std::make_shared<const FitInputs>(
        dataset, preparation_of(config.network), config.threads,
        fit_encoding(*dataset, train.train, {}), node_memory(config, *dataset));
  });
  Fit fit(config, inputs);
  EpochRecord record;
  timed(row.stages, "epoch and inference", [&] { return (record = *fit.run_epoch()).epoch; });
  row.stages.emplace_back("epoch", Stage{record.train_seconds, 0});
  timed(row.stages, "inference", [&] {
    const auto model = fit.best_model();
    return evaluate(*model, *inputs, train.test, 1).size(0);
  });
  fs::remove_all(folder / name);
  fs::remove_all(folder / "cache");
  return row;
}

/// The exponent of a power of the edges, by least squares over the logarithms.
double growth(const std::vector<Row>& rows, std::size_t stage) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Row& row : rows) {
    const double lx = std::log(row.edges);
    const double ly = std::log(std::max(1e-4, row.stages[stage].second.seconds));
    ++n, x += lx, y += ly, xx += lx * lx, xy += lx * ly;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

void print(const std::vector<Row>& rows) {
  std::printf("| directed edges | graph MB | nodes of a batch |");
  for (const auto& [name, stage] : rows.front().stages) std::printf(" %s |", name.c_str());
  std::printf("\n|---|---|---|");
  for (std::size_t i = 0; i < rows.front().stages.size(); ++i) std::printf("---|");
  for (const Row& row : rows) {
    std::printf("\n| %.0f | %.0f | %s |", row.edges, row.graph,
                row.batch_nodes > 0 ? std::to_string(row.batch_nodes).c_str() : "all");
    for (const auto& [name, stage] : row.stages) {
      std::printf(" %.2f s", stage.seconds);
      if (stage.peak > 0) std::printf(", %.0f MB", stage.peak);
      std::printf(" |");
    }
  }
  std::printf("\n| growth | | |");
  for (std::size_t i = 0; rows.size() > 1 && i < rows.front().stages.size(); ++i)
    std::printf(" edges^%.2f |", growth(rows, i));
  std::printf("\n");
}

}  // namespace
}  // namespace hgnet

int main(int count, char** arguments) {
  if (count < 5) {
    std::fprintf(stderr, "scaling_benchmark FOLDER MEMORY THREADS NODES...\n");
    return 2;
  }
  try {
    hgnet::set_threads(std::atoi(arguments[3]));
    std::vector<hgnet::Row> rows;
    for (int i = 4; i < count; ++i) {
      std::fprintf(stderr, "%s nodes\n", arguments[i]);
      rows.push_back(
          hgnet::measure(arguments[1], arguments[2], std::strtoll(arguments[i], nullptr, 10)));
    }
    hgnet::print(rows);
  } catch (const hgnet::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
