// Training on a set of graphs that stay in a mapped file, compared with the same samples in memory.
//   mapped_benchmark make FOLDER GIGABYTES     writes such a set; needs that much memory once
//   mapped_benchmark mapped FOLDER BATCHES     trains on so many batches of it
//   mapped_benchmark memory FOLDER BATCHES     the same batches, with their samples in memory

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>

#include "data/cache.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/train/adam.hpp"
#include "hgnet/train/inputs.hpp"
#include "hgnet/train/threads.hpp"
#include "resident.hpp"

namespace hgnet {
namespace {

constexpr std::int64_t kNodes = 2000;
constexpr std::int64_t kEdges = 8000;
constexpr std::int64_t kBatch = 16;
const CacheKey kKey{"mapped", "mapped_benchmark", "1"};

/// Random graphs with nodes of two colours; the label is the colour of more nodes.
Dataset random_set(std::int64_t count) {
  Generator generator(1);
  Dataset dataset;
  dataset.name = "mapped";
  dataset.task = Task::kGraph;
  BitRows bits;
  bits.words.resize(static_cast<std::size_t>((count * kNodes + 63) / 64));
  for (std::int64_t g = 0; g < count; ++g) {
    dataset.graphs.push_back(random_graph(kNodes, kEdges, generator));
    dataset.node_offsets.push_back((g + 1) * kNodes);
    std::int64_t red = 0;
    for (std::int64_t row = g * kNodes; row < (g + 1) * kNodes; ++row) {
      const std::uint64_t bit = generator.below(2);
      bits.words[static_cast<std::size_t>(row / 64)] |= bit << (row % 64);
      red += static_cast<std::int64_t>(bit);
    }
    dataset.classes.push_back(2 * red > kNodes ? 1 : 0);
  }
  dataset.features = std::move(bits);
  dataset.columns.kind = kColours;
  dataset.class_names = {"0", "1"};
  return dataset;
}

/// Some samples of a data set, with graphs of their own memory.
Dataset only(const Dataset& dataset, const std::vector<std::int64_t>& samples) {
  Dataset result;
  result.name = dataset.name;
  result.task = dataset.task;
  const auto& from = std::get<BitRows>(dataset.features);
  BitRows bits;
  bits.words.resize((samples.size() * kNodes + 63) / 64);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    result.graphs.push_back(
        Graph::adopt(dataset.graphs[static_cast<std::size_t>(samples[i])].parts()));
    result.node_offsets.push_back(static_cast<std::int64_t>(i + 1) * kNodes);
    for (std::int64_t v = 0; v < kNodes; ++v) {
      const std::size_t row = i * kNodes + static_cast<std::size_t>(v);
      bits.words[row / 64] |= std::uint64_t{from[samples[i] * kNodes + v]} << (row % 64);
    }
    result.classes.push_back(dataset.classes[static_cast<std::size_t>(samples[i])]);
  }
  result.features = std::move(bits);
  result.columns = dataset.columns;
  result.class_names = dataset.class_names;
  return result;
}

/// Trains on the batches in order.
void train(std::shared_ptr<const Dataset> dataset,
           const std::vector<std::vector<std::int64_t>>& plan) {
  ModelConfig config = model_defaults("hgnet-edgepool");
  config.task = Task::kGraph;
  config.inputs = 1;
  config.outputs = 2;
  config.hidden = 32;
  config.levels = 3;
  const FitInputs inputs(dataset, preparation_of(config), 1);
  const auto model = make_model(config, 1);
  Adam adam(model->parameters(), {.learning_rate = 0.001});
  const auto begin = std::chrono::steady_clock::now();
  double graphs = 0;
  BatchStream stream(inputs.source(), plan);
  while (std::optional<SampleBatch> batch = stream.next()) {
    graphs += static_cast<double>(batch->samples.size());
    const std::vector<std::int64_t> samples = batch->samples;
    adam.zero_grad();
    inputs.objective().loss(model->forward(to_input(*std::move(batch))), samples).backward();
    adam.step();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%.0f graphs in %.2f s: %.1f graphs/s; private memory %.0f MB, of files %.0f MB\n",
              graphs, seconds.count(), graphs / seconds.count(), resident("RssAnon"),
              resident("RssFile"));
}

void run(const std::string& what, const std::string& folder, double amount) {
  if (what == "make") {
    const auto count = static_cast<std::int64_t>(amount * 1e9 / (8 * kNodes + 8 * kEdges));
    write_cache(folder, kKey, random_set(count));
    return;
  }
  std::optional<Dataset> read = read_cache(folder, kKey);
  if (!read) throw Error("no set in " + folder + "; make one first");
  auto dataset = std::make_shared<const Dataset>(*std::move(read));
  std::vector<std::int64_t> all(static_cast<std::size_t>(dataset->num_graphs()));
  std::iota(all.begin(), all.end(), 0);
  Generator shuffle(1);
  auto plan = plan_batches(all, kBatch, &shuffle);
  plan.resize(std::min(plan.size(), static_cast<std::size_t>(amount)));
  std::printf("%lld graphs, %.2f GB\n", static_cast<long long>(dataset->num_graphs()),
              static_cast<double>(std::filesystem::file_size(cache_file(folder, kKey))) / 1e9);
  if (what == "mapped") return train(dataset, plan);
  std::vector<std::int64_t> samples;
  for (std::vector<std::int64_t>& batch : plan) {
    for (std::int64_t& sample : batch) {
      samples.push_back(sample);
      sample = std::ssize(samples) - 1;
    }
  }
  train(std::make_shared<const Dataset>(only(*dataset, samples)), plan);
}

}  // namespace
}  // namespace hgnet

int main(int count, char** arguments) {
  try {
    if (count != 4) throw hgnet::Error("mapped_benchmark make|mapped|memory FOLDER AMOUNT");
    hgnet::set_threads(1);
    hgnet::run(arguments[1], arguments[2], std::strtod(arguments[3], nullptr));
  } catch (const hgnet::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
