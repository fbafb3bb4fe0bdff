#include "hgnet/graph/subgraph.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "hgnet/coarsening/build.hpp"
#include "hgnet/coarsening/methods.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::small_graphs;

Graph weighted_graph() {
  EdgeList list = test::edges({{0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 2}, {1, 3}});
  list.weight = {1, 2, 3, 4, 5, 6};
  list.rows = {10, 20, 30, 40, 50, 60};
  list.row_width = 1;
  return Graph::from_edges(5, list, {.self_loops = SelfLoops::kKeep});
}

/// Every second node, in reverse.
std::vector<NodeId> some_nodes(const Graph& graph) {
  std::vector<NodeId> nodes;
  for (NodeId v = graph.num_nodes(); v-- > 0;) {
    if (v % 2 == 0) nodes.push_back(v);
  }
  return nodes;
}

TEST(Subgraph, AmongNodesHasTheEdgesBetweenThemAndKeepsWeightsAndRows) {
  for (const auto& [name, graph] : small_graphs()) {
    SCOPED_TRACE(name);
    SubgraphCutter cutter(graph);
    for (int round = 0; round < 2; ++round) {  // a cutter can be used again
      const Subgraph part = cutter.among(some_nodes(graph));
      EXPECT_NO_THROW(Graph::from_csr(part.graph.parts()));
      EXPECT_EQ(part.nodes, some_nodes(graph));
      for (NodeId a = 0; a < part.graph.num_nodes(); ++a) {
        for (NodeId b = 0; b < part.graph.num_nodes(); ++b)
          EXPECT_EQ(part.graph.has_edge(a, b), graph.has_edge(part.nodes[a], part.nodes[b]));
      }
    }
  }
  const Graph graph = weighted_graph();
  const Subgraph part = SubgraphCutter(graph).among({2, 1});
  EXPECT_EQ(part.graph.parts().columns, (std::vector<NodeId>{0, 1, 0}));
  EXPECT_EQ(part.graph.parts().weights, (std::vector<float>{5, 2, 2}));
  EXPECT_EQ(part.graph.parts().edge_rows, (std::vector<float>{50, 20, 20}));
  EXPECT_EQ(part.graph.parts().outside, (std::vector<float>{3, 7}));
}

TEST(Subgraph, NormalisationIsThatOfTheWholeGraph) {
  std::vector<test::NamedGraph> graphs = small_graphs();
  graphs.push_back({"weighted", weighted_graph()});
  for (const auto& [name, graph] : graphs) {
    for (const SelfLoopFill fill : {SelfLoopFill::kOne, SelfLoopFill::kTwo, SelfLoopFill::kNone}) {
      SCOPED_TRACE(name);
      const GcnNormalisation& whole = graph.gcn_normalisation(fill);
      const Subgraph part = SubgraphCutter(graph).among(some_nodes(graph));
      const GcnNormalisation& cut = part.graph.gcn_normalisation(fill);
      for (std::size_t s = 0; s < part.slots.size(); ++s)
        EXPECT_FLOAT_EQ(cut.values[s], whole.values[part.slots[s]]);
      for (std::size_t v = 0; v < part.nodes.size(); ++v)
        EXPECT_FLOAT_EQ(cut.diagonal[v], whole.diagonal[part.nodes[v]]);
    }
  }
}

// What is outside of the graph is outside of its parts, too.
TEST(Subgraph, APartOfAPartIsNormalisedAsTheWholeGraph) {
  std::vector<test::NamedGraph> graphs = small_graphs();
  graphs.push_back({"weighted", weighted_graph()});
  for (const auto& [name, graph] : graphs) {
    SCOPED_TRACE(name);
    const GcnNormalisation& whole = graph.gcn_normalisation(SelfLoopFill::kOne);
    const Subgraph part = SubgraphCutter(graph).among(some_nodes(graph));
    const Subgraph less = SubgraphCutter(part.graph).among(some_nodes(part.graph));
    const GcnNormalisation& cut = less.graph.gcn_normalisation(SelfLoopFill::kOne);
    for (std::size_t v = 0; v < less.nodes.size(); ++v)
      EXPECT_FLOAT_EQ(cut.diagonal[v], whole.diagonal[part.nodes[less.nodes[v]]]);
  }
}

TEST(Subgraph, AroundNodesHasTheirWholeRowsInTheSameOrder) {
  std::vector<test::NamedGraph> graphs = small_graphs();
  graphs.push_back({"weighted", weighted_graph()});
  for (const auto& [name, graph] : graphs) {
    SCOPED_TRACE(name);
    SubgraphCutter cutter(graph);
    for (NodeId begin = 0; begin + 1 < graph.num_nodes(); begin += 2) {
      const Subgraph part = cutter.around(begin, begin + 2);
      EXPECT_TRUE(std::is_sorted(part.nodes.begin(), part.nodes.end()));
      const GcnNormalisation& whole = graph.gcn_normalisation(SelfLoopFill::kOne);
      const GcnNormalisation& cut = part.graph.gcn_normalisation(SelfLoopFill::kOne);
      for (NodeId i = 0; i < 2; ++i) {
        std::vector<NodeId> row;
        for (const NodeId u : part.graph.neighbours(part.first + i)) row.push_back(part.nodes[u]);
        EXPECT_THAT(row, testing::ElementsAreArray(graph.neighbours(begin + i)));
        for (std::size_t s = 0; s < row.size(); ++s) {
          EXPECT_FLOAT_EQ(cut.values[part.graph.offsets()[part.first + i] + s],
                          whole.values[graph.offsets()[begin + i] + s]);
        }
        EXPECT_FLOAT_EQ(cut.diagonal[part.first + i], whole.diagonal[begin + i]);
      }
    }
  }
}

TEST(Subgraph, AHierarchyKeepsTheParentsOfItsNodesAndTheEdgesAmongThem) {
  Generator generator(3);
  const Graph graph = random_graph(200, 500, generator);
  const Hierarchy whole =
      build_hierarchy_of_depth(graph, 3, coarsen_step(Coarsening::kLouvain, {}, 1));
  std::vector<NodeId> nodes(60);
  std::iota(nodes.begin(), nodes.end(), 70);
  generator.shuffle(std::span(nodes));
  const Hierarchy part = HierarchyCutter(whole).among(nodes);
  ASSERT_EQ(part.num_levels(), whole.num_levels());
  std::vector<NodeId> of_whole = nodes;  // by node of the part's level
  for (int l = 0; l <= part.num_levels(); ++l) {
    const Graph& level = part.graph(l);
    ASSERT_EQ(level.num_nodes(), static_cast<NodeId>(of_whole.size()));
    for (NodeId a = 0; a < level.num_nodes(); ++a) {
      for (NodeId b = 0; b < level.num_nodes(); ++b)
        EXPECT_EQ(level.has_edge(a, b), whole.graph(l).has_edge(of_whole[a], of_whole[b]));
    }
    if (l == part.num_levels()) break;
    std::vector<NodeId> above(part.graph(l + 1).num_nodes(), kNoNode);
    for (NodeId v = 0; v < level.num_nodes(); ++v) {
      NodeId& parent = above[part.parent(l).parent(v)];
      const NodeId expected = whole.parent(l).parent(of_whole[v]);
      EXPECT_TRUE(parent == kNoNode || parent == expected);
      parent = expected;
    }
    of_whole = above;
  }
}

}  // namespace
}  // namespace hgnet
