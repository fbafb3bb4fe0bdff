#include "hgnet/graph/batch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::edges;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

std::vector<Graph> graphs_without_names() {
  std::vector<Graph> graphs;
  for (const auto& [name, graph] : test::small_graphs()) graphs.push_back(graph);
  return graphs;
}

/// The union, built from one long edge list instead.
Graph union_from_edges(std::span<const Graph> graphs) {
  EdgeList list;
  std::int64_t first = 0;
  for (const Graph& graph : graphs) {
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (const NodeId u : graph.neighbours(v)) {
        list.source.push_back(first + v);
        list.target.push_back(first + u);
      }
    }
    first += graph.num_nodes();
  }
  return Graph::from_edges(first, list, {.self_loops = SelfLoops::kKeep});
}

TEST(Batch, EqualsTheUnionOfAllEdges) {
  const std::vector<Graph> graphs = graphs_without_names();
  const Batch batch{std::span<const Graph>(graphs)};
  const Graph expected = union_from_edges(graphs);
  EXPECT_EQ(batch.graph().parts().offsets, expected.parts().offsets);
  EXPECT_EQ(batch.graph().parts().columns, expected.parts().columns);
  EXPECT_EQ(batch.graph().num_self_loops(), expected.num_self_loops());
  EXPECT_EQ(batch.num_graphs(), static_cast<std::int64_t>(graphs.size()));
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const auto members = batch.graph_of_node().members(static_cast<NodeId>(g));
    ASSERT_EQ(static_cast<NodeId>(members.size()), graphs[g].num_nodes());
    if (!members.empty()) {
      EXPECT_EQ(members.front(), batch.node_offsets()[g]);
    }
  }
}

/// Structure that the graphs keep, and structure that they do not.
void expect_joined_structure(const std::vector<SelfLoopFill>& kept) {
  const std::vector<Graph> graphs = graphs_without_names();
  for (const Graph& graph : graphs) {
    graph.reverse();
    for (const SelfLoopFill fill : kept) graph.gcn_normalisation(fill);
  }
  const Batch batch{std::span<const Graph>(graphs)};
  const Graph expected = union_from_edges(graphs);
  EXPECT_THAT(batch.graph().reverse(), ElementsAreArray(expected.reverse()));
  for (const SelfLoopFill fill : {SelfLoopFill::kOne, SelfLoopFill::kTwo, SelfLoopFill::kNone}) {
    EXPECT_EQ(batch.graph().gcn_normalisation(fill).values,
              expected.gcn_normalisation(fill).values);
    EXPECT_EQ(batch.graph().gcn_normalisation(fill).diagonal,
              expected.gcn_normalisation(fill).diagonal);
  }
}

TEST(Batch, JoinedStructureEqualsComputedStructure) {
  expect_joined_structure({SelfLoopFill::kOne});
  expect_joined_structure({SelfLoopFill::kOne, SelfLoopFill::kTwo, SelfLoopFill::kNone});
}

TEST(Batch, RepeatsOneTopology) {
  const Graph grid = grid_graph(3, 2);
  const Batch batch = Batch::repeat(grid, 3);
  const std::vector<Graph> copies(3, grid);
  EXPECT_EQ(batch.graph().parts().columns,
            Batch(std::span<const Graph>(copies)).graph().parts().columns);
  EXPECT_THAT(batch.node_offsets(), ElementsAre(0, 6, 12, 18));
  EXPECT_THAT(batch.edge_offsets(), ElementsAre(0, 14, 28, 42));
  EXPECT_EQ(Batch::repeat(grid, 0).graph().num_nodes(), 0);
}

TEST(Batch, JoinsWeightsAndRows) {
  EdgeList weighted = edges({{0, 1}});
  weighted.weight = {3};
  const std::vector<Graph> mixed{path_graph(2), Graph::from_edges(2, weighted)};
  const Batch batch{std::span<const Graph>(mixed)};
  EXPECT_THAT(batch.graph().weights(), ElementsAre(1, 1, 3, 3));

  EdgeList rows = edges({{0, 1}});
  rows.rows = {5, 6};
  rows.row_width = 2;
  const std::vector<Graph> with_rows{path_graph(1), Graph::from_edges(2, rows)};
  const Batch joined{std::span<const Graph>(with_rows)};
  EXPECT_THAT(joined.graph().edge_rows(), ElementsAre(5, 6, 5, 6));
  EXPECT_EQ(joined.graph().edge_row_width(), 2);

  const std::vector<Graph> clash{path_graph(2), Graph::from_edges(2, rows)};
  try {
    const Batch refused{std::span<const Graph>(clash)};
    FAIL();
  } catch (const InvalidGraph& error) {
    EXPECT_THAT(error.what(), HasSubstr("graph 1 has edge rows of width 2"));
  }
}

TEST(Batch, OfNothingIsEmpty) {
  const Batch batch;
  EXPECT_EQ(batch.num_graphs(), 0);
  EXPECT_EQ(batch.graph().num_nodes(), 0);
  EXPECT_EQ(batch.graph_of_node().num_children(), 0);
}

}  // namespace
}  // namespace hgnet
