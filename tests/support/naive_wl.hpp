#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "hgnet/graph/graph.hpp"

namespace hgnet::test {

/// Weisfeiler-Lehman colours by the definition: a colour is a number for what a node and its
/// neighbours had the round before. Graphs that are refined by the same object can be compared.
class NaiveWl {
 public:
  /// By node, after so many rounds.
  std::vector<int> colours(const Graph& graph, std::vector<int> labels, int rounds) {
    for (int round = 0; round < rounds; ++round) {
      std::vector<int> next;
      for (NodeId v = 0; v < graph.num_nodes(); ++v) {
        std::vector<int> around;
        for (const NodeId u : graph.neighbours(v)) around.push_back(labels[u]);
        std::sort(around.begin(), around.end());
        next.push_back(
            numbers_.try_emplace({round, labels[v], around}, static_cast<int>(numbers_.size()))
                .first->second);
      }
      labels = std::move(next);
    }
    return labels;
  }

 private:
  std::map<std::tuple<int, int, std::vector<int>>, int> numbers_;
};

}  // namespace hgnet::test
