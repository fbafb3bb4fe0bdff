#include "stock_models.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

namespace hgnet::stock {
namespace {

using torch::Tensor;

/// Edges without a Graph.
struct EdgeIndex {
  Tensor source;
  Tensor target;
  std::int64_t num_nodes;
};

class StockModel {
 public:
  explicit StockModel(const Model& model)
      : config_(model.config()), training_(model.is_training()) {
    for (const auto& item : model.named_parameters()) tensors_[item.key()] = item.value();
    for (const auto& item : model.named_buffers()) tensors_[item.key()] = item.value();
  }

  Tensor forward(const StockInput& input) const {
    const EdgeIndex edges{input.edges.source, input.edges.target, input.edges.num_nodes};
    const Tensor rows = config_.model == "hgnet"    ? hgnet(edges, input.x)
                        : config_.model == "g-unet" ? g_unet(edges, input)
                                                    : flat(edges, input.x);
    if (config_.task == Task::kNode) return rows;
    const Tensor graphs = segment_mean(rows, input.graph_of_node, input.num_graphs);
    const Tensor hidden = act(linear("classifier_first", graphs), config_.classifier_activation);
    return linear("classifier_second", hidden);
  }

 private:
  const Tensor& at(const std::string& name) const { return tensors_.at(name); }

  Tensor linear(const std::string& name, const Tensor& x) const {
    return x.mm(at(name + ".weight").t()) + at(name + ".bias");
  }

  static Tensor act(const Tensor& x, Activation activation) {
    switch (activation) {
      case Activation::kRelu: return torch::relu(x);
      case Activation::kElu: return torch::elu(x);
      case Activation::kLeakyRelu: return torch::leaky_relu(x);
      case Activation::kNone: return x;
    }
    throw std::logic_error("activation");
  }

  Tensor tail(const std::string& name, const Tensor& x, bool active) const {
    Tensor y = x;
    if (config_.norm == Norm::kBatch && tensors_.count(name + ".weight") > 0) {
      // Running statistics are left unchanged: the model itself updates them.
      y = torch::batch_norm(x, at(name + ".weight"), at(name + ".bias"),
                            training_ ? Tensor() : at(name + ".running_mean"),
                            training_ ? Tensor() : at(name + ".running_var"), training_, 0.1, 1e-5,
                            false);
    }
    return active ? act(y, config_.activation) : y;
  }

  static EdgeIndex with_loops(const EdgeIndex& e) {
    const Tensor loops = torch::arange(e.num_nodes, torch::kLong);
    return {torch::cat({e.source, loops}), torch::cat({e.target, loops}), e.num_nodes};
  }

  static Tensor messages(const EdgeIndex& e, const Tensor& values, const Tensor& x) {
    Tensor rows = x.index_select(0, e.source);
    if (values.defined()) rows = rows * values.unsqueeze(1);
    return torch::zeros({e.num_nodes, x.size(1)}, x.options()).index_add(0, e.target, rows);
  }

  /// Normalised weights of all edges, self-loops of weight `fill` at the end.
  static Tensor norm_values(const EdgeIndex& all, const Tensor& weights) {
    const Tensor degree = torch::zeros({all.num_nodes}).index_add(0, all.target, weights);
    const Tensor scale = degree.pow(-0.5).masked_fill(degree == 0, 0.0);
    return scale.index_select(0, all.source) * weights * scale.index_select(0, all.target);
  }

  Tensor gcn(const std::string& name, const EdgeIndex& e, const Tensor& weights, double fill,
             const Tensor& x) const {
    const EdgeIndex all = with_loops(e);
    const Tensor own = weights.defined() ? weights : torch::ones({e.source.size(0)});
    const Tensor values = norm_values(all, torch::cat({own, torch::full({e.num_nodes}, fill)}));
    return messages(all, values, x.mm(at(name + ".weight").t())) + at(name + ".bias");
  }

  Tensor gin(const std::string& name, const EdgeIndex& e, const Tensor& x) const {
    const Tensor hidden = linear(name + ".first", x + messages(e, {}, x));
    const Tensor normed =
        config_.norm == Norm::kBatch
            ? torch::batch_norm(hidden, at(name + ".middle.weight"), at(name + ".middle.bias"), {},
                                {}, true, 0.1, 1e-5, false)
            : hidden;
    return linear(name + ".second", torch::relu(normed));
  }

  Tensor cheb(const std::string& name, const EdgeIndex& e, const Tensor& x) const {
    const Tensor values = -norm_values(e, torch::ones({e.source.size(0)}));
    const auto weights = at(name + ".weight").chunk(2, 0);
    return x.mm(weights[0].t()) + messages(e, values, x).mm(weights[1].t()) + at(name + ".bias");
  }

  Tensor gat(const std::string& name, const EdgeIndex& e, const Tensor& x) const {
    const EdgeIndex all = with_loops(e);
    const Tensor& source = at(name + ".source");
    const std::int64_t heads = source.size(0);
    const Tensor h = x.mm(at(name + ".weight").t()).view({e.num_nodes, heads, -1});
    const Tensor a_source = (h * source.unsqueeze(0)).sum(-1);
    const Tensor a_target = (h * at(name + ".target").unsqueeze(0)).sum(-1);
    const Tensor logits = torch::leaky_relu(
        a_source.index_select(0, all.source) + a_target.index_select(0, all.target), 0.2);
    const Tensor alpha = segment_softmax(logits, all.target, e.num_nodes);
    const Tensor rows = h.index_select(0, all.source) * alpha.unsqueeze(-1);
    return torch::zeros_like(h).index_add(0, all.target, rows).view({e.num_nodes, -1}) +
           at(name + ".bias");
  }

  Tensor flat(const EdgeIndex& e, Tensor x) const {
    for (int l = 0; l < config_.layers; ++l) {
      const std::string name = "network.block" + std::to_string(l) + ".layer";
      const Tensor y = config_.model == "gcn"    ? gcn(name, e, {}, 1.0, x)
                       : config_.model == "gin"  ? gin(name, e, x)
                       : config_.model == "cheb" ? cheb(name, e, x)
                                                 : gat(name, e, x);
      const Tensor done =
          tail("network.block" + std::to_string(l) + ".tail", y, l + 1 < config_.layers);
      x = config_.residual && x.size(1) == done.size(1) ? done + x : done;
    }
    return x;
  }

  struct Pooled {
    EdgeIndex edges;
    Tensor x;
    Tensor parent;
  };

  /// Highest score first, taken nodes in a set; then the coarse edges by sorting keys.
  Pooled edge_pool(const std::string& name, const EdgeIndex& e, const Tensor& x) const {
    const Tensor pairs = torch::cat({x.index_select(0, e.source), x.index_select(0, e.target)}, 1);
    const Tensor raw =
        pairs.mm(at(name + ".weight").view({1, -1}).t()).squeeze(1) + at(name + ".bias");
    const Tensor scores = segment_softmax(raw, e.target, e.num_nodes) + 0.5;
    // Of equal scores, the larger edge id first: a stable sort of the edges from the last to the
    // first.
    const Tensor order =
        scores.size(0) - 1 -
        std::get<1>(scores.detach().flip(0).sort(/*stable=*/true, 0, /*descending=*/true));
    std::set<std::int64_t> left;
    for (std::int64_t v = 0; v < e.num_nodes; ++v) left.insert(left.end(), v);
    std::vector<std::int64_t> parent(e.num_nodes);
    std::vector<std::int64_t> contracted;
    const auto* source = e.source.data_ptr<std::int64_t>();
    const auto* target = e.target.data_ptr<std::int64_t>();
    std::int64_t next = 0;
    for (std::int64_t i = 0; i < order.size(0); ++i) {
      const std::int64_t edge = order.data_ptr<std::int64_t>()[i];
      if (left.count(source[edge]) == 0 || left.count(target[edge]) == 0) continue;
      parent[source[edge]] = parent[target[edge]] = next++;
      left.erase(source[edge]);
      left.erase(target[edge]);
      contracted.push_back(edge);
    }
    for (const std::int64_t v : left) parent[v] = next++;
    const Tensor parents = torch::tensor(parent, torch::kLong);
    const auto merged = static_cast<std::int64_t>(contracted.size());
    const Tensor factor =
        torch::cat({scores.index_select(0, torch::tensor(contracted, torch::kLong)),
                    torch::ones({next - merged})});
    const Tensor rows = segment_sum(x, parents, next) * factor.unsqueeze(1);
    const Tensor from = parents.index_select(0, e.source);
    const Tensor to = parents.index_select(0, e.target);
    const Tensor keys = std::get<0>(torch::_unique2((from * next + to).masked_select(from != to)));
    return {{keys.div(next, "floor"), keys.remainder(next), next}, rows, parents};
  }

  Tensor rgcn(const std::string& name, const EdgeIndex& e, const Tensor& x, const Tensor& above,
              const Tensor& parent) const {
    const auto weights = at(name + ".weight").chunk(2, 0);
    const EdgeIndex all = with_loops(e);
    return x.mm(weights[0].t()) + messages(all, {}, x.mm(weights[1].t())) +
           above.index_select(0, parent).mm(at(name + ".parent_weight").t()) + at(name + ".bias");
  }

  Tensor hgnet(EdgeIndex e, Tensor x) const {
    std::vector<EdgeIndex> edges;
    std::vector<Tensor> rows;
    std::vector<Tensor> parents;
    for (int l = 0; l <= config_.levels; ++l) {
      const std::string number = std::to_string(l);
      x = tail("network.coarsen" + number + ".tail",
               gcn("network.coarsen" + number + ".layer", e, {}, 1.0, x), true);
      edges.push_back(e);
      rows.push_back(x);
      if (l == config_.levels) break;
      const Pooled pooled = edge_pool("network.pool" + number, e, x);
      parents.push_back(pooled.parent);
      e = pooled.edges;
      x = pooled.x;
    }
    for (int l = config_.levels - 1; l >= 0; --l) {
      const std::string number = std::to_string(l);
      x = tail("network.refine" + number + ".block.tail",
               rgcn("network.refine" + number + ".block.layer", edges[l], rows[l], x, parents[l]),
               l > 0);
    }
    return x;
  }

  struct Weighted {
    EdgeIndex edges;
    Tensor weights;
  };

  /// (A + I)^2 without diagonal, by libtorch's sparse product.
  static Weighted squared(const Weighted& a) {
    const EdgeIndex all = with_loops(a.edges);
    const Tensor values = torch::cat({a.weights, torch::ones({a.edges.num_nodes})});
    const Tensor matrix = torch::sparse_coo_tensor(torch::stack({all.source, all.target}), values,
                                                   {a.edges.num_nodes, a.edges.num_nodes});
    const Tensor product =
        torch::_sparse_sparse_matmul(matrix.coalesce(), matrix.coalesce()).coalesce();
    const Tensor index = product._indices();
    const Tensor keep = index[0] != index[1];
    return {{index[0].masked_select(keep), index[1].masked_select(keep), a.edges.num_nodes},
            product._values().masked_select(keep)};
  }

  /// Kept nodes, ascending, by a sort of the nodes by (graph, score).
  static Tensor best_nodes(const Tensor& scores, const Tensor& graph, std::int64_t num_graphs,
                           double keep) {
    const Tensor by_score = scores.argsort(-1, true);
    const Tensor order = by_score.index_select(
        0, std::get<1>(graph.index_select(0, by_score).sort(/*stable=*/true, 0, false)));
    const Tensor sizes = torch::bincount(graph, {}, num_graphs);
    std::vector<std::int64_t> kept;
    std::int64_t begin = 0;
    for (std::int64_t g = 0; g < num_graphs; ++g) {
      const std::int64_t n = sizes[g].item<std::int64_t>();
      const auto k =
          keep > 1 ? std::min(n, static_cast<std::int64_t>(keep))
                   : static_cast<std::int64_t>(std::ceil(keep * static_cast<double>(n) - 1e-9));
      for (std::int64_t i = 0; i < k; ++i)
        kept.push_back(order.data_ptr<std::int64_t>()[begin + i]);
      begin += n;
    }
    std::sort(kept.begin(), kept.end());
    return torch::tensor(kept, torch::kLong);
  }

  Tensor g_unet(const EdgeIndex& e, const StockInput& input) const {
    Weighted graph{e, torch::ones({e.source.size(0)})};
    Tensor graph_of_node = input.graph_of_node;
    Tensor x = input.x;
    std::vector<Weighted> graphs;
    std::vector<Tensor> rows;
    std::vector<Tensor> kept_nodes;
    for (int l = 0; l <= config_.levels; ++l) {
      const std::string number = std::to_string(l);
      x = tail("network.coarsen" + number + ".tail",
               gcn("network.coarsen" + number + ".layer", graph.edges, graph.weights, 2.0, x),
               true);
      graphs.push_back(graph);
      rows.push_back(x);
      if (l == config_.levels) break;
      const Weighted dense = squared(graph);
      const Tensor& p = at("network.pool" + number + ".weight");
      const Tensor y = x.mm(p.t()).squeeze(1) / p.norm();
      const Tensor kept = best_nodes(y.detach(), graph_of_node, input.num_graphs, config_.keep[l]);
      x = x.index_select(0, kept) * torch::tanh(y.index_select(0, kept)).unsqueeze(1);
      Tensor place = torch::full({graph.edges.num_nodes}, -1, torch::kLong);
      place.index_copy_(0, kept, torch::arange(kept.size(0), torch::kLong));
      const Tensor from = place.index_select(0, dense.edges.source);
      const Tensor to = place.index_select(0, dense.edges.target);
      const Tensor inside = (from >= 0).logical_and(to >= 0);
      graph = {{from.masked_select(inside), to.masked_select(inside), kept.size(0)},
               dense.weights.masked_select(inside)};
      graph_of_node = graph_of_node.index_select(0, kept);
      kept_nodes.push_back(kept);
    }
    for (int l = config_.levels - 1; l >= 0; --l) {
      const std::string number = std::to_string(l);
      x = rows[l] + torch::zeros_like(rows[l]).index_copy(0, kept_nodes[l], x);
      x = tail("network.refine" + number + ".block.tail",
               gcn("network.refine" + number + ".block.layer", graphs[l].edges, graphs[l].weights,
                   2.0, x),
               l > 0);
    }
    return x;
  }

  ModelConfig config_;
  bool training_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace

StockInput::StockInput(const Input& input)
    : x(input.x.dense()),
      edges(input.hierarchy.graph(0)),
      graph_of_node(index(input.graph_of_node)),
      num_graphs(input.graph_of_node.num_parents()) {
  std::swap(edges.source, edges.target);  // by source, then target: the order of edge ids
}

Tensor forward(const Model& model, const StockInput& input) {
  return StockModel(model).forward(input);
}

}  // namespace hgnet::stock
