#include "hgnet/graph/graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <thread>

#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::edges;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Graph, StoresBothDirectionsSortedAndOnce) {
  const Graph graph = Graph::from_edges(4, edges({{2, 0}, {0, 1}, {1, 0}, {0, 2}, {3, 0}, {0, 1}}));
  EXPECT_EQ(graph.num_nodes(), 4);
  EXPECT_EQ(graph.num_edges(), 6);
  EXPECT_EQ(graph.num_undirected_edges(), 3);
  EXPECT_THAT(graph.neighbours(0), ElementsAre(1, 2, 3));
  EXPECT_THAT(graph.neighbours(1), ElementsAre(0));
  EXPECT_THAT(graph.neighbours(3), ElementsAre(0));
  EXPECT_EQ(graph.degree(0), 3);
  EXPECT_TRUE(graph.has_edge(2, 0));
  EXPECT_FALSE(graph.has_edge(1, 2));
}

TEST(Graph, RemovesOrKeepsSelfLoops) {
  const EdgeList list = edges({{0, 0}, {0, 1}, {1, 1}, {1, 1}});
  EXPECT_EQ(Graph::from_edges(2, list).num_edges(), 2);
  const Graph kept = Graph::from_edges(2, list, {.self_loops = SelfLoops::kKeep});
  EXPECT_EQ(kept.num_edges(), 4);
  EXPECT_EQ(kept.num_self_loops(), 2);
  EXPECT_EQ(kept.num_undirected_edges(), 3);
  EXPECT_THAT(kept.neighbours(1), ElementsAre(0, 1));
}

TEST(Graph, MatchesASetOfPairsOnRandomLists) {
  Generator generator(1);
  for (int round = 0; round < 50; ++round) {
    const auto n = static_cast<std::int64_t>(generator.below(12) + 1);
    EdgeList list;
    std::map<std::pair<NodeId, NodeId>, float> first_weight;
    for (std::uint64_t i = generator.below(40); i > 0; --i) {
      const auto u = static_cast<NodeId>(generator.below(n));
      const auto v = static_cast<NodeId>(generator.below(n));
      list.source.push_back(u);
      list.target.push_back(v);
      list.weight.push_back(static_cast<float>(generator.uniform()));
      first_weight.try_emplace({u, v}, list.weight.back());
      first_weight.try_emplace({v, u}, first_weight.at({u, v}));
    }
    const Graph graph = Graph::from_edges(n, list, {.self_loops = SelfLoops::kKeep});
    ASSERT_EQ(static_cast<std::size_t>(graph.num_edges()), first_weight.size());
    auto expected = first_weight.begin();
    for (NodeId v = 0; v < n; ++v) {
      for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s, ++expected) {
        EXPECT_EQ(expected->first, std::pair(v, graph.columns()[s]));
        EXPECT_EQ(expected->second, graph.weights()[s]);
      }
    }
    EXPECT_NO_THROW(Graph::from_csr(graph.parts()));
  }
}

TEST(Graph, FromListedEdgesIsTheGraphOfTheList) {
  Generator generator(9);
  for (const std::int64_t n : {1, 7, 300}) {
    EdgeList list;
    for (int i = 0; i < 900; ++i) {
      list.source.push_back(static_cast<std::int64_t>(generator.below(n)));
      list.target.push_back(static_cast<std::int64_t>(generator.below(n)));
    }
    EdgeList weighted = list;  // which is built in another way
    weighted.weight.assign(900, 1.0F);
    const auto listed = [&](const EdgeSink& edge) {
      for (int i = 0; i < 900; ++i) edge(list.source[i], list.target[i]);
    };
    for (const SelfLoops loops : {SelfLoops::kKeep, SelfLoops::kRemove}) {
      const Graph expected = Graph::from_edges(n, weighted, {.self_loops = loops});
      for (const Graph& got : {Graph::from_listed(n, listed, loops, 3),
                               Graph::from_edges(n, list, {.self_loops = loops})}) {
        EXPECT_EQ(got.parts().offsets, expected.parts().offsets);
        EXPECT_EQ(got.parts().columns, expected.parts().columns);
        EXPECT_EQ(got.num_self_loops(), expected.num_self_loops());
      }
    }
  }
}

TEST(Graph, FromListedEdgesRefusesWrongNodesAndAListThatChanges) {
  const auto error = [](const std::function<void(const EdgeSink&)>& list) {
    return test::error_of<InvalidGraph>([&] { Graph::from_listed(3, list); });
  };
  EXPECT_THAT(error([](const EdgeSink& edge) { edge(0, 1), edge(1, 3); }),
              HasSubstr("edge 1 (1 -> 3): target 3 is too large"));
  int calls = 0;
  EXPECT_THAT(error([&](const EdgeSink& edge) { edge(calls++ == 0 ? 0 : 1, 2); }),
              HasSubstr("changed while it was read"));
  calls = 0;
  EXPECT_THAT(error([&](const EdgeSink& edge) {
                if (calls++ == 0) edge(0, 1);
              }),
              HasSubstr("changed while it was read"));
}

TEST(Graph, OfMappedMemoryIsCheckedAndKeepsItsOwner) {
  auto parts = std::make_shared<const GraphParts>(
      GraphParts{{0, 1, 3, 4}, {1, 0, 2, 1}, {1, 1, 2, 2}, {}, 0});
  const std::weak_ptr<const GraphParts> watch = parts;
  const GraphView view{parts->offsets, parts->columns, parts->weights};
  Graph graph = Graph::from_csr(view, std::move(parts));
  EXPECT_EQ(graph.columns().data(), watch.lock()->columns.data());
  EXPECT_TRUE(graph.has_edge(2, 1));
  EXPECT_THAT(test::error_of<InvalidGraph>([&] {
                Graph::from_csr({graph.offsets(), graph.columns().subspan(1)}, nullptr);
              }),
              HasSubstr("offsets must run"));
  graph = Graph();
  EXPECT_TRUE(watch.expired());
}

TEST(Graph, MergesRepeatedEdgesByTheRuleAsked) {
  EdgeList list = edges({{0, 1}, {1, 0}, {0, 1}});
  list.weight = {2, 4, 9};
  list.rows = {1, 10, 2, 20, 6, 0};
  list.row_width = 2;
  const auto build = [&](Merge merge) { return Graph::from_edges(2, list, {.merge = merge}); };
  EXPECT_THAT(build(Merge::kFirst).weights(), ElementsAre(2, 2));
  EXPECT_THAT(build(Merge::kSum).weights(), ElementsAre(15, 15));
  EXPECT_THAT(build(Merge::kMean).weights(), ElementsAre(5, 5));
  EXPECT_THAT(build(Merge::kMax).weights(), ElementsAre(9, 9));
  EXPECT_THAT(build(Merge::kMax).edge_rows(), ElementsAre(6, 20, 6, 20));
  EXPECT_THAT(build(Merge::kMean).edge_rows(), ElementsAre(3, 10, 3, 10));
  EXPECT_EQ(build(Merge::kMean).edge_row_width(), 2);
}

TEST(Graph, EmptyGraphsAndIsolatedNodesWork) {
  for (const Graph& graph : {Graph(), Graph::from_edges(0, {}), Graph::from_csr({})}) {
    EXPECT_EQ(graph.num_nodes(), 0);
    EXPECT_EQ(graph.num_edges(), 0);
    EXPECT_THAT(graph.reverse(), IsEmpty());
    EXPECT_THAT(graph.gcn_normalisation(SelfLoopFill::kOne).values, IsEmpty());
  }
  const Graph isolated = Graph::from_edges(3, {});
  EXPECT_EQ(isolated.num_nodes(), 3);
  EXPECT_THAT(isolated.neighbours(1), IsEmpty());
  EXPECT_THAT(isolated.gcn_normalisation(SelfLoopFill::kOne).diagonal, ElementsAre(1, 1, 1));
}

TEST(Graph, ReverseLeadsToTheOtherDirection) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
        const EdgeId r = graph.reverse()[s];
        const NodeId u = graph.columns()[s];
        EXPECT_GE(r, graph.offsets()[u]);
        EXPECT_LT(r, graph.offsets()[u + 1]);
        EXPECT_EQ(graph.columns()[r], v);
      }
    }
  }
}

TEST(Graph, KeptStructureIsMadeOnceWhicheverThreadAsksFirst) {
  const Graph graph = test::skewed_graph();
  std::vector<const EdgeId*> seen(8);
  std::vector<std::thread> threads;
  for (auto& pointer : seen) {
    threads.emplace_back([&graph, &pointer] { pointer = graph.reverse().data(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const EdgeId* pointer : seen) EXPECT_EQ(pointer, seen.front());
}

TEST(Graph, RefusesBadEdgeListsNamingTheEdge) {
  const auto build = [](std::int64_t nodes, EdgeList list) {
    return test::error_of<InvalidGraph>([&] { Graph::from_edges(nodes, list); });
  };
  EXPECT_EQ(build(3, edges({{0, 1}, {1, 3}})),
            "edge 1 (1 -> 3): target 3 is too large; expected 0 <= id < 3");
  EXPECT_EQ(build(3, edges({{-2, 1}})),
            "edge 0 (-2 -> 1): source -2 is negative; expected 0 <= id < 3");
  EXPECT_THAT(build(3, edges({{1LL << 40, 1}})), HasSubstr("edge 0"));
  EXPECT_THAT(build(0, edges({{0, 0}})), HasSubstr("edge 0"));
  EXPECT_THAT(build(-1, {}), HasSubstr("node count -1"));
  EXPECT_THAT(build(std::numeric_limits<std::int64_t>::max(), {}), HasSubstr("node count"));

  EdgeList list = edges({{0, 1}, {1, 2}});
  list.target.pop_back();
  EXPECT_EQ(build(3, list),
            "edge list: the list of targets has 1 entries where the sources have 2 (the first edge "
            "without a counterpart is edge 1)");
  list = edges({{0, 1}, {1, 2}});
  list.weight = {1};
  EXPECT_THAT(build(3, list), HasSubstr("the list of weights has 1 entries"));
  list.weight = {1, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_EQ(build(3, list), "edge 1 (1 -> 2): weight is not finite");
  list = edges({{0, 1}, {1, 2}});
  list.rows = {1, 2, 3};
  list.row_width = 2;
  EXPECT_THAT(build(3, list), HasSubstr("3 edge row entries do not make rows of width 2"));
  list.rows = {1, 2};
  EXPECT_THAT(build(3, list), HasSubstr("the list of edge rows has 1 entries"));
  list.row_width = 0;
  EXPECT_THAT(build(3, list), HasSubstr("rows of width 0"));
  list.row_width = -1;
  EXPECT_THAT(build(3, list), HasSubstr("row width -1"));
}

TEST(Graph, RefusesWeightsWhoseSumAFloatDoesNotHold) {
  EdgeList list{{0, 1}, {1, 2}, {1e38F, 1e38F}, {}, 0};
  const std::string expected = "the magnitudes of its weights sum to 4e+38; expected at most";
  EXPECT_THAT(test::error_of<InvalidGraph>([&] { Graph::from_edges(3, list); }),
              HasSubstr(expected));
  list.weight = {1e38F, 5e37F};
  GraphParts parts = Graph::from_edges(3, list).parts();
  parts.weights.assign(4, -1e38F);
  EXPECT_THAT(test::error_of<InvalidGraph>([&] { Graph::from_csr(parts); }), HasSubstr(expected));
  list = {{0, 0}, {1, 1}, {3e38F, 3e38F}, {}, 0};
  EXPECT_THAT(
      test::error_of<InvalidGraph>([&] { Graph::from_edges(2, list, {.merge = Merge::kSum}); }),
      HasSubstr("sum to inf"));
}

TEST(Graph, NormalisesOnlyPositiveDegrees) {
  const auto error = [](std::vector<float> weights, SelfLoopFill fill) {
    const Graph graph = Graph::from_edges(3, {{0, 1}, {1, 2}, std::move(weights), {}, 0});
    return test::error_of<InvalidGraph>([&] { graph.gcn_normalisation(fill); });
  };
  EXPECT_THAT(error({-2, 5}, SelfLoopFill::kOne),
              HasSubstr("the weights of node 0 give it the degree -1; expected a positive one"));
  EXPECT_THAT(error({5, -1}, SelfLoopFill::kOne), HasSubstr("node 2 give it the degree 0"));
  EXPECT_EQ(error({5, -1}, SelfLoopFill::kTwo), "no error");
  EXPECT_THAT(error({-0.5, 2}, SelfLoopFill::kNone), HasSubstr("node 0 give it the degree -0.5"));
  EXPECT_EQ(error({0, 0}, SelfLoopFill::kNone), "no error") << "as if without edges";
  EXPECT_EQ(error({-0.5, 2}, SelfLoopFill::kOne), "no error");
}

TEST(Graph, FromCsrRefusesEveryBrokenRule) {
  const auto error = [](GraphParts parts) {
    return test::error_of<InvalidGraph>([&] { Graph::from_csr(std::move(parts)); });
  };
  const GraphParts good{{0, 1, 3, 4}, {1, 0, 2, 1}, {1, 1, 2, 2}, {}, 0};
  EXPECT_EQ(error(good), "no error");
  GraphParts bad = good;
  bad.offsets = {};
  EXPECT_THAT(error(bad), HasSubstr("offsets must run from 0 to the number of slots, 4"));
  bad = good;
  bad.offsets = {0, 1, 0, 4};
  EXPECT_THAT(error(bad), HasSubstr("row 1: offsets decrease"));
  bad = good;
  bad.offsets = {0, 9, 9, 4};
  EXPECT_THAT(error(bad), HasSubstr("row 0: offsets pass the number of slots"));
  bad = good;
  bad.columns = {1, 0, 3, 1};
  EXPECT_THAT(error(bad), HasSubstr("row 1: neighbour 3 is not a node"));
  bad = good;
  bad.columns = {1, 2, 0, 1};
  EXPECT_THAT(error(bad), HasSubstr("row 1: neighbours do not ascend at 0"));
  bad = good;
  bad.columns = {2, 0, 2, 1};
  EXPECT_THAT(error(bad), HasSubstr("does not list the node in return"));
  bad = good;
  bad.weights = {1, 2, 2, 2};
  EXPECT_THAT(error(bad), HasSubstr("row 0: weights of the two directions differ at neighbour 1"));
  bad = good;
  bad.weights = {1};
  EXPECT_THAT(error(bad), HasSubstr("1 weights, expected 4"));
  bad = good;
  bad.edge_row_width = 2;
  EXPECT_THAT(error(bad), HasSubstr("0 edge row entries, expected 8"));
  bad.edge_row_width = 1;
  bad.edge_rows = {1, 1, 3, 4};
  EXPECT_THAT(error(bad), HasSubstr("row 1: edge rows of the two directions differ"));
}

}  // namespace
}  // namespace hgnet
