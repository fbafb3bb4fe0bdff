#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "hgnet/nn/layers/cheb.hpp"
#include "hgnet/nn/layers/gat.hpp"
#include "hgnet/nn/layers/gcn.hpp"
#include "hgnet/nn/layers/gin.hpp"
#include "models/golden/checks.hpp"

namespace hgnet::golden {
namespace {

Tensor first_relation(const Tensor& t) { return t[0].t(); }
Tensor second_relation(const Tensor& t) { return t[1].t(); }

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

}  // namespace

Parameters layer_parameters(GraphLayer& layer, const std::string& prefix, bool norm, int order) {
  if (auto* gcn = dynamic_cast<GcnLayerImpl*>(&layer)) return gcn_parameters(*gcn, prefix);
  if (auto* gin = dynamic_cast<GinLayerImpl*>(&layer)) return gin_parameters(*gin, prefix, norm);
  if (auto* gat = dynamic_cast<GatLayerImpl*>(&layer)) return gat_parameters(*gat, prefix);
  return cheb_parameters(dynamic_cast<ChebLayerImpl&>(layer), prefix, order);
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

ParentMap graph_of_node(const GoldenCase& c) {
  const Tensor batch = c.input("batch");
  std::vector<NodeId> graph;
  for (std::int64_t v = 0; v < batch.size(0); ++v)
    graph.push_back(static_cast<NodeId>(batch[v].item<std::int64_t>()));
  const NodeId graphs = graph.empty() ? 0 : graph.back() + 1;
  return {std::move(graph), graphs};
}

Input input_of(const GoldenCase& c) {
  return {c.input("x"), Hierarchy(c.graph()), graph_of_node(c)};
}

}  // namespace hgnet::golden
