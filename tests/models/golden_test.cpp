// Layers and whole models compared with another implementation's outputs and gradients, on the same
// weights. Runs every case of tests/golden and of the folder; a case with an unknown name fails.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/functional/loss.h>
#include <torch/optim/adam.h>
#include <numeric>

#include <set>

#include "hgnet/coarsening/top_k.hpp"
#include "hgnet/data/splits.hpp"
#include "hgnet/kernels/metrics.hpp"
#include "hgnet/models/model.hpp"
#include "hgnet/nn/layers/cheb.hpp"
#include "hgnet/nn/layers/edge_rows.hpp"
#include "hgnet/nn/layers/gat.hpp"
#include "hgnet/nn/layers/gcn.hpp"
#include "hgnet/nn/layers/gin.hpp"
#include "hgnet/nn/layers/rgcn.hpp"
#include "hgnet/nn/pools/edge_pool.hpp"
#include "hgnet/nn/pools/top_k_pool.hpp"
#include "hgnet/nn/virtual_node.hpp"
#include "hgnet/ops/gcn_norm.hpp"
#include "hgnet/ops/softmax.hpp"
#include "support/golden.hpp"

namespace hgnet {
namespace {

using test::GoldenCase;
using torch::Tensor;

constexpr double kTolerance = 1e-5;
constexpr double kNormTolerance = 1e-4;  // through batch normalisation, and for training steps

/// Which of our tensors holds which of theirs: a name, and how theirs is brought into our shape.
/// One of ours may be stacked from several of theirs.
struct Parameter {
  Tensor ours;
  std::vector<std::string> theirs;
  Tensor (*shape)(const Tensor&);
};

Tensor as_it_is(const Tensor& t) { return t; }
Tensor transposed(const Tensor& t) { return t.t(); }
Tensor flat(const Tensor& t) { return t.reshape({-1}); }
Tensor without_first(const Tensor& t) { return t.squeeze(0); }
Tensor two_rows(const Tensor& t) { return t.view({2, -1}); }
Tensor first_relation(const Tensor& t) { return t[0].t(); }
Tensor second_relation(const Tensor& t) { return t[1].t(); }

using Parameters = std::vector<Parameter>;

Tensor theirs(const GoldenCase& c, const Parameter& p, bool gradient) {
  const auto& from = c.json.at(gradient ? "grads" : "params");
  std::vector<Tensor> parts;
  for (std::string name : p.theirs) {
    // "name:0" is the first relation's matrix of an RGCN weight, and so on.
    const bool relation = name.size() > 2 && name[name.size() - 2] == ':';
    const char which = name.back();
    if (relation) name.resize(name.size() - 2);
    const Tensor part = GoldenCase::tensor(from.at((gradient ? "grad." : "") + name));
    parts.push_back(relation ? (which == '0' ? first_relation(part) : second_relation(part))
                             : p.shape(part));
  }
  return torch::cat(parts, 0);
}

void load(const GoldenCase& c, const Parameters& parameters) {
  const torch::NoGradGuard no_grad;
  for (const Parameter& p : parameters) {
    const Tensor value = theirs(c, p, false);
    ASSERT_EQ(p.ours.sizes(), value.sizes()) << p.theirs.front();
    Tensor(p.ours).copy_(value);
  }
}

/// Output, and the gradients of sum(out * probe) by all parameters and `inputs`.
void expect_case(const GoldenCase& c, const Tensor& out, const Parameters& parameters,
                 const std::map<std::string, Tensor>& inputs, double tolerance) {
  test::expect_golden(out.detach(), c.output("out"), tolerance, "out");
  std::vector<Tensor> leaves;
  for (const auto& [name, value] : inputs) leaves.push_back(value);
  for (const Parameter& p : parameters) leaves.push_back(p.ours);
  const auto gradients = torch::autograd::grad({(out * c.output("probe")).sum()}, leaves);
  std::size_t i = 0;
  for (const auto& [name, value] : inputs) {
    const Tensor expected = GoldenCase::tensor(c.json.at("grads").at("grad." + name));
    test::expect_golden(gradients[i++], expected, tolerance, "gradient of " + name);
  }
  std::size_t checked = inputs.size();
  for (const Parameter& p : parameters) {
    test::expect_golden(gradients[i++], theirs(c, p, true), tolerance,
                        "gradient of " + p.theirs.front());
    checked += p.theirs.size();
  }
  // An RGCN weight is split into two of ours.
  std::size_t relations = 0;
  for (const auto& [name, value] : c.json.at("grads").items())
    relations += value.at("shape").size() == 3 && value.at("shape")[0] == 2 ? 1 : 0;
  EXPECT_EQ(checked, c.json.at("grads").size() + relations) << "a gradient was not compared";
}

Tensor leaf(const Tensor& t) { return t.detach().clone().set_requires_grad(true); }

// ---------------------------------------------------------------- parameters of layers

Parameters gcn_parameters(const GcnLayerImpl& layer, const std::string& prefix) {
  return {{layer.weight, {prefix + "lin.weight"}, as_it_is},
          {layer.bias, {prefix + "bias"}, as_it_is}};
}

Parameters gin_parameters(const GinLayerImpl& layer, const std::string& prefix, bool norm) {
  const std::string second = prefix + (norm ? "nn.3." : "nn.2.");
  Parameters p{{layer.first->weight, {prefix + "nn.0.weight"}, as_it_is},
               {layer.first->bias, {prefix + "nn.0.bias"}, as_it_is},
               {layer.second->weight, {second + "weight"}, as_it_is},
               {layer.second->bias, {second + "bias"}, as_it_is}};
  if (norm) {
    p.push_back({layer.middle->weight, {prefix + "nn.1.weight"}, as_it_is});
    p.push_back({layer.middle->bias, {prefix + "nn.1.bias"}, as_it_is});
  }
  return p;
}

Parameters gat_parameters(const GatLayerImpl& layer, const std::string& prefix) {
  return {{layer.weight, {prefix + "lin_src.weight"}, as_it_is},
          {layer.source, {prefix + "att_src"}, without_first},
          {layer.target, {prefix + "att_dst"}, without_first},
          {layer.bias, {prefix + "bias"}, as_it_is}};
}

Parameters cheb_parameters(const ChebLayerImpl& layer, const std::string& prefix, int order) {
  std::vector<std::string> names;
  for (int k = 0; k < order; ++k) names.push_back(prefix + "lins." + std::to_string(k) + ".weight");
  return {{layer.weight, names, as_it_is}, {layer.bias, {prefix + "bias"}, as_it_is}};
}

Parameters layer_parameters(GraphLayer& layer, const std::string& prefix, bool norm) {
  if (auto* gcn = dynamic_cast<GcnLayerImpl*>(&layer)) return gcn_parameters(*gcn, prefix);
  if (auto* gin = dynamic_cast<GinLayerImpl*>(&layer)) return gin_parameters(*gin, prefix, norm);
  if (auto* gat = dynamic_cast<GatLayerImpl*>(&layer)) return gat_parameters(*gat, prefix);
  return cheb_parameters(dynamic_cast<ChebLayerImpl&>(layer), prefix, 2);
}

void append(Parameters& to, const Parameters& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Parameters norm_parameters(const TailImpl& tail, const std::string& prefix) {
  return {{tail.weight, {prefix + "weight"}, as_it_is}, {tail.bias, {prefix + "bias"}, as_it_is}};
}

Parameters linear_parameters(const LinearImpl& linear, const std::string& prefix) {
  return {{linear.weight, {prefix + "weight"}, as_it_is},
          {linear.bias, {prefix + "bias"}, as_it_is}};
}

// ---------------------------------------------------------------- single layers

void check_layer(const GoldenCase& c, GraphLayer& layer, const Parameters& parameters,
                 const Graph& graph) {
  Generator generator(0);
  load(c, parameters);
  const Tensor x = leaf(c.input("x"));
  expect_case(c, layer.forward(graph, x, {}, generator), parameters, {{"x", x}}, kTolerance);
}

void check_gcn(const GoldenCase& c) {
  Generator generator(0);
  const bool weighted = c.json.at("inputs").contains("edge_weight");
  const GcnOptions options{6, 5,
                           c.name == "gcn_improved" ? SelfLoopFill::kTwo : SelfLoopFill::kOne};
  GcnLayer layer(options, generator);
  const Parameters parameters = gcn_parameters(*layer, "");
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
  check_layer(c, *layer, gin_parameters(*layer, "", false), c.graph());
}

void check_gat(const GoldenCase& c) {
  Generator generator(0);
  GatLayer layer(GatOptions{6, 4, 3, 0.0}, generator);
  check_layer(c, *layer, gat_parameters(*layer, ""), c.graph());
}

void check_cheb(const GoldenCase& c) {
  Generator generator(0);
  const int order = c.name.back() - '0';
  ChebLayer layer(ChebOptions{6, 5, order}, generator);
  check_layer(c, *layer, cheb_parameters(*layer, "", order), c.graph());
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

ParentMap graph_of_node(const GoldenCase& c) {
  const Tensor batch = c.input("batch");
  std::vector<NodeId> graph;
  for (std::int64_t v = 0; v < batch.size(0); ++v)
    graph.push_back(static_cast<NodeId>(batch[v].item<std::int64_t>()));
  const NodeId graphs = graph.empty() ? 0 : graph.back() + 1;
  return {std::move(graph), graphs};
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

// ---------------------------------------------------------------- whole models

template <class Module>
Module& child(const torch::nn::Module& parent, const std::string& name) {
  const std::size_t dot = name.find('.');
  const auto found = parent.named_children()[name.substr(0, dot)];
  if (dot != std::string::npos) return child<Module>(*found, name.substr(dot + 1));
  return dynamic_cast<Module&>(*found);
}

const torch::nn::Module& network(const Model& model) { return *model.named_children()["network"]; }

Parameters classifier_parameters(const Model& model, const std::string& first,
                                 const std::string& second) {
  Parameters p = linear_parameters(child<LinearImpl>(model, "classifier_first"), first);
  append(p, linear_parameters(child<LinearImpl>(model, "classifier_second"), second));
  return p;
}

Parameters flat_parameters(const Model& model) {
  const ModelConfig& config = model.config();
  const torch::nn::Module& net = network(model);
  Parameters p;
  if (config.task == Task::kGraph)
    p = classifier_parameters(model, "graph_predictor.0.", "graph_predictor.3.");
  const bool norm = config.norm == Norm::kBatch;
  for (int l = 0; l < config.layers; ++l) {
    const std::string n = std::to_string(l);
    append(p, layer_parameters(child<GraphLayer>(net, "block" + n + ".layer"), "convs." + n + ".",
                               norm));
    if (norm)
      append(p, norm_parameters(child<TailImpl>(net, "block" + n + ".tail"),
                                "layer_norms." + n + "."));
    if (config.model == "gcn-vn" && l + 1 < config.layers) {
      auto& vn = child<VirtualNodeImpl>(net, "virtual_node" + n);
      const std::string prefix = "mlp_virtualnode_list." + n + ".";
      append(p, linear_parameters(*vn.first, prefix + "0."));
      append(p, norm_parameters(*vn.first_tail, prefix + "1."));
      append(p, linear_parameters(*vn.second, prefix + "3."));
      append(p, norm_parameters(*vn.second_tail, prefix + "4."));
    }
  }
  if (config.model == "gcn-vn")
    p.push_back(
        {net.named_parameters(false)["virtual_node"], {"virtualnode_embedding.weight"}, as_it_is});
  return p;
}

Activation activation_named(const std::string& name) {
  return name == "ELU"    ? Activation::kElu
         : name == "ReLU" ? Activation::kRelu
                          : Activation::kLeakyRelu;
}

void check_model(const GoldenCase& c, Model& model, const Parameters& parameters, Input input,
                 double tolerance) {
  load(c, parameters);
  const Tensor x = leaf(c.input("x"));
  input.x = x;
  expect_case(c, model.forward(input), parameters, {{"x", x}}, tolerance);
}

Input input_of(const GoldenCase& c) {
  return {c.input("x"), Hierarchy(c.graph()), graph_of_node(c)};
}

/// "model_gin_residual_broadcast" is a gin.
std::string model_of(const GoldenCase& c) {
  if (c.name.starts_with("model_gcn_vn")) return "gcn-vn";
  const std::string name = c.name.substr(std::string("model_").size());
  return name.substr(0, name.find('_'));
}

void check_flat_model(const GoldenCase& c) {
  const auto& in = c.json.at("inputs");
  ModelConfig config = model_defaults(model_of(c));
  config.task = in.value("task", "graph") == "node" ? Task::kNode : Task::kGraph;
  config.inputs = c.input("x").size(1);
  config.outputs = c.output("out").size(1);
  config.hidden = in.at("hidden_dim");
  config.layers = in.at("num_layers");
  config.norm = in.at("use_layer_norm").get<bool>() ? Norm::kBatch : Norm::kNone;
  config.residual = in.at("use_residual");
  config.broadcast_residual = config.residual && config.inputs == 1;
  config.virtual_node_residual = config.residual && config.model == "gcn-vn";
  config.activation = activation_named(in.at("activation_network"));
  if (config.task == Task::kGraph) {
    config.classifier_activation = activation_named(in.at("activation_classifier"));
    config.classifier_hidden = in.at("classifier_dim");
  }
  if (c.name == "model_gat") config.heads = 4;
  if (in.value("heads", "") == "8,1") {
    config.heads = 8;
    config.later_heads = 1;
  }
  Model model(config, 1);
  check_model(c, model, flat_parameters(model), input_of(c),
              config.norm == Norm::kBatch ? kNormTolerance : kTolerance);
}

void check_g_unet(const GoldenCase& c) {
  ModelConfig config = model_defaults("g-unet");
  config.inputs = 6;
  config.outputs = c.output("out").size(1);
  config.hidden = GoldenCase::tensor(c.json.at("params").at("down_convs.0.bias")).size(0);
  config.keep = c.json.at("inputs").at("keep").get<std::vector<double>>();
  config.levels = static_cast<int>(config.keep.size());
  config.activation =
      activation_named(c.json.at("inputs").value("activation_network", std::string("ReLU")));
  Model model(config, 1);
  const torch::nn::Module& net = network(model);
  Parameters p;
  for (int l = 0; l <= config.levels; ++l) {
    const std::string n = std::to_string(l);
    append(p, gcn_parameters(child<GcnLayerImpl>(net, "coarsen" + n + ".layer"),
                             "down_convs." + n + "."));
    if (l == config.levels) break;
    p.push_back(
        {child<TopKPoolImpl>(net, "pool" + n).weight, {"pools." + n + ".weight"}, as_it_is});
    const std::string from_top = std::to_string(config.levels - 1 - l);
    append(p, gcn_parameters(child<GcnLayerImpl>(net, "refine" + n + ".block.layer"),
                             "up_convs." + from_top + "."));
  }
  check_model(c, model, p, input_of(c), kTolerance);
}

Parameters hgnet_parameters(const Model& model, const std::string& prefix) {
  const ModelConfig& config = model.config();
  const torch::nn::Module& net = network(model);
  const bool norm = config.norm == Norm::kBatch;
  Parameters p;
  for (int l = 0; l <= config.levels; ++l) {
    const std::string n = std::to_string(l);
    append(p, gcn_parameters(child<GcnLayerImpl>(net, "coarsen" + n + ".layer"),
                             prefix + "up_convs." + n + "."));
    if (norm)
      append(p, norm_parameters(child<TailImpl>(net, "coarsen" + n + ".tail"),
                                prefix + "up_norms." + n + "."));
    if (l == config.levels) break;
    if (config.coarsening == Coarsening::kEdgePool) {
      auto& pool = child<EdgePoolImpl>(net, "pool" + n);
      p.push_back({pool.weight, {prefix + "pools." + n + ".lin.weight"}, two_rows});
      p.push_back({pool.bias, {prefix + "pools." + n + ".lin.bias"}, as_it_is});
    }
    const std::string down = prefix + "down_convs." + n + ".";
    if (config.join == JoinKind::kRgcn) {
      auto& rgcn = child<RgcnLayerImpl>(net, "refine" + n + ".block.layer");
      p.push_back({rgcn.weight, {down + "root", down + "weight:0"}, transposed});
      p.push_back({rgcn.parent_weight, {down + "weight:1"}, as_it_is});
      p.push_back({rgcn.bias, {down + "bias"}, as_it_is});
    } else {
      append(p, gcn_parameters(child<GcnLayerImpl>(net, "refine" + n + ".block.layer"), down));
    }
    if (norm)
      append(p, norm_parameters(child<TailImpl>(net, "refine" + n + ".block.tail"),
                                prefix + "down_norms." + n + "."));
  }
  return p;
}

ModelConfig hgnet_config(const GoldenCase& c) {
  const auto& in = c.json.at("inputs");
  const bool louvain = c.name.rfind("hgnet_louvain", 0) == 0;
  ModelConfig config = model_defaults(louvain ? "hgnet-louvain" : "hgnet-edgepool");
  config.inputs = 6;
  config.outputs = c.output("out").size(1);
  config.hidden = 8;
  config.levels = in.at("levels");
  const auto join = in.at("join").get<std::string>();
  config.join = join == "edge" ? JoinKind::kRgcn : enum_value<JoinKind>(join);
  config.norm = in.at("batch_norm").get<bool>() ? Norm::kBatch : Norm::kNone;
  // Their Louvain ignores self-loops: its coarse graphs have none.
  if (!louvain && in.at("self_loops").get<bool>()) config.self_loops = SelfLoops::kKeep;
  if (c.name.ends_with("weight_sum") || in.value("edge_pooling", "") == "sum")
    config.edge_weights = EdgePooling::kSum;
  if (in.value("pooled_rows", "") == "before") config.pooled_rows = PooledRows::kBefore;
  config.activation = c.json.at("about").get<std::string>().find("ReLU") != std::string::npos
                          ? Activation::kRelu
                          : Activation::kElu;
  return config;
}

/// Uses their communities, since another Louvain finds different ones.
Hierarchy given_levels(const GoldenCase& c, const ModelConfig& config) {
  Hierarchy hierarchy(c.graph());
  for (int level = 0; level < config.levels; ++level) {
    const Tensor given = c.output("level" + std::to_string(level) + ".parent");
    std::vector<NodeId> parent;
    NodeId parents = 0;
    for (std::int64_t v = 0; v < given.size(0); ++v) {
      parent.push_back(static_cast<NodeId>(given[v].item<std::int64_t>()));
      parents = std::max(parents, parent.back() + 1);
    }
    const ParentMap map(std::move(parent), parents);
    GraphParts parts = hierarchy.graph(level).parts();
    if (config.edge_weights == EdgePooling::kSum && parts.weights.empty())
      parts.weights.assign(parts.columns.size(), 1.0F);
    const Graph fine = Graph::adopt(std::move(parts));
    hierarchy.add({map, coarse_graph(fine, map, {.edges = config.edge_weights})});
  }
  return hierarchy;
}

void check_hgnet(const GoldenCase& c) {
  const ModelConfig config = hgnet_config(c);
  Model model(config, 1);
  Input input = input_of(c);
  if (config.coarsening == Coarsening::kLouvain) input.hierarchy = given_levels(c, config);
  check_model(c, model, hgnet_parameters(model, ""), input,
              config.norm == Norm::kBatch ? kNormTolerance : kTolerance);
}

// ---------------------------------------------------------------- molecules

std::vector<std::string> numbered(const std::string& prefix, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(prefix + std::to_string(i) + ".weight");
  return names;
}

Parameters molecule_hgnet_parameters(const Model& model) {
  const torch::nn::Module& net = network(model);
  auto& bonds = child<EdgeLevelsImpl>(net, "bonds");
  Parameters p{
      {child<NodeEncoderImpl>(net, "atoms").embedding,
       numbered("atom_encoder.atom_embedding_list.", 9), as_it_is},
      {bonds.encoder->embedding, numbered("up_edge_encs.0.bond_embedding_list.", 3), as_it_is}};
  for (int l = 0; l <= model.config().levels; ++l) {
    const std::string n = std::to_string(l);
    auto& up = child<EdgeGcnLayerImpl>(net, "coarsen" + n + ".layer");
    append(p, linear_parameters(*up.linear, "up_convs." + n + ".linear."));
    p.push_back({up.root, {"up_convs." + n + ".root_emb.weight"}, flat});
    append(p,
           norm_parameters(child<TailImpl>(net, "coarsen" + n + ".tail"), "up_norms." + n + "."));
    if (l > 0) append(p, linear_parameters(*bonds.linears[l - 1], "up_edge_encs." + n + "."));
    if (l == model.config().levels) break;
    auto& pool = child<EdgePoolImpl>(net, "pool" + n);
    p.push_back({pool.weight, {"pools." + n + ".lin.weight"}, two_rows});
    p.push_back({pool.bias, {"pools." + n + ".lin.bias"}, as_it_is});
    auto& down = child<ParentGcnLayerImpl>(net, "refine" + n + ".block.layer");
    append(p, linear_parameters(*down.linear, "down_convs." + n + ".linear."));
    p.push_back({down.root, {"down_convs." + n + ".root_emb.weight"}, flat});
    p.push_back({down.parent, {"down_convs." + n + ".parent_emb.weight"}, flat});
    append(p, norm_parameters(child<TailImpl>(net, "refine" + n + ".block.tail"),
                              "down_norms." + n + "."));
  }
  return p;
}

/// Category codes as the one-hot columns that a molecule's features are.
SparseMatrix atoms_of(const Tensor& codes) {
  std::vector<std::int64_t> offsets{0};
  std::vector<NodeId> columns;
  for (std::int64_t v = 0; v < codes.size(0); ++v) {
    std::int64_t first = 0;
    for (std::int64_t c = 0; c < codes.size(1); ++c) {
      columns.push_back(static_cast<NodeId>(first + codes[v][c].item<std::int64_t>()));
      first += kAtomColumns[c];
    }
    offsets.push_back(std::ssize(columns));
  }
  const std::vector<float> ones(columns.size(), 1.0F);
  return {kAtomWidth, std::move(offsets), std::move(columns), ones};
}

/// The graph with its bonds as edge rows.
Graph molecules_of(const GoldenCase& c) {
  const Graph graph = c.graph();
  const Tensor rows = c.by_slot(graph, c.input("edge_attr").to(torch::kFloat32)).contiguous();
  GraphParts parts = graph.parts();
  parts.edge_rows.assign(rows.data_ptr<float>(), rows.data_ptr<float>() + rows.numel());
  parts.edge_row_width = rows.size(1);
  return Graph::from_csr(std::move(parts));
}

void check_molecule_hgnet(const GoldenCase& c) {
  const auto& in = c.json.at("inputs");
  ModelConfig config = model_defaults("hgnet-edgepool");
  config.task = Task::kGraph;
  config.molecule = true;
  config.inputs = kAtomWidth;
  config.outputs = 2;
  config.hidden = in.at("hidden_dim");
  config.levels = in.at("levels");
  config.join = JoinKind::kParent;
  config.norm = Norm::kBatch;
  config.activation = Activation::kRelu;
  config.edge_weights =
      in.at("edge_pooling").get<std::string>() == "sum" ? EdgePooling::kSum : EdgePooling::kMean;
  Model model(config, 1);
  const Parameters parameters = molecule_hgnet_parameters(model);
  load(c, parameters);
  const Tensor rows =
      model.node_rows({atoms_of(c.input("x")), Hierarchy(molecules_of(c)), graph_of_node(c)});
  expect_case(c, rows, parameters, {}, kNormTolerance);
}

/// Which nodes each drawn node bars, and which are left after it.
void check_sanitized_walk(const GoldenCase& c) {
  const Graph graph = c.graph();
  const auto& out = c.json.at("outputs");
  const Tensor drawn = c.input("node");
  std::set<NodeId> left;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) left.insert(v);
  for (std::int64_t i = 0; i < drawn.size(0); ++i) {
    const auto node = static_cast<NodeId>(drawn[i].item<std::int64_t>());
    std::set<NodeId> barred;
    for (const NodeId v :
         barred_nodes(graph, node, c.json.at("inputs").at("k"), Barred::kExactWalks))
      if (v != node) barred.insert(v);
    EXPECT_EQ(barred, out.at("barred")[i].get<std::set<NodeId>>()) << "node " << node;
    left.erase(node);
    for (const NodeId v : barred) left.erase(v);
    EXPECT_EQ(left, out.at("available")[i].get<std::set<NodeId>>()) << "after node " << node;
  }
}

struct Trained {
  std::vector<double> losses;
  Tensor eval_logits;
};

/// Ten Adam steps. `noise` simulates rounding in gradients that are exactly 0: those of biases
/// before a batch norm, which cancels them.
Trained train(const GoldenCase& c, double noise, std::uint64_t seed) {
  ModelConfig config = model_defaults("hgnet-edgepool");
  config.task = Task::kGraph;
  config.inputs = 6;
  config.outputs = 3;
  config.hidden = 8;
  config.levels = 2;
  config.norm = Norm::kBatch;
  config.classifier_hidden = 8;
  Model model(config, 1);
  Parameters p = hgnet_parameters(model, "net.");
  append(p, classifier_parameters(model, "lin1.", "lin2."));
  load(c, p);
  torch::optim::Adam adam(model.parameters(), torch::optim::AdamOptions(0.005).weight_decay(1e-4));
  Generator generator(seed);
  const Input input = input_of(c);
  Trained result;
  for (std::int64_t step = 0; step < c.output("losses").size(0); ++step) {
    adam.zero_grad();
    const Tensor loss = torch::nn::functional::cross_entropy(model.forward(input), c.input("y"));
    result.losses.push_back(loss.item<double>());
    loss.backward();
    for (const Parameter& parameter : p) {
      const std::string& name = parameter.theirs.front();
      if (noise == 0 || name.find("convs.") == std::string::npos || !name.ends_with(".bias"))
        continue;
      auto* gradient = parameter.ours.grad().data_ptr<float>();
      for (std::int64_t i = 0; i < parameter.ours.numel(); ++i)
        gradient[i] += static_cast<float>(noise * (2 * generator.uniform() - 1));
    }
    adam.step();
  }
  model.eval();
  result.eval_logits = model.forward(input).detach();
  return result;
}

/// The losses agree directly. The logits in evaluation mode do not: the running means lag behind
/// biases that Adam moves by whatever rounding left of a gradient of 0, in steps as large as any
/// other. So the logits only have to agree as well as ours agree with themselves when such noise is
/// added.
void check_training(const GoldenCase& c) {
  const Trained ours = train(c, 0, 0);
  const Tensor expected = c.output("losses");
  for (std::int64_t step = 0; step < expected.size(0); ++step)
    EXPECT_NEAR(ours.losses[step], expected[step].item<double>(), kNormTolerance)
        << "step " << step;
  double spread = kNormTolerance;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Trained noisy = train(c, 1e-7, seed);
    EXPECT_NEAR(noisy.losses.back(), ours.losses.back(),
                kNormTolerance);  // harmless while training
    spread = std::max(spread, (noisy.eval_logits - ours.eval_logits).abs().max().item<double>());
  }
  EXPECT_LE(spread, 0.02) << "noise this large would make the comparison meaningless";
  test::expect_golden(ours.eval_logits, c.output("eval_logits"), spread, "eval_logits");
}

std::vector<double> doubles(const Tensor& tensor) {
  const Tensor flat_values = tensor.to(torch::kFloat64).reshape({-1});
  return {flat_values.data_ptr<double>(), flat_values.data_ptr<double>() + flat_values.numel()};
}

void check_metrics(const GoldenCase& c) {
  std::vector<double> labels = doubles(c.input("labels"));
  for (double& label : labels) {
    if (label < 0) label = std::numeric_limits<double>::quiet_NaN();  // unlabelled
  }
  std::vector<double> first_three;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i % 4 < 3) first_three.push_back(labels[i]);
  }
  const std::vector<double> scores = doubles(c.input("scores"));
  const std::vector<double> tied = doubles(c.input("tied_scores"));
  const auto& out = c.json.at("outputs");
  EXPECT_NEAR(*mean_over_tasks(roc_auc, scores, labels, 4), out.at("roc_auc"), 1e-9);
  EXPECT_NEAR(*mean_over_tasks(average_precision, scores, labels, 4), out.at("average_precision"),
              1e-9);
  EXPECT_NEAR(*mean_over_tasks(roc_auc, tied, first_three, 3), out.at("tied_roc_auc"), 1e-9);
  EXPECT_NEAR(*mean_over_tasks(average_precision, tied, first_three, 3),
              out.at("tied_average_precision"), 1e-9);
}

using Check = void (*)(const GoldenCase&);

const std::map<std::string, Check> kChecks{{"gcn", check_gcn},
                                           {"gcn_weighted", check_gcn},
                                           {"gcn_improved", check_gcn},
                                           {"gin", check_gin},
                                           {"gat", check_gat},
                                           {"cheb2", check_cheb},
                                           {"cheb3", check_cheb},
                                           {"rgcn_sum", check_rgcn},
                                           {"rgcn_mean", check_rgcn},
                                           {"edgepool", check_edge_pool},
                                           {"edgepool_self_loops", check_edge_pool},
                                           {"topk", check_top_k},
                                           {"ogb_gcn", check_molecule_layer},
                                           {"ogb_gcn_parent", check_molecule_layer},
                                           {"ogb_gin", check_molecule_layer},
                                           {"model_gcn", check_flat_model},
                                           {"model_gcn_residual", check_flat_model},
                                           {"model_gcn_vn", check_flat_model},
                                           {"model_gat", check_flat_model},
                                           {"model_cheb", check_flat_model},
                                           {"model_gin", check_flat_model},
                                           {"graph_unet", check_g_unet},
                                           {"hgnet_edgepool_1", check_hgnet},
                                           {"hgnet_edgepool_1_self_loops", check_hgnet},
                                           {"hgnet_edgepool_2", check_hgnet},
                                           {"hgnet_edgepool_2_self_loops", check_hgnet},
                                           {"hgnet_edgepool_3_bn", check_hgnet},
                                           {"hgnet_edgepool_3_bn_self_loops", check_hgnet},
                                           {"hgnet_edgepool_concat", check_hgnet},
                                           {"hgnet_edgepool_sum", check_hgnet},
                                           {"hgnet_louvain_2", check_hgnet},
                                           {"hgnet_louvain_2_weight_sum", check_hgnet},
                                           {"model_gcn_vn_residual", check_flat_model},
                                           {"model_gcn_residual_broadcast", check_flat_model},
                                           {"model_gin_residual_broadcast", check_flat_model},
                                           {"model_gat_3", check_flat_model},
                                           {"graph_unet_leaky", check_g_unet},
                                           {"hgnet_louvain_2_as_run", check_hgnet},
                                           {"ogb_hgnet_edgepool_1", check_molecule_hgnet},
                                           {"ogb_hgnet_edgepool_2", check_molecule_hgnet},
                                           {"ogb_hgnet_edgepool_2_mean", check_molecule_hgnet},
                                           {"sanitized_walk2", check_sanitized_walk},
                                           {"metrics", check_metrics},
                                           {"train_10_steps", check_training}};

void check_cases(const std::vector<GoldenCase>& cases) {
  for (const GoldenCase& c : cases) {
    SCOPED_TRACE(c.file.string());
    const auto check = kChecks.find(c.name);
    if (check == kChecks.end()) {
      ADD_FAILURE() << "unknown case " << c.name;
      continue;
    }
    check->second(c);
  }
}

TEST(Golden, EveryCheckHasACaseHere) {
  std::set<Check> used;
  for (const GoldenCase& c : test::golden_copies()) used.insert(kChecks.at(c.name));
  for (const auto& [name, check] : kChecks) EXPECT_TRUE(used.contains(check)) << name;
}

TEST(Golden, EveryCaseHereAgrees) { check_cases(test::golden_copies()); }

TEST(Golden, EveryCaseOfTheFolderAgrees) {
  const auto cases = test::golden_folder();
  if (cases.empty()) GTEST_SKIP() << "no more test vectors; HGNET_GOLDEN_DIR names their folder";
  check_cases(cases);
}

TEST(Golden, AnUnknownCaseFails) {
  EXPECT_NONFATAL_FAILURE(check_cases({{"new.json", "new_layer", {}}}), "unknown case new_layer");
}

}  // namespace
}  // namespace hgnet
