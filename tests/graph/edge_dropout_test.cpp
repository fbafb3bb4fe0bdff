#include "hgnet/graph/edge_dropout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hgnet/core/error.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

Graph dropped(const Graph& graph, double p, std::uint64_t seed) {
  Generator generator(seed);
  return drop_edges(graph, p, generator);
}

EdgeId slot_of(const Graph& graph, NodeId source, NodeId target) {
  const auto row = graph.neighbours(target);
  return graph.offsets()[target] + (std::lower_bound(row.begin(), row.end(), source) - row.begin());
}

/// Every edge has a weight and a row that identify it.
Graph marked_graph() {
  Generator generator(3);
  EdgeList list;
  list.row_width = 2;
  for (int i = 0; i < 300; ++i) {
    list.source.push_back(static_cast<std::int64_t>(generator.below(60)));
    list.target.push_back(static_cast<std::int64_t>(generator.below(60)));
    list.weight.push_back(static_cast<float>(i));
    list.rows.push_back(static_cast<float>(2 * i));
    list.rows.push_back(static_cast<float>(3 * i));
  }
  return Graph::from_edges(60, list, {.self_loops = SelfLoops::kKeep});
}

TEST(DropEdges, LeavesAValidGraphOnTheSameNodes) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    for (const double p : {0.1, 0.5, 0.99}) {
      const Graph fewer = dropped(graph, p, 1);
      EXPECT_EQ(fewer.num_nodes(), graph.num_nodes());
      EXPECT_NO_THROW(Graph::from_csr(fewer.parts()));  // both directions, ascending
      for (NodeId v = 0; v < fewer.num_nodes(); ++v) {
        for (const NodeId u : fewer.neighbours(v)) EXPECT_TRUE(graph.has_edge(u, v));
      }
    }
  }
}

TEST(DropEdges, LeavesOutItsShareOfUndirectedEdges) {
  const Graph graph = test::skewed_graph();
  const auto all = static_cast<double>(graph.num_undirected_edges());
  for (const double p : {0.1, 0.5, 0.9}) {
    const auto left = static_cast<double>(dropped(graph, p, 2).num_undirected_edges());
    EXPECT_NEAR(left / all, 1 - p, 5 * std::sqrt(p * (1 - p) / all));
  }
}

TEST(DropEdges, LeavesOutItsShareOfSelfLoops) {
  EdgeList loops;
  for (int v = 0; v < 20'000; ++v) {
    loops.source.push_back(v);
    loops.target.push_back(v);
  }
  const Graph graph = Graph::from_edges(20'000, loops, {.self_loops = SelfLoops::kKeep});
  const Graph fewer = dropped(graph, 0.3, 2);
  EXPECT_NEAR(static_cast<double>(fewer.num_self_loops()), 14'000, 5 * std::sqrt(20'000 * 0.21));
  EXPECT_EQ(fewer.num_edges(), fewer.num_self_loops());
}

TEST(DropEdges, KeepsWeightsAndRowsWithTheirEdges) {
  const Graph graph = marked_graph();
  const Graph fewer = dropped(graph, 0.4, 1);
  ASSERT_LT(fewer.num_edges(), graph.num_edges());
  ASSERT_GT(fewer.num_edges(), 0);
  ASSERT_EQ(fewer.edge_row_width(), 2);
  for (NodeId v = 0; v < fewer.num_nodes(); ++v) {
    for (const NodeId u : fewer.neighbours(v)) {
      const EdgeId now = slot_of(fewer, u, v);
      const EdgeId before = slot_of(graph, u, v);
      EXPECT_EQ(fewer.weights()[now], graph.weights()[before]);
      EXPECT_THAT(fewer.edge_rows().subspan(2 * now, 2),
                  ElementsAreArray(graph.edge_rows().subspan(2 * before, 2)));
    }
  }
}

TEST(DropEdges, IsDeterministicInTheGenerator) {
  const Graph graph = marked_graph();
  EXPECT_THAT(dropped(graph, 0.5, 1).columns(), ElementsAreArray(dropped(graph, 0.5, 1).columns()));
  EXPECT_THAT(dropped(graph, 0.5, 1).columns(),
              testing::Not(ElementsAreArray(dropped(graph, 0.5, 2).columns())));
  Generator generator(1);
  const Graph first = drop_edges(graph, 0.5, generator);
  const Graph second = drop_edges(graph, 0.5, generator);
  EXPECT_THAT(first.columns(), testing::Not(ElementsAreArray(second.columns())));
}

TEST(DropEdges, WithZeroTheGraphIsTheSameAndNothingIsDrawn) {
  const Graph graph = marked_graph();
  Generator generator(1);
  EXPECT_EQ(drop_edges(graph, 0, generator).identity(), graph.identity());
  EXPECT_EQ(generator(), Generator(1)());
}

TEST(DropEdges, RefusesSharesOutOfRange) {
  const Graph graph = path_graph(3);
  for (const double p : {1.0, -0.1, std::nan("")}) {
    EXPECT_THAT(test::error_of<InvalidGraph>([&] { dropped(graph, p, 1); }),
                HasSubstr("expected 0 <= p < 1"));
  }
}

}  // namespace
}  // namespace hgnet
