// Contraction with its coarse graph, and Louvain, compared with plain implementations of the same
// work and with igraph's.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "comparison.hpp"
#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/coarsening/contraction.hpp"
#include "hgnet/coarsening/louvain.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/batch.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/graph/hierarchy.hpp"
#include "igraph_oracle.hpp"

namespace hgnet {
namespace {

std::vector<float> drawn_scores(const Graph& graph, std::uint64_t seed) {
  Generator generator(seed);
  std::vector<float> scores(graph.num_edges());
  for (float& score : scores) score = static_cast<float>(generator.uniform());
  return scores;
}

Level contract(const Graph& graph, std::span<const float> scores, int threads = 1) {
  ParentMap parent = contract_edges<float>(graph, scores, {}, threads).parent;
  Graph coarse = coarse_graph(graph, parent, {}, threads);
  return {std::move(parent), std::move(coarse)};
}

/// All edges sorted, taken nodes in a set, coarse edges in a hash map: the obvious implementation.
Level plain_contract(const Graph& graph, std::span<const float> scores) {
  struct Edge {
    float score;
    NodeId source;
    NodeId target;
  };
  std::vector<Edge> edges;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
      edges.push_back({scores[s], graph.columns()[s], v});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.score, a.source, a.target) > std::tie(b.score, b.source, b.target);
  });
  std::set<NodeId> left;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) left.insert(left.end(), v);
  std::vector<NodeId> label(graph.num_nodes());
  for (const Edge& edge : edges) {
    if (left.count(edge.source) == 0 || left.count(edge.target) == 0) continue;
    label[edge.source] = label[edge.target] = std::min(edge.source, edge.target);
    left.erase(edge.source);
    left.erase(edge.target);
  }
  for (const NodeId v : left) label[v] = v;
  ParentMap parent = ParentMap::from_labels(label);
  std::unordered_map<std::int64_t, int> coarse_edges;
  for (const Edge& edge : edges) {
    const std::int64_t p = parent.parent(edge.source);
    const std::int64_t q = parent.parent(edge.target);
    if (p != q) ++coarse_edges[p << 32 | q];
  }
  EdgeList list;
  for (const auto& [key, count] : coarse_edges) {
    list.source.push_back(key >> 32);
    list.target.push_back(key & 0xffffffff);
  }
  Graph coarse = Graph::from_edges(parent.num_parents(), list);
  return {std::move(parent), std::move(coarse)};
}

void check_equal(const Level& a, const Level& b) {
  if (!std::ranges::equal(a.parent.parents(), b.parent.parents()) ||
      a.graph.parts().columns != b.graph.parts().columns) {
    throw std::runtime_error("contraction: the forms do not agree");
  }
}

void report_edges(benchmark::State& state, const Graph& graph) {
  state.counters["edges/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(graph.num_edges()),
      benchmark::Counter::kIsRate);
  state.counters["nodes"] = graph.num_nodes();
}

/// Bytes from a line such as "VmHWM:  1234 kB" of /proc/self/status.
double status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind(key + ":", 0) == 0)
      return 1024.0 * std::strtod(line.c_str() + key.size() + 1, nullptr);
  }
  return 0;
}

/// Peak memory during one contraction, without its input, relative to the bytes of the input's CSR.
double peak_over_input(const Graph& graph, const std::vector<float>& scores) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // resets the peak
  const double before = status_bytes("VmRSS");
  benchmark::DoNotOptimize(contract(graph, scores));
  const double input = 8.0 * (graph.num_nodes() + 1) + 4.0 * static_cast<double>(graph.num_edges());
  return (status_bytes("VmHWM") - before) / input;
}

void time_contract(benchmark::State& state, const Graph& graph) {
  const std::vector<float> scores = drawn_scores(graph, 1);
  if (graph.num_nodes() < 100'000)
    check_equal(contract(graph, scores), plain_contract(graph, scores));
  benchmark::DoNotOptimize(contract(graph, scores));  // so that its memory is already allocated
  for ([[maybe_unused]] auto iteration : state) benchmark::DoNotOptimize(contract(graph, scores));
  report_edges(state, graph);
  if (graph.num_nodes() >= 100'000) state.counters["peak/CSR"] = peak_over_input(graph, scores);
}

template <int threads>
void time_threads(benchmark::State& state, const Graph& graph) {
  const std::vector<float> scores = drawn_scores(graph, 1);
  check_equal(contract(graph, scores, threads), contract(graph, scores));
  for ([[maybe_unused]] auto iteration : state)
    benchmark::DoNotOptimize(contract(graph, scores, threads));
  report_edges(state, graph);
}

template <int threads>
void time_first_pass(benchmark::State& state, const Graph& graph) {
  const LouvainOptions options{.seed = 1, .threads = threads};
  for ([[maybe_unused]] auto iteration : state) benchmark::DoNotOptimize(louvain(graph, options));
  report_edges(state, graph);
  state.counters["modularity"] = modularity(graph, louvain(graph, options));
}

void time_plain(benchmark::State& state, const Graph& graph) {
  const std::vector<float> scores = drawn_scores(graph, 1);
  for ([[maybe_unused]] auto iteration : state)
    benchmark::DoNotOptimize(plain_contract(graph, scores));
  report_edges(state, graph);
}

void time_louvain(benchmark::State& state, const Graph& graph) {
  const LouvainOptions options{.seed = 1, .partition = Partition::kBest};
  for ([[maybe_unused]] auto iteration : state) benchmark::DoNotOptimize(louvain(graph, options));
  report_edges(state, graph);
  state.counters["modularity"] = modularity(graph, louvain(graph, options));
}

void time_igraph(benchmark::State& state, const Graph& graph) {
  const oracle::IgraphGraph theirs(graph);
  std::vector<double> by_level;
  for ([[maybe_unused]] auto iteration : state) by_level = theirs.multilevel_modularities();
  report_edges(state, graph);
  state.counters["modularity"] = by_level.back();
}

using Timed = void (*)(benchmark::State&, const Graph&);

void add(const std::string& name, Timed timed, const Graph& graph) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [timed, graph](benchmark::State& state) { timed(state, graph); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

int main_body(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const Batch batch = Batch::repeat(grid_graph(16, 16), 32);
  add("contract/32 grids 16x16/ours", time_contract, batch.graph());
  add("contract/32 grids 16x16/sort, set, hash map", time_plain, batch.graph());
  for (const auto& [name, side] : {std::pair{"50", 50},
                                   {"158", 158},
                                   {"500", 500},
                                   {"1000", 1000},
                                   {"1581", 1581},
                                   {"3162", 3162}}) {
    const Graph grid = grid_graph(side, side);
    add(std::string("contract/grid of side ") + name + "/ours", time_contract, grid);
  }
  add("contract/grid of side 1000/sort, set, hash map", time_plain, grid_graph(1000, 1000));
  Generator generator(1);
  const Graph large = random_graph(1'000'000, 5'000'000, generator);
  add("contract/random, 1M nodes, 10M edges/1 thread", time_threads<1>, large);
  add("contract/random, 1M nodes, 10M edges/2 threads", time_threads<2>, large);
  const Graph grid = grid_graph(1581, 1581);
  for (const auto& [name, graph] :
       {std::pair{"random, 1M nodes, 10M edges", large}, {"grid 1581x1581, 10M edges", grid}}) {
    add(std::string("louvain, first pass/") + name + "/1 thread", time_first_pass<1>, graph);
    add(std::string("louvain, first pass/") + name + "/2 threads", time_first_pass<2>, graph);
  }
  const std::map<std::string, Graph> graphs{
      {"grid 500x500", grid_graph(500, 500)},
      {"random, 100k nodes, 1M edges", random_graph(100'000, 500'000, generator)},
      {"32 grids 16x16", batch.graph()}};
  for (const auto& [name, graph] : graphs) {
    add("louvain/" + name + "/ours", time_louvain, graph);
    add("louvain/" + name + "/igraph", time_igraph, graph);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace hgnet

int main(int argc, char** argv) {
  hgnet::keep_freed_memory();
  try {
    return hgnet::main_body(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "coarsening_benchmark: " << error.what() << "\n";
    return 1;
  }
}
