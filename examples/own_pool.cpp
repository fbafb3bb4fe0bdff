// A custom pooling method in HGNet: contract the neighbours whose rows are most similar. A pool is
// one class, and the network uses it like a built-in one.

#include <hgnet/hgnet.hpp>
#include <hgnet/models/hgnet.hpp>
#include <hgnet/ops/segment.hpp>
#include <iostream>

namespace {

/// s_uv = cosine of x_u and x_v; greedy contraction by s; the merged row is the mean.
class SimilarityPool : public hgnet::Pool {
 public:
  hgnet::Pooled forward(const hgnet::PoolLevel& level, const torch::Tensor& x,
                        const hgnet::Hierarchy&) override {
    const hgnet::Graph& graph = level.graph;
    const torch::Tensor unit = x.detach() / x.detach().norm(2, 1, true).clamp_min(1e-6);
    const auto rows = unit.accessor<float, 2>();
    std::vector<float> scores(graph.num_edges());
    for (hgnet::NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (hgnet::EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
        const hgnet::NodeId u = graph.columns()[s];
        for (std::int64_t c = 0; c < unit.size(1); ++c) scores[s] += rows[u][c] * rows[v][c];
      }
    }
    const hgnet::ParentMap parent = hgnet::contract_edges<float>(graph, scores, level.order).parent;
    return {
        {parent, hgnet::coarse_graph(graph, parent)}, hgnet::segment_mean(x, parent), x, {}, {}};
  }

  std::string text() const override { return "most similar neighbours, mean of rows"; }
  std::string reach(int level) const override { return hgnet::reach_of_pairs(level); }
};

}  // namespace

int main() {
  const hgnet::Graph grid = hgnet::grid_graph(8, 8);
  const torch::Tensor x = torch::rand({grid.num_nodes(), 3});

  hgnet::ModelConfig config = hgnet::model_defaults("hgnet");
  config.inputs = 3;
  config.outputs = 2;
  config.levels = 3;
  hgnet::Generator generator(1);
  hgnet::HgnetParts parts = hgnet::hgnet_parts(config, config.outputs, generator);
  for (auto& pool : parts.pools) pool = std::make_shared<SimilarityPool>();
  hgnet::HgnetNetwork network(std::move(parts));
  for (const std::string& line : network.structure()) std::cout << line << "\n";

  const torch::Tensor y = network.forward(hgnet::Input::of(hgnet::Hierarchy(grid), x), generator);
  y.sum().backward();
  std::cout << y.size(0) << " rows of width " << y.size(1) << "; gradients reach "
            << network.parameters().front().grad().abs().gt(0).sum().item<int>()
            << " weights of the first layer\n";
}
