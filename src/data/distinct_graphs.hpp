#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// The graphs of a data set without duplicates.
struct DistinctGraphs {
  std::vector<const Graph*> graphs;  // in the order of first occurrence
  std::vector<std::size_t> number;   // by graph of the data set: which of `graphs` it is
};

inline DistinctGraphs distinct_graphs(const std::vector<Graph>& graphs) {
  DistinctGraphs distinct;
  std::unordered_map<const void*, std::size_t> number_of;
  for (const Graph& graph : graphs) {
    const auto [place, is_new] = number_of.try_emplace(graph.identity(), distinct.graphs.size());
    if (is_new) distinct.graphs.push_back(&graph);
    distinct.number.push_back(place->second);
  }
  return distinct;
}

}  // namespace hgnet
