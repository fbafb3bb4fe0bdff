#include "hgnet/coarsening/methods.hpp"

#include <utility>

#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/coarsening/contraction.hpp"
#include "hgnet/coarsening/louvain.hpp"
#include "hgnet/coarsening/matching.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"

namespace hgnet {
namespace {

ParentMap contract_by_drawn_scores(const Graph& graph, std::uint64_t seed, int threads) {
  Generator generator(seed);
  std::vector<float> scores(graph.num_edges());
  for (float& score : scores) score = static_cast<float>(generator.uniform());
  return contract_edges<float>(graph, scores, {}, threads).parent;
}

ParentMap parents_above(Coarsening coarsening, const Graph& graph, std::uint64_t seed,
                        const CoarsenOptions& options, int threads) {
  switch (coarsening) {
    case Coarsening::kEdgePool: return contract_by_drawn_scores(graph, seed, threads);
    case Coarsening::kLouvain:
      return louvain(graph, {seed, options.louvain_weights, options.partition, threads});
    case Coarsening::kHeavyEdge: return heavy_edge_matching(graph, seed).parent;
    case Coarsening::kRandom: return random_matching(graph, seed).parent;
    case Coarsening::kTopK: break;
  }
  throw Error(std::string("coarsening ") + traits_of(coarsening).name + " needs node rows");
}

}  // namespace

std::vector<std::string> graph_coarsenings() {
  std::vector<std::string> names;
  for (const CoarseningTraits& traits : kCoarsenings) {
    if (!traits.needs_rows) names.emplace_back(traits.name);
  }
  return names;
}

CoarsenStep coarsen_step(Coarsening coarsening, const CoarsenOptions& options, int threads) {
  if (traits_of(coarsening).needs_rows)
    throw Error(std::string("coarsening ") + traits_of(coarsening).name + " needs node rows");
  return [coarsening, options, threads](const Graph& graph, int level) -> Level {
    const std::uint64_t level_seed = Generator(options.seed, static_cast<std::uint64_t>(level))();
    const bool sum = coarsening == Coarsening::kHeavyEdge || options.edges == EdgePooling::kSum;
    ParentMap parent = parents_above(coarsening, graph, level_seed, options, threads);
    const EdgePooling edges = sum ? EdgePooling::kSum : EdgePooling::kMean;
    Graph coarse = coarse_graph(graph, parent, {.edges = edges, .unit_weights = sum}, threads);
    return {std::move(parent), std::move(coarse)};
  };
}

}  // namespace hgnet
