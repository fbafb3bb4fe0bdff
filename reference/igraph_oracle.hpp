// igraph's Louvain, for a test and a benchmark. Header-only: code that includes it must link
// igraph, which is GPL.

#pragma once

#include <igraph.h>

#include <vector>

#include "hgnet/graph/graph.hpp"

namespace hgnet::oracle {

/// A graph in igraph's representation.
class IgraphGraph {
 public:
  explicit IgraphGraph(const Graph& graph) {
    igraph_vector_int_t edges;
    igraph_vector_int_init(&edges, 0);
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (const NodeId u : graph.neighbours(v)) {
        if (u > v) continue;
        igraph_vector_int_push_back(&edges, u);
        igraph_vector_int_push_back(&edges, v);
      }
    }
    igraph_create(&graph_, &edges, graph.num_nodes(), IGRAPH_UNDIRECTED);
    igraph_vector_int_destroy(&edges);
  }
  IgraphGraph(const IgraphGraph&) = delete;
  IgraphGraph& operator=(const IgraphGraph&) = delete;
  ~IgraphGraph() { igraph_destroy(&graph_); }

  /// Modularity after each level of igraph_community_multilevel.
  std::vector<double> multilevel_modularities() const {
    igraph_vector_int_t membership;
    igraph_vector_int_init(&membership, 0);
    igraph_vector_t by_level;
    igraph_vector_init(&by_level, 0);
    igraph_community_multilevel(&graph_, nullptr, 1.0, &membership, nullptr, &by_level);
    std::vector<double> result(VECTOR(by_level), VECTOR(by_level) + igraph_vector_size(&by_level));
    igraph_vector_destroy(&by_level);
    igraph_vector_int_destroy(&membership);
    return result;
  }

 private:
  igraph_t graph_;
};

}  // namespace hgnet::oracle
