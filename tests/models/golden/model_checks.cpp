// Whole models.

#include <gtest/gtest.h>

#include "hgnet/nn/layers/edge_rows.hpp"
#include "hgnet/nn/layers/rgcn.hpp"
#include "hgnet/nn/pools/edge_pool.hpp"
#include "hgnet/nn/pools/top_k_pool.hpp"
#include "hgnet/nn/virtual_node.hpp"
#include "models/golden/checks.hpp"

namespace hgnet::golden {
namespace {

template <class Module>
Module& child(const torch::nn::Module& parent, const std::string& name) {
  const std::size_t dot = name.find('.');
  const auto found = parent.named_children()[name.substr(0, dot)];
  if (dot != std::string::npos) return child<Module>(*found, name.substr(dot + 1));
  return dynamic_cast<Module&>(*found);
}

const torch::nn::Module& network(const Model& model) { return *model.named_children()["network"]; }

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

/// "model_gin_residual_broadcast" is a gin.
std::string model_of(const GoldenCase& c) {
  if (c.name.starts_with("model_gcn_vn")) return "gcn-vn";
  const std::string name = c.name.substr(std::string("model_").size());
  return name.substr(0, name.find('_'));
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

}  // namespace

Parameters classifier_parameters(const Model& model, const std::string& first,
                                 const std::string& second) {
  Parameters p = linear_parameters(child<LinearImpl>(model, "classifier_first"), first);
  append(p, linear_parameters(child<LinearImpl>(model, "classifier_second"), second));
  return p;
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
    append(p, layer_parameters(child<GraphLayer>(net, "coarsen" + n + ".layer"),
                               "down_convs." + n + "."));
    if (l == config.levels) break;
    p.push_back(
        {child<TopKPoolImpl>(net, "pool" + n).weight, {"pools." + n + ".weight"}, as_it_is});
    const std::string from_top = std::to_string(config.levels - 1 - l);
    append(p, layer_parameters(child<GraphLayer>(net, "refine" + n + ".block.layer"),
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
    append(p, layer_parameters(child<GraphLayer>(net, "coarsen" + n + ".layer"),
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
      append(p, layer_parameters(child<GraphLayer>(net, "refine" + n + ".block.layer"), down));
    }
    if (norm)
      append(p, norm_parameters(child<TailImpl>(net, "refine" + n + ".block.tail"),
                                prefix + "down_norms." + n + "."));
  }
  return p;
}

void check_hgnet(const GoldenCase& c) {
  const ModelConfig config = hgnet_config(c);
  Model model(config, 1);
  Input input = input_of(c);
  if (config.coarsening == Coarsening::kLouvain) input.hierarchy = given_levels(c, config);
  check_model(c, model, hgnet_parameters(model, ""), input,
              config.norm == Norm::kBatch ? kNormTolerance : kTolerance);
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

}  // namespace hgnet::golden
