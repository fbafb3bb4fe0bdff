#include "hgnet/nn/layers/edge_rows.hpp"

#include <numeric>

#include "hgnet/core/text.hpp"
#include "hgnet/nn/init.hpp"
#include "hgnet/ops/gcn_norm.hpp"
#include "hgnet/ops/segment.hpp"

namespace hgnet {
namespace {

constexpr std::int64_t kBondWidth = kBondColumns[0] + kBondColumns[1] + kBondColumns[2];
constexpr std::int64_t kBondKinds = kBondColumns[0] * kBondColumns[1] * kBondColumns[2];

/// One Xavier-uniform table per column, stacked.
torch::Tensor embeddings(std::span<const std::int64_t> sizes, std::int64_t width,
                         Generator& generator) {
  std::vector<torch::Tensor> tables;
  for (const std::int64_t size : sizes)
    tables.push_back(init::glorot({size, width}, size, width, generator));
  return torch::cat(tables);
}

/// The combination of categories in the edge's row.
NodeId bond_kind(const float* row, EdgeId slot) {
  std::int64_t kind = 0;
  for (std::size_t c = 0; c < kBondColumns.size(); ++c) {
    const auto category = static_cast<std::int64_t>(row[c]);
    if (category < 0 || category >= kBondColumns[c] || static_cast<float>(category) != row[c]) {
      throw InvalidGraph("bond of slot " + std::to_string(slot) + ": column " + std::to_string(c) +
                         " is " + short_number(row[c]) + "; expected a category 0 .. " +
                         std::to_string(kBondColumns[c] - 1));
    }
    kind = kind * kBondColumns[c] + category;
  }
  return static_cast<NodeId>(kind);
}

/// Row k has a 1 at each category of bond kind k: [kBondKinds, kBondWidth].
torch::Tensor kinds_as_rows() {
  torch::Tensor rows = torch::zeros({kBondKinds, kBondWidth}, torch::kFloat32);
  auto* to = rows.data_ptr<float>();
  for (std::int64_t kind = 0; kind < kBondKinds; ++kind) {
    std::int64_t rest = kind;
    std::int64_t end = kBondWidth;
    for (std::size_t c = kBondColumns.size(); c-- > 0; rest /= kBondColumns[c]) {
      end -= kBondColumns[c];
      to[kind * kBondWidth + end + rest % kBondColumns[c]] = 1;
    }
  }
  return rows;
}

/// Which of all combinations of bond categories each slot has.
ParentMap bond_kinds(const Graph& graph) {
  constexpr auto kColumns = static_cast<std::int64_t>(kBondColumns.size());
  const float* rows = graph.edge_rows().data();
  std::vector<NodeId> kinds(graph.num_edges());
  for (EdgeId s = 0; s < graph.num_edges(); ++s) kinds[s] = bond_kind(rows + s * kColumns, s);
  return {std::move(kinds), static_cast<NodeId>(kBondKinds)};
}

/// ReLU(x_v + row) scale_v.
torch::Tensor own_message(const torch::Tensor& x, const torch::Tensor& row,
                          const torch::Tensor& scale) {
  return norm_act(x, row, nullptr, Activation::kRelu) * scale.unsqueeze(1);
}

/// 1 / deg of A + 2I, whose operator is `m`. Its diagonal is 2 / deg, but 0 at a self-loop.
torch::Tensor inverse_degrees(const Graph& graph, const SparseOperator& m) {
  torch::Tensor result = m.diagonal * 0.5;
  for (NodeId v = 0; graph.num_self_loops() > 0 && v < graph.num_nodes(); ++v) {
    if (!graph.has_edge(v, v)) continue;
    double degree = 0;
    for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s)
      degree += graph.has_weights() ? graph.weights()[s] : 1.0F;
    if (!graph.outside().empty()) degree += graph.outside()[v];
    result[v] = degree > 0 ? 1 / degree : 0;
  }
  return result;
}

}  // namespace

NodeEncoderImpl::NodeEncoderImpl(std::span<const std::int64_t> sizes, std::int64_t width,
                                 Generator& generator) {
  embedding = register_parameter("embedding", embeddings(sizes, width, generator));
}

std::string NodeEncoderImpl::text() const {
  return "encoder " + widths(embedding.size(0), embedding.size(1));
}

EdgeRows edge_inputs(const Graph& graph, std::int64_t inputs) {
  const bool bonds = inputs == 0;
  const std::int64_t width = bonds ? std::ssize(kBondColumns) : inputs;
  if (graph.num_edges() > 0 && graph.edge_row_width() != width) {
    throw InvalidGraph(std::string(bonds ? "bonds" : "edges") + ": edge rows have width " +
                       std::to_string(graph.edge_row_width()) + "; expected " +
                       std::to_string(width));
  }
  if (bonds) return {kinds_as_rows(), bond_kinds(graph)};
  // Backward reads the rows, and a graph without some of its edges is gone by then.
  return {torch::from_blob(
      const_cast<float*>(graph.edge_rows().data()), {graph.num_edges(), width}, [graph](void*) {},
      torch::kFloat32)};
}

EdgeEncoderImpl::EdgeEncoderImpl(std::int64_t inputs, std::int64_t width, Generator& generator) {
  const bool bonds = inputs == 0;
  embedding = register_parameter("embedding",
                                 bonds ? embeddings(kBondColumns, width, generator)
                                       : init::glorot({inputs, width}, inputs, width, generator));
  if (!bonds) bias = register_parameter("bias", torch::zeros({width}, torch::kFloat32));
}

EdgeRows EdgeEncoderImpl::forward(const EdgeRows& inputs) const {
  const torch::Tensor rows = inputs.rows.to(embedding.scalar_type());
  if (!bias.defined()) return {rows.mm(embedding), inputs.row_of_slot};
  return {Features(rows).times(embedding.t()) + bias};
}

EdgeLevelsImpl::EdgeLevelsImpl(std::int64_t inputs, std::int64_t width, int levels,
                               EdgePooling pooling, Generator& generator)
    : inputs_(inputs), pooling_(pooling) {
  encoder = register_module("encoder", EdgeEncoder(inputs, width, generator));
  for (int l = 1; l <= levels; ++l)
    linears.push_back(
        register_module("linear" + std::to_string(l), Linear(width, width, generator)));
}

EdgeRows EdgeLevelsImpl::of_level(int l, const EdgeRows& below, const Graph& fine,
                                  const Level& level) const {
  const torch::Tensor rows =
      below.row_of_slot ? gather(below.rows, *below.row_of_slot) : below.rows;
  const ParentMap slots = coarse_slots(fine, level.parent, level.graph);
  const torch::Tensor pooled =
      pooling_ == EdgePooling::kSum ? segment_sum(rows, slots) : segment_mean(rows, slots);
  return {linears[l - 1]->forward(pooled), {}};
}

EdgeGcnLayerImpl::EdgeGcnLayerImpl(std::int64_t in, std::int64_t out, Generator& generator) {
  linear = register_module("linear", Linear(in, out, generator));
  root = register_parameter("root", init::uniform({out}, 1.0, generator));
}

torch::Tensor EdgeGcnLayerImpl::propagate(const LayerInput& input, Generator&) {
  auto& [graph, x, edges, parents] = input;
  // deg = degree + 1 is what GCN's own normalisation divides by.
  const SparseOperator m = gcn_operator(graph, SelfLoopFill::kOne, root.scalar_type());
  const torch::Tensor h = linear->forward(x);
  return relu_messages(graph, m.values, h, edges) + own_message(h, root, m.diagonal);
}

std::string EdgeGcnLayerImpl::text() const {
  return "gcn with edge rows " + widths(linear->weight.size(1), width());
}

ParentGcnLayerImpl::ParentGcnLayerImpl(std::int64_t in, std::int64_t out, Generator& generator) {
  linear = register_module("linear", Linear(in, out, generator));
  root = register_parameter("root", init::uniform({in}, 1.0, generator));
  parent = register_parameter("parent", init::uniform({in}, 1.0, generator));
  bias = linear->bias;
}

torch::Tensor ParentGcnLayerImpl::propagate(const LayerInput& input, Generator&) {
  const torch::Tensor& x = input.x.dense();
  const SparseOperator m = gcn_operator(input.graph, SelfLoopFill::kTwo, x.scalar_type());
  const torch::Tensor inverse_degree = inverse_degrees(input.graph, m);
  const torch::Tensor sum =
      relu_messages(input.graph, m.values, x, input.edges) +
      own_message(x, root, m.diagonal * 0.5) +
      own_message(gather(input.parents.rows, input.parents.parent), parent, inverse_degree);
  return Features(sum).times(linear->weight);
}

std::string ParentGcnLayerImpl::text() const {
  return "gcn with parent " + widths(linear->weight.size(1), linear->weight.size(0));
}

EdgeGinLayerImpl::EdgeGinLayerImpl(const GinOptions& options, std::int64_t hidden,
                                   Generator& generator) {
  if (options.trainable_eps) eps = register_parameter("eps", torch::zeros({1}, torch::kFloat32));
  first = register_module("first", Linear(options.in, hidden, generator));
  middle = register_module("middle",
                           Tail(hidden, TailOptions{options.batch_norm ? Norm::kBatch : Norm::kNone,
                                                    Activation::kRelu, 0.0}));
  second = register_module("second", Linear(hidden, options.out, generator));
  bias = second->bias;
}

torch::Tensor EdgeGinLayerImpl::propagate(const LayerInput& input, Generator& generator) {
  auto& [graph, x, edges, parents] = input;
  const torch::Tensor own = eps.defined() ? x.dense() * (eps + 1) : x.dense();
  const torch::Tensor sum = own + relu_messages(graph, {}, x.dense(), edges);
  return Features(middle->forward(Features(sum).times(first->weight), first->bias, generator))
      .times(second->weight);
}

std::string EdgeGinLayerImpl::text() const {
  return "gin with edge rows " + widths(first->weight.size(1), first->weight.size(0)) + " -> " +
         std::to_string(width());
}

}  // namespace hgnet
