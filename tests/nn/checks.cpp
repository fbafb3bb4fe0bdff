#include "nn/checks.hpp"

#include <torch/csrc/autograd/autograd.h>

#include <map>

#include "hgnet/graph/batch.hpp"

namespace hgnet::test {
namespace {

using torch::Tensor;

struct WeightedEdge {
  std::int64_t u;
  std::int64_t v;
  double weight = 1;
};

DenseGraph dense_graph(const std::string& name, std::int64_t nodes,
                       const std::vector<WeightedEdge>& edges) {
  EdgeList list;
  bool weighted = false;
  Tensor adjacency = torch::zeros({nodes, nodes}, torch::kFloat64);
  for (const auto& [u, v, weight] : edges) {
    list.source.push_back(u);
    list.target.push_back(v);
    list.weight.push_back(static_cast<float>(weight));
    weighted = weighted || weight != 1;
    adjacency[u][v] = weight;
    adjacency[v][u] = weight;
  }
  if (!weighted) list.weight.clear();
  return {name, Graph::from_edges(nodes, list, {.self_loops = SelfLoops::kKeep}), adjacency,
          ParentMap(std::vector<NodeId>(nodes, 0), 1)};
}

/// Joined as in training.
DenseGraph batch_of(const std::vector<DenseGraph>& parts) {
  std::vector<Graph> graphs;
  std::vector<Tensor> blocks;
  std::vector<NodeId> graph_of_node;
  for (std::size_t g = 0; g < parts.size(); ++g) {
    graphs.push_back(parts[g].graph);
    blocks.push_back(parts[g].adjacency);
    graph_of_node.insert(graph_of_node.end(), parts[g].graph.num_nodes(), static_cast<NodeId>(g));
  }
  return {"a batch", Batch(std::span<const Graph>(graphs)).graph(), torch::block_diag(blocks),
          ParentMap(std::move(graph_of_node), static_cast<NodeId>(parts.size()))};
}

void expect_close(const Tensor& got, const Tensor& expected, double tolerance,
                  const std::string& what) {
  ASSERT_EQ(got.sizes(), expected.sizes()) << what;
  if (expected.numel() == 0) return;
  const double scale = std::max(1.0, expected.abs().max().item<double>());
  const double error = (got.to(torch::kFloat64) - expected).abs().max().item<double>();
  EXPECT_LE(error, tolerance * scale) << what << "\ngot\n" << got << "\nexpected\n" << expected;
}

using Named = std::map<std::string, Tensor>;

/// "output" and the gradients by name.
Named evaluate(torch::nn::Module& module, const Function& f, const Inputs& inputs) {
  Inputs leaves;
  std::vector<std::string> names;
  for (const Tensor& input : inputs) {
    names.push_back("input " + std::to_string(leaves.size()));
    leaves.push_back(input.detach().clone().set_requires_grad(true));
  }
  const Tensor output = f(leaves);
  for (const auto& parameter : module.named_parameters()) {
    names.push_back(parameter.key());
    leaves.push_back(parameter.value());
  }
  const Tensor probe = random_tensor(output.sizes(), 99).to(output.scalar_type());
  const Inputs gradients =
      torch::autograd::grad({(output * probe).sum()}, leaves, {}, c10::nullopt, false, true);
  Named result{{"output", output.detach()}};
  for (std::size_t i = 0; i < leaves.size(); ++i)
    result[names[i]] = gradients[i].defined() ? gradients[i] : torch::zeros_like(leaves[i]);
  return result;
}

}  // namespace

std::vector<DenseGraph> plain_graphs() {
  const DenseGraph triangle = dense_graph("triangle", 3, {{0, 1}, {1, 2}, {0, 2}});
  const DenseGraph lone = dense_graph("one node", 1, {});
  const DenseGraph star = dense_graph("star", 5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}});
  const DenseGraph path = dense_graph("a path and isolated nodes", 6, {{1, 2}, {2, 3}, {3, 5}});
  return {lone, star, path, batch_of({triangle, lone, path, star})};
}

std::vector<DenseGraph> dense_graphs() {
  std::vector<DenseGraph> graphs = plain_graphs();
  graphs.push_back(dense_graph(
      "weights", 6, {{0, 1, 0.5}, {1, 2, 2}, {0, 2, 1.25}, {2, 3, 0.75}, {3, 4, 3}, {0, 4, 1}}));
  graphs.push_back(
      dense_graph("self-loops", 5, {{0, 1}, {1, 1}, {1, 2}, {2, 3}, {3, 3}, {4, 4}, {0, 3}}));
  graphs.push_back(dense_graph("weights and a self-loop", 4,
                               {{0, 1, 0.5}, {1, 1, 2.5}, {1, 2, 1.5}, {2, 3, 0.25}}));
  graphs.push_back(batch_of({graphs[4], graphs[5], graphs[0], graphs[6]}));
  return graphs;
}

ParentMap parents_of(NodeId nodes) {
  std::vector<NodeId> parent;
  for (NodeId v = 0; v < nodes; ++v) parent.push_back(v % 5 == 4 ? kNoNode : (v + 1) / 2);
  return {std::move(parent), nodes / 2 + 1};
}

Tensor random_rows(torch::IntArrayRef shape, std::uint64_t seed) {
  return random_tensor(shape, seed).to(torch::kFloat32).to(torch::kFloat64);
}

void randomise(torch::nn::Module& module) {
  const torch::NoGradGuard no_grad;
  std::uint64_t seed = 100;
  for (Tensor& parameter : module.parameters())
    parameter.copy_(random_rows(parameter.sizes(), ++seed));
  for (const auto& buffer : module.named_buffers()) {
    const Tensor values = random_rows(buffer.value().sizes(), ++seed);
    const bool variance = buffer.key().ends_with("running_var");
    Tensor(buffer.value()).copy_(variance ? values.abs() + 0.5 : values);
  }
  module.to(torch::kFloat64);
}

SparseMatrix random_sparse(std::int64_t rows, std::int64_t width) {
  const Tensor dense = random_rows({rows, width}, 5).relu().to(torch::kFloat32);
  return SparseMatrix::from_dense(
      {dense.data_ptr<float>(), static_cast<std::size_t>(dense.numel())}, rows, width);
}

Tensor to_dense(const SparseMatrix& matrix) {
  Tensor dense = torch::zeros({matrix.num_rows(), matrix.num_columns()}, torch::kFloat64);
  const CsrView csr = matrix.csr();
  for (std::int64_t r = 0; r < matrix.num_rows(); ++r) {
    for (EdgeId s = csr.offsets[r]; s < csr.offsets[r + 1]; ++s)
      dense[r][csr.columns[s]] = matrix.values()[s];
  }
  return dense;
}

void expect_naive(torch::nn::Module& module, const Function& layer, const Function& naive,
                  const Inputs& inputs) {
  const Named expected = evaluate(module, naive, inputs);
  for (const auto& [type, tolerance] :
       {std::pair{torch::kFloat32, 3e-5}, std::pair{torch::kFloat64, 1e-11}}) {
    SCOPED_TRACE(type);
    module.to(type);
    Inputs in_type;
    for (const Tensor& input : inputs) in_type.push_back(input.to(type));
    const Named got = evaluate(module, layer, in_type);
    ASSERT_EQ(got.at("output").scalar_type(), type);
    for (const auto& [name, value] : expected) expect_close(got.at(name), value, tolerance, name);
  }
}

Tensor result_and_rows(GraphLayer& layer, const Graph& graph, const Tensor& x,
                       const EdgeRows& edges) {
  Generator generator(1);
  Features rows(x);
  Tensor z = layer.propagate({graph, rows, edges}, generator);
  if (layer.bias.defined()) z = z + layer.bias;
  return torch::cat({z, rows.dense()}, 1);
}

void expect_layer(GraphLayer& layer, const DenseGraph& graph, std::int64_t width,
                  const std::function<Tensor(const Tensor& x)>& naive) {
  SCOPED_TRACE(layer.text() + " on " + graph.name);
  const std::int64_t nodes = graph.graph.num_nodes();
  expect_naive(
      layer, [&](const Inputs& in) { return result_and_rows(layer, graph.graph, in[0]); },
      [&](const Inputs& in) {
        return torch::cat({naive(in[0]), in[0]}, 1);
      },
      {random_rows({nodes, width}, 1)});
  const SparseMatrix sparse = random_sparse(nodes, width);
  Generator generator(1);
  expect_naive(
      layer, [&](const Inputs&) { return layer.forward(graph.graph, sparse, {}, generator); },
      [&](const Inputs&) { return naive(to_dense(sparse)); }, {});
}

Tensor naive_norm(const TailImpl& tail, const Tensor& z) {
  if (!tail.weight.defined()) return z;
  const Tensor mean = tail.is_training() ? z.mean(0) : tail.running_mean;
  const Tensor variance = tail.is_training() ? (z - mean).square().mean(0) : tail.running_var;
  return (z - mean) / (variance + 1e-5).sqrt() * tail.weight + tail.bias;
}

}  // namespace hgnet::test
