#include "hgnet/coarsening/methods.hpp"

#include <utility>

#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/coarsening/contraction.hpp"
#include "hgnet/coarsening/louvain.hpp"
#include "hgnet/coarsening/matching.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"

namespace hgnet {

ParentMap contract_by_drawn_scores(const Graph& graph, std::uint64_t seed, const CoarsenOptions&,
                                   int threads) {
  Generator generator(seed);
  std::vector<float> scores(graph.num_edges());
  for (float& score : scores) score = static_cast<float>(generator.uniform());
  return contract_edges<float>(graph, scores, {}, threads).parent;
}

ParentMap louvain_parents(const Graph& graph, std::uint64_t seed, const CoarsenOptions& options,
                          int threads) {
  return louvain(graph, {seed, options.louvain_weights, options.partition, threads});
}

ParentMap heavy_edge_parents(const Graph& graph, std::uint64_t seed, const CoarsenOptions&, int) {
  return heavy_edge_matching(graph, seed).parent;
}

ParentMap random_matching_parents(const Graph& graph, std::uint64_t seed, const CoarsenOptions&,
                                  int) {
  return random_matching(graph, seed).parent;
}

std::vector<std::string> graph_coarsenings() {
  std::vector<std::string> names;
  for (const CoarseningTraits& traits : kCoarsenings) {
    if (traits.parents) names.emplace_back(traits.name);
  }
  return names;
}

CoarsenStep coarsen_step(Coarsening coarsening, const CoarsenOptions& options, int threads) {
  const CoarseningTraits& traits = traits_of(coarsening);
  if (!traits.parents) throw Error(std::string("coarsening ") + traits.name + " needs node rows");
  return [&traits, options, threads](const Graph& graph, int level) -> Level {
    const std::uint64_t level_seed = Generator(options.seed, static_cast<std::uint64_t>(level))();
    const bool sum = traits.by_weight || options.edges == EdgePooling::kSum;
    ParentMap parent = traits.parents(graph, level_seed, options, threads);
    const EdgePooling edges = sum ? EdgePooling::kSum : EdgePooling::kMean;
    Graph coarse = coarse_graph(graph, parent, {.edges = edges, .unit_weights = sum}, threads);
    return {std::move(parent), std::move(coarse)};
  };
}

}  // namespace hgnet
