// Louvain compared with igraph's, an oracle that shares nothing with ours.

#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>

#include "hgnet/coarsening/louvain.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/graph_file.hpp"
#include "hgnet/graph/generators.hpp"
#include "igraph_oracle.hpp"

namespace hgnet {
namespace {

/// As sparse and as clustered as a citation network: 2,700 nodes, 4 edges each, three quarters of
/// them inside groups of 40 and 8.
Graph citation_like(Generator& generator) {
  EdgeList list;
  const auto within = [&](std::int64_t v, std::int64_t size) {
    return std::min<std::int64_t>(
        2699, v / size * size + static_cast<std::int64_t>(generator.below(size)));
  };
  for (int i = 0; i < 5400; ++i) {
    const auto v = static_cast<std::int64_t>(generator.below(2700));
    const auto kind = generator.below(8);
    list.source.push_back(v);
    list.target.push_back(kind < 3 ? within(v, 8) : kind < 6 ? within(v, 40) : within(v, 2700));
  }
  return Graph::from_edges(2700, list);
}

double mean_modularity(const Graph& graph, Partition partition) {
  constexpr int kSeeds = 20;
  double sum = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    sum += modularity(graph, louvain(graph, {.seed = seed, .partition = partition}));
  }
  return sum / kSeeds;
}

void compare(const std::string& name, const Graph& graph) {
  SCOPED_TRACE(name);
  const oracle::IgraphGraph igraph(graph);
  double their_first = 0;
  double their_best = 0;
  constexpr int kRuns = 20;  // its visiting order is random
  for (int run = 0; run < kRuns; ++run) {
    igraph_rng_seed(igraph_rng_default(), run + 1);
    const std::vector<double> by_level = igraph.multilevel_modularities();
    their_first += by_level.front() / kRuns;
    their_best += by_level.back() / kRuns;
  }
  const double first = mean_modularity(graph, Partition::kFirstPass);
  const double best = mean_modularity(graph, Partition::kBest);
  std::cout << name << ": first level " << first << " (igraph " << their_first << "), best " << best
            << " (igraph " << their_best << ")\n";
  EXPECT_GE(first, 0.99 * their_first);
  EXPECT_GE(best, 0.99 * their_best);
}

TEST(Louvain, IsAsGoodAsIgraphs) {
  Generator generator(1);
  compare("citation-like", citation_like(generator));
  compare("grid 50x50", grid_graph(50, 50));
  compare("random", random_graph(2000, 6000, generator));
  compare("sparse random", random_graph(3000, 3500, generator));
}

TEST(Louvain, IsAsGoodAsIgraphsOnTheRoadNetworks) {
  const std::filesystem::path roads = std::filesystem::path(HGNET_DEFAULT_DATA_DIR) / "roads";
  if (!std::filesystem::exists(roads)) GTEST_SKIP() << "no road networks here";
  compare("euroroad", read_graph(roads / "euroroad.edges"));
  compare("minnesota", read_graph(roads / "minnesota.edges"));
}

}  // namespace
}  // namespace hgnet
