#include "hgnet/nn/pools/edge_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::DenseGraph;
using test::Inputs;
using torch::Tensor;

constexpr std::int64_t kWidth = 4;

/// One level by the definition, from a dense matrix.
struct NaiveLevel {
  std::vector<std::int64_t> parent;
  std::vector<std::int64_t>
      place;  // of coarse nodes in edge ids: the order in which they were made
  Tensor adjacency;
  Tensor x;
  Tensor score;
};

/// s[u][v] = 0.5 + softmax over the edges into v of w1 . x_u + w2 . x_v + b.
Tensor naive_scores(const Tensor& adjacency, const Tensor& x, const EdgePoolImpl& pool) {
  std::vector<Tensor> columns;
  for (std::int64_t v = 0; v < x.size(0); ++v) {
    const Tensor r = x.mv(pool.weight[0]) + pool.weight[1].dot(x[v]) + pool.bias;
    const Tensor e = (adjacency.select(1, v) != 0).to(torch::kFloat64) * (r - r.max()).exp();
    columns.push_back(0.5 + e / e.sum().clamp_min(1e-300));
  }
  return torch::stack(columns, 1);
}

/// The edge of each coarse node as (u, v), or (v, v) for an unmerged node; and the order in which
/// they were contracted.
std::vector<std::pair<std::int64_t, std::int64_t>> greedy(const Tensor& adjacency, const Tensor& s,
                                                          const std::vector<std::int64_t>& place) {
  const std::int64_t nodes = s.size(0);
  std::vector<std::tuple<double, std::int64_t, std::int64_t, std::int64_t, std::int64_t>> edges;
  for (std::int64_t u = 0; u < nodes; ++u) {
    for (std::int64_t v = 0; v < nodes; ++v) {
      if (adjacency[u][v].item<double>() != 0)
        edges.emplace_back(s[u][v].item<double>(), place[u], place[v], u, v);
    }
  }
  std::sort(edges.rbegin(), edges.rend());  // highest first; of equal scores, the larger id
  std::vector<bool> taken(nodes, false);
  std::vector<std::pair<std::int64_t, std::int64_t>> made;
  for (const auto& [score, source_place, target_place, u, v] : edges) {
    if (taken[u] || taken[v]) continue;
    taken[u] = taken[v] = true;
    made.emplace_back(u, v);
  }
  std::vector<std::int64_t> rest(nodes);
  std::iota(rest.begin(), rest.end(), 0);
  std::erase_if(rest, [&](std::int64_t v) { return taken[v]; });
  std::sort(rest.begin(), rest.end(), [&](auto a, auto b) { return place[a] < place[b]; });
  for (const std::int64_t v : rest) made.emplace_back(v, -1);
  return made;
}

Tensor coarse_adjacency(const Tensor& fine, const Tensor& members, bool weighted,
                        const CoarseGraphOptions& options) {
  const Tensor sum = members.mm(fine).mm(members.t());
  const Tensor count = members.mm((fine != 0).to(torch::kFloat64)).mm(members.t());
  Tensor result = (count > 0).to(torch::kFloat64);
  if (weighted) result = options.edges == EdgePooling::kSum ? sum : sum / count.clamp_min(1);
  if (options.self_loops == SelfLoops::kRemove)
    result = result * (1 - torch::eye(result.size(0), torch::kFloat64));
  return result;
}

NaiveLevel naive_pool(const Tensor& adjacency, const Tensor& x,
                      const std::vector<std::int64_t>& place, bool weighted,
                      const CoarseGraphOptions& options, const EdgePoolImpl& pool) {
  const Tensor s = naive_scores(adjacency, x, pool);
  const auto made = greedy(adjacency, s.detach(), place);
  std::vector<std::int64_t> order(made.size());  // by smallest member
  std::iota(order.begin(), order.end(), 0);
  const auto smallest = [&](std::int64_t i) {
    return made[i].second < 0 ? made[i].first : std::min(made[i].first, made[i].second);
  };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return smallest(a) < smallest(b); });
  NaiveLevel level;
  level.parent.assign(x.size(0), -1);
  Tensor members = torch::zeros({std::ssize(made), x.size(0)}, torch::kFloat64);
  std::vector<Tensor> rows;
  std::vector<Tensor> scores;
  for (std::int64_t p = 0; p < std::ssize(order); ++p) {
    const auto [u, v] = made[order[p]];
    level.place.push_back(order[p]);
    for (const std::int64_t member : {u, v}) {
      if (member < 0) continue;
      level.parent[member] = p;
      members[p][member] = 1;
    }
    const bool loop = u == v;  // "contracted" with itself: its row once, times the score
    scores.push_back(v < 0 ? torch::ones({}, torch::kFloat64) : s[u][v]);
    rows.push_back(scores.back() * (v < 0 || loop ? x[u] : x[u] + x[v]));
  }
  level.x = torch::stack(rows);
  level.score = torch::stack(scores);
  level.adjacency = coarse_adjacency(adjacency, members, weighted, options);
  return level;
}

void expect_graph(const Graph& got, const Tensor& expected) {
  ASSERT_EQ(got.num_nodes(), expected.size(0));
  EXPECT_EQ(got.num_edges(), expected.count_nonzero().item<std::int64_t>());
  for (NodeId v = 0; v < got.num_nodes(); ++v) {
    for (EdgeId s = got.offsets()[v]; s < got.offsets()[v + 1]; ++s) {
      const double weight = got.has_weights() ? got.weights()[s] : 1.0;
      EXPECT_NEAR(weight, expected[got.columns()[s]][v].item<double>(), 1e-6);
    }
  }
}

/// Two levels: parents, graphs, rows, scores, the returned fine rows, and all gradients.
void expect_edge_pool(const DenseGraph& graph, const CoarseGraphOptions& options) {
  SCOPED_TRACE(graph.name);
  Generator generator(1);
  EdgePool pool(PoolOptions{.width = kWidth, .coarse = options, .keep_score = true}, generator);
  test::randomise(*pool);
  const bool weighted = graph.graph.has_weights();
  const auto pooled = [&](const Inputs& in) {
    PoolLevel here{0, graph.graph, {}, {}};
    Tensor x = in[0];
    std::vector<Tensor> parts;
    for (int l = 0; l < 2; ++l) {
      const Pooled level = pool->forward(here, x, Hierarchy());
      parts.insert(parts.end(), {level.x.flatten(), level.score, level.fine.flatten()});
      here = {l + 1, level.level.graph, {}, level.order};
      x = level.x;
    }
    return torch::cat(parts);
  };
  const auto naive = [&](const Inputs& in) {
    Tensor adjacency = graph.adjacency;
    Tensor x = in[0];
    std::vector<std::int64_t> place(x.size(0));
    std::iota(place.begin(), place.end(), 0);
    std::vector<Tensor> parts;
    for (int l = 0; l < 2; ++l) {
      const NaiveLevel level = naive_pool(adjacency, x, place, weighted, options, *pool);
      parts.insert(parts.end(), {level.x.flatten(), level.score, x.flatten()});
      adjacency = level.adjacency;
      place = level.place;
      x = level.x;
    }
    return torch::cat(parts);
  };
  const Tensor x = test::random_rows({graph.graph.num_nodes(), kWidth}, 1);
  test::expect_naive(*pool, pooled, naive, {x});

  std::vector<std::int64_t> place(x.size(0));
  std::iota(place.begin(), place.end(), 0);
  const NaiveLevel expected = naive_pool(graph.adjacency, x, place, weighted, options, *pool);
  const Pooled got = pool->forward({0, graph.graph, {}, {}}, x, Hierarchy());
  const auto parents = got.level.parent.parents();
  EXPECT_EQ(std::vector<std::int64_t>(parents.begin(), parents.end()), expected.parent);
  expect_graph(got.level.graph, expected.adjacency);
}

TEST(EdgePool, EqualsItsDefinitionOverTwoLevels) {
  for (const DenseGraph& graph : test::dense_graphs()) expect_edge_pool(graph, {});
}

TEST(EdgePool, KeepsSelfLoopsAndSumsWeightsIfAsked) {
  for (const DenseGraph& graph : test::dense_graphs())
    expect_edge_pool(graph, {SelfLoops::kKeep, EdgePooling::kSum});
}

TEST(EdgePool, GivesItsScoresOnlyWhereAJoinAsksForThem) {
  const DenseGraph graph = test::dense_graphs().front();
  const Tensor x = test::random_rows({graph.graph.num_nodes(), kWidth}, 1).to(torch::kFloat32);
  Generator generator(1);
  EdgePool pool(PoolOptions{.width = kWidth}, generator);
  EXPECT_FALSE(pool->forward({0, graph.graph, {}, {}}, x, Hierarchy()).score.defined());
}

}  // namespace
}  // namespace hgnet
