#include <algorithm>
#include <numeric>
#include <string>

#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/splits.hpp"

namespace hgnet {
namespace {

void check(const Graph& graph, std::span<const std::int32_t> labels, std::int64_t num_classes,
           const SanitizedSplitOptions& options) {
  if (std::ssize(labels) != graph.num_nodes()) {
    throw InvalidSplit("sanitized split: " + std::to_string(labels.size()) + " labels for " +
                       std::to_string(graph.num_nodes()) + " nodes");
  }
  for (std::size_t v = 0; v < labels.size(); ++v) {
    if (labels[v] >= num_classes) {
      throw InvalidSplit("sanitized split: node " + std::to_string(v) + " has label " +
                         std::to_string(labels[v]) + "; expected less than " +
                         std::to_string(num_classes));
    }
  }
  if (options.hops < 0 || options.train_per_class < 0 || options.num_val < 0 ||
      options.num_test < 0) {
    throw InvalidSplit("sanitized split: hops and sizes must not be negative");
  }
}

/// Finds the nodes around a drawn one.
class Surroundings {
 public:
  explicit Surroundings(const Graph& graph) : graph_(graph), seen_(graph.num_nodes(), 0) {}

  const std::vector<NodeId>& of(NodeId node, int hops, Barred barred) {
    return barred == Barred::kWithinHops ? within(node, hops) : after_walks(node, hops);
  }

 private:
  /// All nodes that `hops` or fewer edges lead to from `node`, itself among them.
  const std::vector<NodeId>& within(NodeId node, int hops) {
    ++stamp_;
    found_.assign(1, node);
    seen_[node] = stamp_;
    std::size_t begin = 0;
    for (int hop = 0; hop < hops && begin < found_.size(); ++hop) {
      const std::size_t end = found_.size();
      for (; begin < end; ++begin) add_neighbours(found_[begin]);
    }
    return found_;
  }

  /// All nodes at which a walk of exactly `steps` steps from `node` can end.
  const std::vector<NodeId>& after_walks(NodeId node, int steps) {
    std::vector<NodeId> from;
    found_.assign(1, node);
    for (int step = 0; step < steps && !found_.empty(); ++step) {
      ++stamp_;
      from.swap(found_);
      found_.clear();
      for (const NodeId v : from) add_neighbours(v);
    }
    return found_;
  }

  void add_neighbours(NodeId node) {
    for (const NodeId u : graph_.neighbours(node)) {
      if (seen_[u] == stamp_) continue;
      seen_[u] = stamp_;
      found_.push_back(u);
    }
  }

  const Graph& graph_;
  std::vector<NodeId> found_;
  std::vector<std::int64_t> seen_;  // by node: stamp of the last search that saw it
  std::int64_t stamp_ = 0;
};

std::vector<NodeId> draw_nodes(const Graph& graph, std::span<const std::int32_t> labels,
                               const SanitizedSplitOptions& options) {
  std::vector<NodeId> order(graph.num_nodes());
  std::iota(order.begin(), order.end(), 0);
  Generator(options.seed).shuffle(std::span<NodeId>(order));
  Surroundings surroundings(graph);
  std::vector<char> barred(graph.num_nodes(), 0);
  std::vector<NodeId> drawn;
  for (const NodeId node : order) {
    if (labels[node] < 0 || barred[node] != 0) continue;
    drawn.push_back(node);
    const auto& around = surroundings.of(node, options.hops, options.barred);
    for (const NodeId v : around) barred[v] = 1;
  }
  return drawn;
}

}  // namespace

std::vector<NodeId> barred_nodes(const Graph& graph, NodeId node, int hops, Barred barred) {
  return Surroundings(graph).of(node, hops, barred);
}

Split sanitized_split(const Graph& graph, std::span<const std::int32_t> labels,
                      std::int64_t num_classes, const SanitizedSplitOptions& options) {
  check(graph, labels, num_classes, options);
  Split split;
  std::vector<std::int64_t> rest;
  std::vector<std::int64_t> in_training(num_classes, 0);
  for (const NodeId node : draw_nodes(graph, labels, options)) {
    const bool trains = in_training[labels[node]] < options.train_per_class;
    if (trains) ++in_training[labels[node]];
    (trains ? split.train : rest).push_back(node);
  }
  const auto remain = std::ssize(rest);
  const bool enough = remain >= options.num_val + options.num_test;
  const auto val_end = rest.begin() + (enough ? options.num_val : remain / 3);
  split.val.assign(rest.begin(), val_end);
  split.test.assign(val_end, enough ? val_end + options.num_test : rest.end());
  for (auto* part : {&split.train, &split.val, &split.test}) std::sort(part->begin(), part->end());
  return split;
}

}  // namespace hgnet
