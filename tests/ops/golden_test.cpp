// The ops, put together as layers by hand, against another implementation's outputs and gradients.

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "hgnet/ops/attention.hpp"
#include "hgnet/ops/gcn_norm.hpp"
#include "hgnet/ops/softmax.hpp"
#include "hgnet/ops/spmm.hpp"
#include "support/golden.hpp"

namespace hgnet {
namespace {

using test::GoldenCase;
using torch::Tensor;
using Parameters = std::map<std::string, Tensor>;
using Layer = Tensor (*)(const GoldenCase&, const Graph&, const Parameters&);

Tensor gcn_with(const SparseOperator& m, const Parameters& p) {
  return spmm(m, p.at("x").matmul(p.at("lin.weight").t())) + p.at("bias");
}

Tensor gcn(const GoldenCase&, const Graph& graph, const Parameters& p) {
  return gcn_with(gcn_operator(graph), p);
}

Tensor gcn_weighted(const GoldenCase& c, const Graph& graph, const Parameters& p) {
  return gcn_with(gcn_operator(graph, c.by_slot(graph, c.input("edge_weight"))), p);
}

Tensor gcn_improved(const GoldenCase& c, const Graph& graph, const Parameters& p) {
  return gcn_with(gcn_operator(graph, c.by_slot(graph, c.input("edge_weight")), SelfLoopFill::kTwo),
                  p);
}

Tensor gin(const GoldenCase&, const Graph& graph, const Parameters& p) {
  const Tensor ones = torch::ones({graph.num_nodes()});
  const Tensor x = spmm({graph, {}, ones, true}, p.at("x"));
  return torch::relu(x.matmul(p.at("nn.0.weight").t()) + p.at("nn.0.bias"))
             .matmul(p.at("nn.2.weight").t()) +
         p.at("nn.2.bias");
}

Tensor cheb2(const GoldenCase&, const Graph& graph, const Parameters& p) {
  // L~ = -D^-1/2 A D^-1/2, D without self-loops.
  const SparseOperator adjacency{graph, {}, {}, true};
  const Tensor degree = spmm(adjacency, torch::ones({graph.num_nodes(), 1}));
  const Tensor scale = torch::where(degree > 0, degree.pow(-0.5), torch::zeros_like(degree));
  const Tensor lx = -scale * spmm(adjacency, scale * p.at("x"));
  return p.at("x").matmul(p.at("lins.0.weight").t()) + lx.matmul(p.at("lins.1.weight").t()) +
         p.at("bias");
}

Tensor rgcn_sum(const GoldenCase& c, const Graph& graph, const Parameters& p) {
  Tensor out = p.at("x").matmul(p.at("root")) + p.at("bias");
  const Tensor type = c.by_slot(graph, c.input("edge_type"));
  for (int r = 0; r < 2; ++r) {
    const Tensor of_type = (type == r).to(torch::kFloat32);
    out = out + spmm({graph, of_type, {}, false}, p.at("x").matmul(p.at("weight")[r]));
  }
  return out;
}

Tensor gat(const GoldenCase&, const Graph& graph, const Parameters& p) {
  const Tensor h = p.at("x").matmul(p.at("lin_src.weight").t());
  const std::int64_t heads = p.at("att_src").size(1);
  const Tensor by_head = h.view({graph.num_nodes(), heads, -1});
  return attention(graph, h, (by_head * p.at("att_src")).sum(-1),
                   (by_head * p.at("att_dst")).sum(-1)) +
         p.at("bias");
}

const std::map<std::string, Layer> kLayers{{"gcn", gcn},
                                           {"gcn_weighted", gcn_weighted},
                                           {"gcn_improved", gcn_improved},
                                           {"gin", gin},
                                           {"gat", gat},
                                           {"cheb2", cheb2},
                                           {"rgcn_sum", rgcn_sum}};

void check_layer(const GoldenCase& c, Layer layer) {
  Parameters leaves = c.parameters_and_x();
  std::vector<Tensor> inputs;
  for (auto& [name, value] : leaves) inputs.push_back(value.set_requires_grad(true));
  const Tensor out = layer(c, c.graph(), leaves);
  test::expect_golden(out.detach(), c.output("out"), 1e-5, "out");
  const auto gradients = torch::autograd::grad({(out * c.output("probe")).sum()}, inputs);
  std::size_t i = 0;
  for (const auto& [name, value] : leaves) {
    test::expect_golden(gradients[i++], GoldenCase::tensor(c.json.at("grads").at("grad." + name)),
                        1e-5, "gradient of " + name);
  }
}

void check_edge_scores(const GoldenCase& c) {
  const Graph graph = c.graph();
  const Parameters p = c.parameters_and_x();
  const Tensor w = p.at("lin.weight").view({2, -1});
  const Tensor score = edge_score(graph, p.at("x").matmul(w.t()), p.at("lin.bias"));
  test::expect_golden(score, c.by_slot(graph, c.output("level0.edge_score")), 1e-5, "edge score");
}

TEST(Golden, OpsAgreeOnLayersAndEdgeScores) {
  const auto cases = test::golden_cases();
  if (cases.empty()) GTEST_SKIP() << "no test vectors here; set HGNET_GOLDEN_DIR to their folder";
  int checked = 0;
  for (const GoldenCase& c : cases) {
    SCOPED_TRACE(c.file.string());
    const auto layer = kLayers.find(c.name);
    if (layer != kLayers.end()) {
      check_layer(c, layer->second);
      ++checked;
    } else if (c.name == "edgepool" || c.name == "edgepool_self_loops") {
      check_edge_scores(c);
      ++checked;
    }
  }
  std::cout << checked << " of " << cases.size()
            << " cases are about single layers or edge scores\n";
  EXPECT_GT(checked, 0);
}

}  // namespace
}  // namespace hgnet
