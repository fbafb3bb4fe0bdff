#include "hgnet/nn/layers/edge_rows.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::DenseGraph;
using test::Inputs;
using torch::Tensor;

constexpr NodeId kKinds = 4;  // of edges that share rows

/// Source of the edge rows: one per slot, or a few that are shared.
struct Edges {
  Edges(const Graph& graph, bool shared) {
    const auto slots = static_cast<NodeId>(graph.num_edges());
    std::vector<NodeId> kinds;
    for (NodeId s = 0; s < slots; ++s) kinds.push_back(s % kKinds);
    map = ParentMap(std::move(kinds), kKinds);
    is_shared = shared;
    num_rows = shared ? kKinds : slots;
  }
  EdgeRows of(const Tensor& rows) const {
    return {rows, is_shared ? std::optional(map) : std::nullopt};
  }
  Tensor row(const Tensor& rows, EdgeId slot) const {
    return rows[is_shared ? slot % kKinds : slot];
  }

  ParentMap map;
  bool is_shared;
  std::int64_t num_rows;
};

/// sum over u of norm_uv ReLU(x_u + e_uv), norm_uv = (deg_u deg_v)^-1/2 with deg = degree +
/// `added`; added < 0: norm 1.
Tensor naive_messages(const DenseGraph& graph, int added, const Tensor& x, const Edges& edges,
                      const Tensor& rows) {
  const Tensor degree = graph.adjacency.sum(1) + added;
  std::vector<Tensor> result;
  for (NodeId v = 0; v < x.size(0); ++v) {
    Tensor sum = torch::zeros_like(x[0]);
    for (EdgeId s = graph.graph.offsets()[v]; s < graph.graph.offsets()[v + 1]; ++s) {
      const NodeId u = graph.graph.columns()[s];
      const Tensor message = (x[u] + edges.row(rows, s)).relu();
      sum = sum + (added < 0 ? message : message / (degree[u] * degree[v]).sqrt());
    }
    result.push_back(sum);
  }
  return torch::stack(result);
}

Tensor inverse_degree(const DenseGraph& graph, int added) {
  return (graph.adjacency.sum(1) + added).reciprocal().unsqueeze(1);
}

/// `layer` and `naive` get x, the rows of edges and the rows of parents.
void expect_edge_layer(
    torch::nn::Module& module, const std::vector<DenseGraph>& graphs, std::int64_t width,
    std::int64_t edge_width,
    const std::function<Tensor(const Graph&, const EdgeRows&, const Inputs&)>& layer,
    const std::function<Tensor(const DenseGraph&, const Edges&, const Inputs&)>& naive) {
  test::randomise(module);
  for (const DenseGraph& graph : graphs) {
    for (const bool shared : {false, true}) {
      SCOPED_TRACE(graph.name + (shared ? ", shared rows" : ""));
      const Edges edges(graph.graph, shared);
      const std::int64_t nodes = graph.graph.num_nodes();
      const Inputs inputs{test::random_rows({nodes, width}, 1),
                          test::random_rows({edges.num_rows, edge_width}, 2),
                          test::random_rows({nodes, width}, 3)};
      test::expect_naive(
          module, [&](const Inputs& in) { return layer(graph.graph, edges.of(in[1]), in); },
          [&](const Inputs& in) { return naive(graph, edges, in); }, inputs);
    }
  }
}

TEST(EdgeGcnLayer, EqualsItsEquation) {
  for (const auto& [in, out] : {std::pair{3, 5}, std::pair{6, 2}, std::pair{4, 4}}) {
    Generator generator(1);
    EdgeGcnLayer layer(in, out, generator);
    EXPECT_EQ(layer->width(), out);
    expect_edge_layer(
        *layer, test::plain_graphs(), in, out,
        [&](const Graph& graph, const EdgeRows& edges, const Inputs& x) {
          return test::result_and_rows(*layer, graph, x[0], edges);
        },
        [&](const DenseGraph& graph, const Edges& edges, const Inputs& x) {
          const Tensor h = x[0].mm(layer->linear->weight.t()) + layer->linear->bias;
          const Tensor own = (h + layer->root).relu() * inverse_degree(graph, 1);
          return torch::cat({naive_messages(graph, 1, h, edges, x[1]) + own, x[0]}, 1);
        });
  }
}

TEST(EdgeGcnLayer, WithoutEdgeRowsMessagesAreTheRowsAlone) {
  Generator generator(1);
  EdgeGcnLayer layer(3, 3, generator);
  test::randomise(*layer);
  const DenseGraph graph = test::plain_graphs().back();
  const Tensor x = test::random_rows({graph.graph.num_nodes(), 3}, 1);
  const Edges edges(graph.graph, false);
  const Tensor zeros = torch::zeros({graph.graph.num_edges(), 3}, torch::kFloat64);
  EXPECT_TRUE(layer->forward(graph.graph, x, {}, generator)
                  .allclose(layer->forward(graph.graph, x, edges.of(zeros), generator)));
}

TEST(ParentGcnLayer, TheParentCountsInTheDegree) {
  for (const auto& [in, out] : {std::pair{3, 5}, std::pair{6, 2}, std::pair{4, 4}}) {
    Generator generator(1);
    ParentGcnLayer layer(in, out, generator);
    expect_edge_layer(
        *layer, test::plain_graphs(), in, in,
        [&](const Graph& graph, const EdgeRows& edges, const Inputs& x) {
          std::vector<NodeId> own(graph.num_nodes());
          std::iota(own.begin(), own.end(), 0);
          return layer->forward(graph, x[0], edges, generator,
                                {x[2], ParentMap(std::move(own), graph.num_nodes())});
        },
        [&](const DenseGraph& graph, const Edges& edges, const Inputs& x) {
          const Tensor own = (x[0] + layer->root).relu() * inverse_degree(graph, 2);
          const Tensor above = (x[2] + layer->parent).relu() * inverse_degree(graph, 2);
          const Tensor sum = naive_messages(graph, 2, x[0], edges, x[1]) + own + above;
          return sum.mm(layer->linear->weight.t()) + layer->linear->bias;
        });
  }
}

void expect_gin(const GinOptions& options, std::int64_t hidden, bool training) {
  Generator generator(1);
  EdgeGinLayer layer(options, hidden, generator);
  EXPECT_EQ(layer->width(), options.out);
  layer->train(training);
  const auto naive = [&](const DenseGraph& graph, const Edges& edges, const Inputs& x) {
    const Tensor own = options.trainable_eps ? (1 + layer->eps) * x[0] : x[0];
    const Tensor sum = own + naive_messages(graph, -1, x[0], edges, x[1]);
    const Tensor products = sum.mm(layer->first->weight.t()) + layer->first->bias;
    const Tensor normed =
        options.batch_norm ? test::naive_norm(*layer->middle, products) : products;
    return torch::cat({normed.relu().mm(layer->second->weight.t()) + layer->second->bias, x[0]}, 1);
  };
  std::vector<DenseGraph> graphs = test::plain_graphs();
  // Normalising a single row leaves nothing of it.
  if (training) std::erase_if(graphs, [](const auto& g) { return g.graph.num_nodes() == 1; });
  expect_edge_layer(
      *layer, graphs, options.in, options.in,
      [&](const Graph& graph, const EdgeRows& edges, const Inputs& x) {
        return test::result_and_rows(*layer, graph, x[0], edges);
      },
      naive);
}

TEST(EdgeGinLayer, EqualsItsEquation) {
  for (const bool training : {true, false}) {
    expect_gin({3, 4, true, true}, 8, training);
    expect_gin({5, 3, false, false}, 3, training);
  }
}

TEST(EdgeGinLayer, StartsFromEpsZero) {
  Generator generator(1);
  const EdgeGinLayer layer(GinOptions{3, 4, true, true}, 8, generator);
  EXPECT_EQ(layer->first->weight.size(0), 8);
  EXPECT_EQ(layer->eps.item<float>(), 0);
  EXPECT_TRUE(layer->named_parameters().contains("eps"));
  EXPECT_EQ(layer->text(), "gin with edge rows 3 -> 8 -> 4");
}

/// A path of three nodes whose first has a self-loop, with weights.
Graph weighted_loop() {
  return Graph::from_edges(3, {{0, 0, 1}, {0, 1, 2}, {0.5, 2, 3}, {}, 0},
                           {.self_loops = SelfLoops::kKeep});
}

TEST(EdgeLayers, TakeWeightsAndSelfLoopsAsGcnDoes) {
  const Graph graph = weighted_loop();
  const Tensor a =
      torch::tensor({0.5, 2.0, 0.0, 2.0, 0.0, 3.0, 0.0, 3.0, 0.0}, torch::kFloat64).view({3, 3});
  // The loop stands in for the message that the others have from themselves.
  const auto degrees = [&](double added) {
    return a.sum(1) + torch::tensor({0.0, added, added}, torch::kFloat64);
  };
  const Tensor has_own = torch::tensor({0.0, 1.0, 1.0}, torch::kFloat64).unsqueeze(1);
  const auto messages = [&](const Tensor& x, const Tensor& e, const Tensor& degree) {
    std::vector<Tensor> rows;
    for (NodeId v = 0; v < 3; ++v) {
      Tensor sum = torch::zeros_like(x[0]);
      for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
        const NodeId u = graph.columns()[s];
        sum = sum + a[v][u] * (x[u] + e[s]).relu() / (degree[u] * degree[v]).sqrt();
      }
      rows.push_back(sum);
    }
    return torch::stack(rows);
  };
  Generator generator(1);
  const Inputs inputs{test::random_rows({3, 4}, 1), test::random_rows({5, 4}, 2),
                      test::random_rows({2, 4}, 3)};
  EdgeGcnLayer gcn(4, 4, generator);
  test::randomise(*gcn);
  test::expect_naive(
      *gcn, [&](const Inputs& in) { return gcn->forward(graph, in[0], {in[1]}, generator); },
      [&](const Inputs& in) {
        const Tensor h = in[0].mm(gcn->linear->weight.t()) + gcn->linear->bias;
        const Tensor degree = degrees(1);
        const Tensor own = (h + gcn->root).relu() * has_own / degree.unsqueeze(1);
        return messages(h, in[1], degree) + own;
      },
      {inputs[0], inputs[1]});
  ParentGcnLayer with_parent(4, 4, generator);
  test::randomise(*with_parent);
  test::expect_naive(
      *with_parent,
      [&](const Inputs& in) {
        return with_parent->forward(graph, in[0], {in[1]}, generator,
                                    {in[2], ParentMap({0, 0, 1}, 2)});
      },
      [&](const Inputs& in) {
        const Tensor degree = degrees(2);
        const Tensor own = (in[0] + with_parent->root).relu() * has_own / degree.unsqueeze(1);
        const Tensor above =
            (torch::stack({in[2][0], in[2][0], in[2][1]}) + with_parent->parent).relu() /
            degree.unsqueeze(1);
        return (messages(in[0], in[1], degree) + own + above).mm(with_parent->linear->weight.t()) +
               with_parent->linear->bias;
      },
      inputs);
}

TEST(EdgeLayers, SayWhatTheyAre) {
  Generator generator(1);
  EXPECT_EQ(EdgeGcnLayer(3, 4, generator)->text(), "gcn with edge rows 3 -> 4");
  EXPECT_EQ(ParentGcnLayer(3, 4, generator)->text(), "gcn with parent 3 -> 4");
}

}  // namespace
}  // namespace hgnet
