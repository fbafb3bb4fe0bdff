// The ops compared with the same work in stock libtorch calls.

#include <torch/types.h>
#include <torch/utils.h>

#include <functional>
#include <iostream>

#include "comparison.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/batch.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/ops/attention.hpp"
#include "hgnet/ops/gcn_norm.hpp"
#include "hgnet/ops/graph_linear.hpp"
#include "hgnet/ops/messages.hpp"
#include "hgnet/ops/norm_act.hpp"
#include "hgnet/ops/segment.hpp"
#include "hgnet/ops/softmax.hpp"
#include "hgnet/ops/spmm.hpp"
#include "stock.hpp"

namespace hgnet::benchmarks {
namespace {

using torch::Tensor;

struct Subject {
  std::string name;
  Graph graph;
};

void add_spmm(const Subject& subject, std::int64_t channels, bool against_index_add) {
  const Graph& graph = subject.graph;
  const SparseOperator m{graph, gcn_operator(graph).values, {}, true};
  const Tensor x = torch::randn({graph.num_nodes(), channels});
  const Tensor csr = stock::sparse_csr(graph, m.values);
  Comparison forward{"spmm forward",
                     subject.name + ", C=" + std::to_string(channels),
                     graph.num_edges(),
                     graph.num_edges() * channels * 4,
                     {}};
  Comparison backward = forward;
  backward.name = "spmm backward";
  forward.forms.push_back({"ours", [=] { return spmm(m, x); }});
  const auto ours = backward_of([=](const Tensor& t) { return spmm(m, t); }, x);
  backward.forms.push_back({"ours", ours});
  if (against_index_add) {
    const stock::Edges edges(graph);
    forward.forms.push_back({"index_add", [=] { return stock::spmm(edges, m.values, x); }});
    backward.forms.push_back(
        {"index_add",
         backward_of([=](const Tensor& t) { return stock::spmm(edges, m.values, t); }, x)});
  }
  forward.forms.push_back({"sparse mm", [=] { return csr.matmul(x); }});
  // The values are symmetric, so its backward is the product with the same matrix.
  const Tensor dy = probe_like(x);
  backward.forms.push_back({"sparse mm", [=] { return csr.matmul(dy); }});
  add(forward);
  add(backward);
}

void add_softmax(const Subject& subject, std::int64_t heads) {
  const Graph& graph = subject.graph;
  const stock::Edges edges(graph);
  // Shifted so that the maximum with the initial zeros of the scatter form changes nothing.
  const Tensor logits = torch::randn({graph.num_edges(), heads}) + 6;
  const auto ours = [=](const Tensor& t) { return segment_softmax(graph, t); };
  const auto scatter = [=](const Tensor& t) {
    return stock::segment_softmax(t, edges.target, edges.num_nodes);
  };
  const std::string size = subject.name + ", heads=" + std::to_string(heads);
  const std::int64_t bytes = graph.num_edges() * heads * 4;
  add({"segment softmax forward",
       size,
       graph.num_edges(),
       2 * bytes,
       {{"ours", [=] { return ours(logits); }}, {"scatter", [=] { return scatter(logits); }}}});
  add({"segment softmax backward",
       size,
       graph.num_edges(),
       3 * bytes,
       {{"ours", backward_of(ours, logits)}, {"scatter", backward_of(scatter, logits)}},
       1e-3});
}

using SegmentOp = Tensor (*)(const Tensor&, const ParentMap&);
using StockOp = Tensor (*)(const Tensor&, const Tensor&, std::int64_t);

void add_segment(const std::string& name, SegmentOp op, StockOp stock_op, const std::string& size,
                 const ParentMap& map, std::int64_t channels) {
  const Tensor x = torch::rand({map.num_children(), channels});  // positive, as for the softmax
  const Tensor index = stock::index(map);
  const auto ours = [=](const Tensor& t) { return op(t, map); };
  const auto scatter = [=](const Tensor& t) { return stock_op(t, index, map.num_parents()); };
  const std::string full = size + ", C=" + std::to_string(channels);
  const std::int64_t bytes = (map.num_children() + map.num_parents()) * channels * 4;
  add({name + " forward",
       full,
       map.num_children(),
       bytes,
       {{"ours", [=] { return ours(x); }}, {"scatter", [=] { return scatter(x); }}}});
  add({name + " backward",
       full,
       map.num_children(),
       bytes,
       {{"ours", backward_of(ours, x)}, {"scatter", backward_of(scatter, x)}}});
}

void add_segments(const std::string& size, const ParentMap& map, std::int64_t channels) {
  add_segment("segment sum", segment_sum, stock::segment_sum, size, map, channels);
  add_segment("segment mean", segment_mean, stock::segment_mean, size, map, channels);
  add_segment("segment max", segment_max, stock::segment_max, size, map, channels);
  const Tensor coarse = torch::randn({map.num_parents(), channels});
  const Tensor index = stock::index(map);
  const auto ours = [=](const Tensor& t) { return gather(t, map); };
  const auto select = [=](const Tensor& t) { return stock::gather(t, index); };
  const std::string full = size + ", C=" + std::to_string(channels);
  const std::int64_t bytes = (map.num_children() + map.num_parents()) * channels * 4;
  add({"gather forward",
       full,
       map.num_children(),
       bytes,
       {{"ours", [=] { return ours(coarse); }}, {"index_select", [=] { return select(coarse); }}}});
  add({"gather backward",
       full,
       map.num_children(),
       bytes,
       {{"ours", backward_of(ours, coarse)}, {"index_select", backward_of(select, coarse)}}});
}

void add_edge_score(const Subject& subject, std::int64_t channels) {
  const Graph& graph = subject.graph;
  const stock::Edges edges(graph);
  const Tensor weight = torch::randn({1, 2 * channels}) / channels;
  const Tensor bias = torch::full({1}, 5.0);
  const Tensor split = weight.view({2, channels}).t().contiguous();
  const Tensor x = torch::randn({graph.num_nodes(), channels});
  const auto ours = [=](const Tensor& t) { return edge_score(graph, t.matmul(split), bias); };
  const auto wide = [=](const Tensor& t) { return stock::edge_score(edges, t, weight, bias); };
  const std::string size = subject.name + ", C=" + std::to_string(channels);
  const std::int64_t bytes = graph.num_nodes() * channels * 4 + graph.num_edges() * 4;
  add({"edge score forward",
       size,
       graph.num_edges(),
       bytes,
       {{"ours", [=] { return ours(x); }}, {"2C-wide rows", [=] { return wide(x); }}}});
  add({"edge score backward",
       size,
       graph.num_edges(),
       bytes,
       {{"ours", backward_of(ours, x)}, {"2C-wide rows", backward_of(wide, x)}},
       1e-3});
}

void add_attention(const Subject& subject, std::int64_t heads, std::int64_t channels) {
  const Graph& graph = subject.graph;
  stock::Edges with_loops(graph);
  const Tensor nodes = torch::arange(graph.num_nodes());
  with_loops.source = torch::cat({with_loops.source, nodes});
  with_loops.target = torch::cat({with_loops.target, nodes});
  const std::int64_t n = graph.num_nodes();
  const std::int64_t width = heads * channels;
  // Rows and both scores in one tensor, so that the backward passes include all three gradients.
  const Tensor x = torch::cat({torch::randn({n, width}), torch::rand({n, 2 * heads}) + 1}, 1);
  const auto ours = [=](const Tensor& t) {
    return attention(graph, t.slice(1, 0, width), t.slice(1, width, width + heads),
                     t.slice(1, width + heads));
  };
  const auto scatter = [=](const Tensor& t) {
    return stock::attention(with_loops, t.slice(1, 0, width).reshape({n, heads, channels}),
                            t.slice(1, width, width + heads), t.slice(1, width + heads))
        .reshape({n, width});
  };
  const std::string size =
      subject.name + ", " + std::to_string(heads) + " heads of " + std::to_string(channels);
  const std::int64_t bytes = (graph.num_edges() + n) * width * 4;
  add({"attention forward",
       size,
       graph.num_edges() + n,
       bytes,
       {{"ours", [=] { return ours(x); }}, {"scatter", [=] { return scatter(x); }}}});
  add({"attention backward",
       size,
       graph.num_edges() + n,
       2 * bytes,
       {{"ours", backward_of(ours, x)}, {"scatter", backward_of(scatter, x)}}});
}

void add_both_ways(const std::string& name, const std::string& size, std::int64_t edges,
                   std::int64_t bytes, const Tensor& x,
                   const std::function<Tensor(const Tensor&)>& ours, const std::string& other_name,
                   const std::function<Tensor(const Tensor&)>& other) {
  add({name + " forward", size, edges, bytes, {{"ours", [=] { return ours(x); }}, {other_name, [=] {
                                                                                     return other(
                                                                                         x);
                                                                                   }}}});
  add({name + " backward",
       size,
       edges,
       bytes,
       {{"ours", backward_of(ours, x)}, {other_name, backward_of(other, x)}},
       1e-3});
}

void add_messages(const Subject& subject, std::int64_t channels) {
  const Graph& graph = subject.graph;
  const stock::Edges edges(graph);
  const Tensor x = torch::randn({graph.num_nodes(), channels});
  const Tensor rows = torch::randn({graph.num_edges(), channels});
  add_both_ways(
      "relu messages", subject.name + ", C=" + std::to_string(channels), graph.num_edges(),
      2 * graph.num_edges() * channels * 4, x,
      [=](const Tensor& t) { return relu_messages(graph, {}, t, {rows}); }, "index_add",
      [=](const Tensor& t) {
        const Tensor messages = torch::relu(t.index_select(0, edges.source) + rows);
        return torch::zeros_like(t).index_add(0, edges.target, messages);
      });
}

void add_graph_linear(const Subject& subject, std::int64_t channels) {
  const Graph& graph = subject.graph;
  const SparseOperator m = gcn_operator(graph);
  const Tensor x = torch::randn({graph.num_nodes(), channels});
  const Tensor weight = torch::randn({channels, channels});
  add_both_ways(
      "graph linear", subject.name + ", C=" + std::to_string(channels), graph.num_edges(),
      graph.num_edges() * channels * 4, x,
      [=](const Tensor& t) { return graph_linear(m, t, weight).y; }, "spmm, mm",
      [=](const Tensor& t) { return spmm(m, t).mm(weight.t()); });
}

void add_norm_act(std::int64_t rows, std::int64_t channels, Activation activation) {
  const Tensor z = torch::randn({rows, channels});
  const Tensor weight = torch::rand({channels});
  const Tensor bias = torch::randn({channels});
  const auto ours = [=](const Tensor& t) {
    const BatchNormTensors norm{weight, bias, torch::zeros({channels}), torch::ones({channels}),
                                true};
    return norm_act(t, {}, &norm, activation);
  };
  const auto stock = [=](const Tensor& t) {
    const Tensor a = torch::batch_norm(t, weight, bias, {}, {}, true, 0.1, 1e-5, false);
    return activation == Activation::kElu ? torch::elu(a) : torch::relu(a);
  };
  add_both_ways("norm and " + std::string(enum_name(activation)),
                std::to_string(rows) + " rows, C=" + std::to_string(channels), rows,
                2 * rows * channels * 4, z, ours, "libtorch", stock);
}

void add_gcn_norm(const Subject& subject) {
  const Graph& graph = subject.graph;
  const stock::Edges edges(graph);
  const Tensor weights = torch::rand({graph.num_edges()}) + 0.5;
  const auto ours = [=](const Tensor& t) { return gcn_operator(graph, t).values; };
  const auto scatter = [=](const Tensor& t) { return stock::gcn_norm(edges, t)[0]; };
  add({"GCN normalisation forward",
       subject.name,
       graph.num_edges(),
       graph.num_edges() * 12,
       {{"ours", [=] { return ours(weights); }}, {"scatter", [=] { return scatter(weights); }}}});
  add({"GCN normalisation backward",
       subject.name,
       graph.num_edges(),
       graph.num_edges() * 16,
       {{"ours", backward_of(ours, weights)}, {"scatter", backward_of(scatter, weights)}}});
}

/// Cora's shape: 2,708 rows of 1,433 columns, 18 entries per row.
void add_sparse_features() {
  Generator generator(1);
  std::vector<float> dense(2708 * 1433, 0.0F);
  for (int i = 0; i < 2708 * 18; ++i) dense[generator.below(dense.size())] = 1.0F / 18;
  const SparseMatrix features = SparseMatrix::from_dense(dense, 2708, 1433);
  const Tensor as_tensor = torch::tensor(dense).view({2708, 1433});
  const Tensor weights = torch::randn({1433, 32});
  const auto ours = [=](const Tensor& t) { return spmm(features, t); };
  const auto gemm = [=](const Tensor& t) { return as_tensor.matmul(t); };
  add({"sparse features times weights forward",
       "2,708 x 1,433, 1.3 %, C=32",
       features.num_entries(),
       features.num_entries() * 32 * 4,
       {{"ours", [=] { return ours(weights); }}, {"dense", [=] { return gemm(weights); }}}});
  add({"sparse features times weights backward",
       "2,708 x 1,433, 1.3 %, C=32",
       features.num_entries(),
       features.num_entries() * 32 * 4,
       {{"ours", backward_of(ours, weights)}, {"dense", backward_of(gemm, weights)}}});
}

ParentMap pairs(NodeId num_children) {
  std::vector<NodeId> parent(num_children);
  for (NodeId v = 0; v < num_children; ++v) parent[v] = v / 2;
  return {std::move(parent), (num_children + 1) / 2};
}

int main_body(int argc, char** argv) {
  torch::manual_seed(1);
  Generator generator(1);
  const Subject random{"100k nodes, 1M edges", random_graph(100'000, 500'000, generator)};
  const Subject large{"1M nodes, 10M edges", random_graph(1'000'000, 5'000'000, generator)};
  const Batch batch = Batch::repeat(grid_graph(16, 16), 32);
  const Subject grids{"32 grids 16x16", batch.graph()};
  add_spmm(random, 64, true);
  add_spmm(grids, 32, true);
  add_spmm(large, 64, false);
  add_softmax(random, 1);
  add_softmax(random, 8);
  add_softmax(grids, 1);
  add_segments("100k rows to 50k parents", pairs(100'000), 64);
  add_segments("8,192 rows to 32 graphs", batch.graph_of_node(), 32);
  add_edge_score(random, 64);
  add_edge_score(grids, 32);
  add_attention(random, 8, 8);
  add_attention(grids, 8, 4);
  add_messages(random, 64);
  add_messages(grids, 32);
  add_graph_linear(random, 64);
  add_graph_linear(grids, 32);
  for (const Activation activation : {Activation::kRelu, Activation::kElu}) {
    add_norm_act(8'192, 32, activation);
    add_norm_act(100'000, 64, activation);
  }
  add_gcn_norm(random);
  add_sparse_features();
  return run(argc, argv);
}

}  // namespace
}  // namespace hgnet::benchmarks

int main(int argc, char** argv) {
  hgnet::keep_freed_memory();
  try {
    return hgnet::benchmarks::main_body(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "ops_benchmark: " << error.what() << "\n";
    return 1;
  }
}
