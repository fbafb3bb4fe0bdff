// Single layers and pools.

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <numeric>

#include "hgnet/coarsening/top_k.hpp"
#include "hgnet/nn/layers/cheb.hpp"
#include "hgnet/nn/layers/edge_rows.hpp"
#include "hgnet/nn/layers/gat.hpp"
#include "hgnet/nn/layers/gcn.hpp"
#include "hgnet/nn/layers/gin.hpp"
#include "hgnet/nn/pools/edge_pool.hpp"
#include "hgnet/nn/pools/top_k_pool.hpp"
#include "hgnet/ops/gcn_norm.hpp"
#include "hgnet/ops/softmax.hpp"
#include "models/golden/checks.hpp"

namespace hgnet::golden {
namespace {

void check_layer(const GoldenCase& c, GraphLayer& layer, const Parameters& parameters,
                 const Graph& graph) {
  Generator generator(0);
  load(c, parameters);
  const Tensor x = leaf(c.input("x"));
  expect_case(c, layer.forward(graph, x, {}, generator), parameters, {{"x", x}}, kTolerance);
}

}  // namespace

void check_gcn(const GoldenCase& c) {
  Generator generator(0);
  const bool weighted = c.json.at("inputs").contains("edge_weight");
  const GcnOptions options{6, 5,
                           c.name == "gcn_improved" ? SelfLoopFill::kTwo : SelfLoopFill::kOne};
  GcnLayer layer(options, generator);
  const Parameters parameters = layer_parameters(*layer, "");
  if (!weighted) {
    check_layer(c, *layer, parameters, c.graph());
    return;
  }
  // The weights of the two directions differ here, which a Graph does not allow; so this uses the
  // layer's formula with its ops.
  load(c, parameters);
  const Tensor x = leaf(c.input("x"));
  const Graph graph = c.graph();
  const SparseOperator m =
      gcn_operator(graph, c.by_slot(graph, c.input("edge_weight")), options.fill);
  expect_case(c, spmm(m, x.mm(layer->weight.t())) + layer->bias, parameters, {{"x", x}},
              kTolerance);
}

void check_gin(const GoldenCase& c) {
  Generator generator(0);
  GinLayer layer(GinOptions{6, 5, false, false}, generator);
  check_layer(c, *layer, layer_parameters(*layer, ""), c.graph());
}

void check_gat(const GoldenCase& c) {
  Generator generator(0);
  GatLayer layer(GatOptions{6, 4, 3, 0.0}, generator);
  check_layer(c, *layer, layer_parameters(*layer, ""), c.graph());
}

void check_cheb(const GoldenCase& c) {
  Generator generator(0);
  const int order = c.name.back() - '0';
  ChebLayer layer(ChebOptions{6, 5, order}, generator);
  check_layer(c, *layer, layer_parameters(*layer, "", false, order), c.graph());
}

/// The two relations are arbitrary edges here, not parents; so this uses the formula with its ops.
void check_rgcn(const GoldenCase& c) {
  const Graph graph = c.graph();
  const Tensor x = leaf(c.input("x"));
  const Tensor root = torch::zeros({5, 6}).set_requires_grad(true);
  const Tensor relation0 = torch::zeros({5, 6}).set_requires_grad(true);
  const Tensor relation1 = torch::zeros({5, 6}).set_requires_grad(true);
  const Tensor bias = torch::zeros({5}).set_requires_grad(true);
  const Parameters parameters{{root, {"root"}, transposed},
                              {relation0, {"weight:0"}, as_it_is},
                              {relation1, {"weight:1"}, as_it_is},
                              {bias, {"bias"}, as_it_is}};
  load(c, parameters);
  const Tensor type = c.by_slot(graph, c.input("edge_type"));
  Tensor out = x.mm(root.t()) + bias;
  for (int r = 0; r < 2; ++r) {
    Tensor values = (type == r).to(torch::kFloat32);
    if (c.name == "rgcn_mean") {
      const Tensor count = spmm({graph, values, {}, false}, torch::ones({graph.num_nodes(), 1}));
      Tensor share = torch::empty({graph.num_edges()});
      for (NodeId v = 0; v < graph.num_nodes(); ++v) {
        for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s)
          share[s] = 1 / std::max(count[v].item<float>(), 1.0F);
      }
      values = values * share;
    }
    out = out + spmm({graph, values, {}, false}, x.mm((r == 0 ? relation0 : relation1).t()));
  }
  expect_case(c, out, parameters, {{"x", x}}, kTolerance);
}

void check_edge_pool(const GoldenCase& c) {
  Generator generator(0);
  const auto loops = c.name == "edgepool" ? SelfLoops::kRemove : SelfLoops::kKeep;
  EdgePool layer(PoolOptions{.width = 6, .coarse = {loops, EdgePooling::kMean}, .keep_score = true},
                 generator);
  const Parameters parameters{{layer->weight, {"lin.weight"}, two_rows},
                              {layer->bias, {"lin.bias"}, as_it_is}};
  load(c, parameters);
  const Tensor x = leaf(c.input("x"));
  Tensor rows = x;
  PoolLevel here{0, c.graph(), {}, {}};
  for (int l = 0; l < c.json.at("inputs").at("levels").get<int>(); ++l) {
    const std::string level = "level" + std::to_string(l) + ".";
    const Tensor scores = edge_score(here.graph, rows.mm(layer->weight.t()), layer->bias);
    test::expect_golden(scores.detach(), c.by_slot(here.graph, c.output(level + "edge_score")),
                        kTolerance, level + "edge_score");
    const Pooled pooled = layer->forward(here, rows, Hierarchy());
    const auto parents = pooled.level.parent.parents();
    const Tensor expected = c.output(level + "parent");
    for (std::int64_t v = 0; v < expected.size(0); ++v)
      ASSERT_EQ(parents[v], expected[v].item<std::int64_t>()) << level << " node " << v;
    test::expect_golden(pooled.score.detach(), c.output(level + "merge_score"), kTolerance,
                        level + "merge_score");
    test::expect_golden(pooled.x.detach(), c.output(level + "pooled_x"), kTolerance,
                        level + "pooled_x");
    rows = pooled.x;
    here = {l + 1, pooled.level.graph, {}, pooled.order};
    const Graph& graph = here.graph;
    const Tensor coarse_edges = c.output(level + "coarse_edge_index");
    ASSERT_EQ(graph.num_edges(), coarse_edges.size(1)) << level;
    for (std::int64_t e = 0; e < coarse_edges.size(1); ++e) {
      EXPECT_TRUE(graph.has_edge(static_cast<NodeId>(coarse_edges[0][e].item<std::int64_t>()),
                                 static_cast<NodeId>(coarse_edges[1][e].item<std::int64_t>())));
    }
  }
  const auto gradients =
      torch::autograd::grad({(rows * c.output("probe")).sum()}, {x, layer->weight, layer->bias});
  test::expect_golden(gradients[0], GoldenCase::tensor(c.json.at("grads").at("grad.x")), kTolerance,
                      "gradient of x");
  test::expect_golden(gradients[1], theirs(c, parameters[0], true), kTolerance,
                      "gradient of lin.weight");
  test::expect_golden(gradients[2], theirs(c, parameters[1], true), kTolerance,
                      "gradient of lin.bias");
}

/// Rows in the order of the kept nodes; theirs are ordered by falling score.
void check_top_k(const GoldenCase& c) {
  Generator generator(0);
  const Keep keep{.ratio = c.json.at("inputs").at("ratio").get<double>()};
  TopKPool layer(PoolOptions{.width = 6, .keep = keep}, generator);
  const Parameters parameters{{layer->weight, {"weight"}, as_it_is}};
  load(c, parameters);
  const Tensor x = leaf(c.input("x"));
  const Pooled pooled = layer->forward({0, c.graph(), graph_of_node(c), {}}, x, Hierarchy());
  const Tensor kept = c.output("kept");
  std::vector<std::int64_t> rank(kept.size(0));  // of their row i among ours
  for (std::int64_t i = 0; i < kept.size(0); ++i) {
    const NodeId p = pooled.level.parent.parent(static_cast<NodeId>(kept[i].item<std::int64_t>()));
    ASSERT_NE(p, kNoNode) << "node " << kept[i].item<std::int64_t>() << " was not kept";
    rank[i] = p;
  }
  const Tensor in_their_order = pooled.x.index_select(0, torch::tensor(rank, torch::kLong));
  expect_case(c, in_their_order, parameters, {{"x", x}}, kTolerance);
}

void check_molecule_layer(const GoldenCase& c) {
  Generator generator(0);
  const Graph graph = c.graph();
  const Tensor x = leaf(c.input("x"));
  // A leaf by edge id; the layer reads it by slot.
  const Tensor edge_attr = leaf(c.input("edge_attr"));
  const EdgeRows edges{c.by_slot(graph, edge_attr), {}};
  std::map<std::string, Tensor> inputs{{"x", x}, {"edge_attr", edge_attr}};
  if (c.name == "ogb_gin") {
    EdgeGinLayer layer(GinOptions{6, 6, true, true}, 12, generator);
    Parameters parameters{{layer->eps, {"eps"}, as_it_is}};
    append(parameters, linear_parameters(*layer->first, "mlp.0."));
    append(parameters, norm_parameters(*layer->middle, "mlp.1."));
    append(parameters, linear_parameters(*layer->second, "mlp.3."));
    load(c, parameters);
    expect_case(c, layer->forward(graph, x, edges, generator), parameters, inputs, kNormTolerance);
  } else if (c.name == "ogb_gcn") {
    EdgeGcnLayer layer(6, 6, generator);
    Parameters parameters = linear_parameters(*layer->linear, "linear.");
    parameters.push_back({layer->root, {"root_emb.weight"}, flat});
    load(c, parameters);
    expect_case(c, layer->forward(graph, x, edges, generator), parameters, inputs, kTolerance);
  } else {
    ParentGcnLayer layer(6, 6, generator);
    Parameters parameters = linear_parameters(*layer->linear, "linear.");
    parameters.push_back({layer->root, {"root_emb.weight"}, flat});
    parameters.push_back({layer->parent, {"parent_emb.weight"}, flat});
    load(c, parameters);
    inputs["parent"] = leaf(c.input("parent"));
    // The case has a parent's row for each node.
    std::vector<NodeId> parents(graph.num_nodes());
    std::iota(parents.begin(), parents.end(), 0);
    const ParentRows rows{inputs["parent"], ParentMap(std::move(parents), graph.num_nodes())};
    const Tensor out = layer->forward(graph, x, edges, generator, rows);
    expect_case(c, out, parameters, inputs, kTolerance);
  }
}

}  // namespace hgnet::golden
