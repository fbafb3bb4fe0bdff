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

constexpr std::pair<CoarseningMethod, const char*> kNames[] = {
    {CoarseningMethod::kEdgePool, "edgepool"},
    {CoarseningMethod::kLouvain, "louvain"},
    {CoarseningMethod::kHeavyEdge, "heavy-edge"},
    {CoarseningMethod::kRandom, "random"},
};

ParentMap contract_by_drawn_scores(const Graph& graph, std::uint64_t seed) {
  Generator generator(seed);
  std::vector<float> scores(graph.num_edges());
  for (float& score : scores) score = static_cast<float>(generator.uniform());
  return contract_edges<float>(graph, scores).parent;
}

Graph with_unit_weights(const Graph& graph) {
  if (graph.has_weights()) return graph;
  GraphParts parts = graph.parts();
  parts.weights.assign(parts.columns.size(), 1.0F);
  return Graph::adopt(std::move(parts));
}

ParentMap parents_above(CoarseningMethod method, const Graph& graph, std::uint64_t seed,
                        const CoarsenOptions& options) {
  switch (method) {
    case CoarseningMethod::kEdgePool: return contract_by_drawn_scores(graph, seed);
    case CoarseningMethod::kLouvain:
      return louvain(graph, {seed, options.louvain_weights, options.partition});
    case CoarseningMethod::kHeavyEdge: return heavy_edge_matching(graph, seed).parent;
    case CoarseningMethod::kRandom: return random_matching(graph, seed).parent;
  }
  throw Error("unknown coarsening method");
}

}  // namespace

std::vector<std::string> coarsening_names() {
  std::vector<std::string> names;
  for (const auto& [method, text] : kNames) names.emplace_back(text);
  return names;
}

std::string_view name(CoarseningMethod method) {
  for (const auto& [candidate, text] : kNames) {
    if (candidate == method) return text;
  }
  throw Error("unknown coarsening method");
}

CoarseningMethod coarsening_method(std::string_view name) {
  std::string known;
  for (const auto& [method, text] : kNames) {
    if (name == text) return method;
    known += known.empty() ? text : std::string(", ") + text;
  }
  throw Error("unknown coarsening '" + std::string(name) + "'; expected one of " + known);
}

CoarsenStep coarsen_step(CoarseningMethod method, const CoarsenOptions& options) {
  return [method, options](const Graph& graph, int level) -> Level {
    const std::uint64_t level_seed = Generator(options.seed, static_cast<std::uint64_t>(level))();
    const bool sum = method == CoarseningMethod::kHeavyEdge || options.edges == EdgePooling::kSum;
    const Graph fine = sum ? with_unit_weights(graph) : graph;
    ParentMap parent = parents_above(method, fine, level_seed, options);
    Graph coarse =
        coarse_graph(fine, parent, {.edges = sum ? EdgePooling::kSum : EdgePooling::kMean});
    return {std::move(parent), std::move(coarse)};
  };
}

}  // namespace hgnet
