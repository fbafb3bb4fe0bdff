#include "hgnet/data/sample_keys.hpp"

#include <span>
#include <unordered_map>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hgnet {
namespace {

using Keys = std::vector<std::uint64_t>;

/// Features count for themselves; the two steps let neighbours count.
constexpr int kSteps = 2;

template <class T>
std::uint64_t hash_of(std::span<const T> values, std::uint64_t seed = 0) {
  return XXH3_64bits_withSeed(values.data(), values.size_bytes(), seed);
}

/// The key of each row, by the form that features have.
struct RowKeys {
  std::int64_t rows;

  Keys operator()(const DenseRows& dense) const {
    return of_equal_rows(std::span(dense.values), dense.width);
  }
  Keys operator()(const CategoricalRows& categories) const {
    return of_equal_rows(std::span(categories.values), std::ssize(categories.sizes));
  }
  Keys operator()(const SparseMatrix& sparse) const {
    Keys keys;
    const auto offsets = sparse.csr().offsets;
    for (std::int64_t r = 0; r < rows; ++r) {
      const auto begin = static_cast<std::size_t>(offsets[r]);
      const auto count = static_cast<std::size_t>(offsets[r + 1]) - begin;
      keys.push_back(hash_of(sparse.values().subspan(begin, count),
                             hash_of(sparse.csr().columns.subspan(begin, count))));
    }
    return keys;
  }
  Keys operator()(const BitRows& bits) const {
    Keys keys;
    for (std::int64_t r = 0; r < rows; ++r) keys.push_back(bits[r] ? 1 : 0);
    return keys;
  }
  Keys operator()(const ColumnRows& table) const {
    Keys keys(static_cast<std::size_t>(rows));
    for (const Column& column : table.columns) {
      for (std::size_t r = 0; r < keys.size(); ++r)
        keys[r] = hash_of(std::span(&column.values[r], 1), keys[r]);
    }
    return keys;
  }

 private:
  template <class T>
  Keys of_equal_rows(std::span<const T> values, std::int64_t width) const {
    Keys keys;
    for (std::int64_t r = 0; r < rows; ++r)
      keys.push_back(hash_of(
          values.subspan(static_cast<std::size_t>(r * width), static_cast<std::size_t>(width))));
    return keys;
  }
};

/// A node's key takes in those of its neighbours, whose order does not count.
void step(const Graph& graph, std::span<std::uint64_t> keys) {
  const Keys before(keys.begin(), keys.end());
  const std::size_t width =
      graph.columns().empty() ? 0 : graph.edge_rows().size() / graph.columns().size();
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    std::uint64_t around = 0;
    for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
      std::uint64_t edge = before[static_cast<std::size_t>(graph.columns()[s])];
      const auto slot = static_cast<std::size_t>(s);
      if (graph.has_weights()) edge = hash_of(graph.weights().subspan(slot, 1), edge);
      around += hash_of(graph.edge_rows().subspan(slot * width, width), edge);
    }
    keys[v] = hash_of(std::span<const std::uint64_t>(&around, 1), before[v]);
  }
}

}  // namespace

std::vector<std::uint64_t> sample_keys(const Dataset& dataset) {
  Keys nodes = std::visit(RowKeys{dataset.num_nodes()}, dataset.features);
  for (std::size_t v = 0; dataset.task == Task::kNode && v < nodes.size(); ++v) {
    const std::string name =
        dataset.sample_names.empty() ? std::to_string(v) : dataset.sample_names[v];
    nodes[v] = hash_of(std::span<const char>(name), nodes[v]);
  }
  Keys graphs;
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g) {
    const auto begin = static_cast<std::size_t>(dataset.node_offsets[g]);
    const auto end = static_cast<std::size_t>(dataset.node_offsets[g + 1]);
    const std::span<std::uint64_t> keys = std::span(nodes).subspan(begin, end - begin);
    for (int i = 0; i < kSteps; ++i) step(dataset.graphs[g], keys);
    std::uint64_t sum = keys.size();
    for (const std::uint64_t key : keys) sum += key;
    graphs.push_back(sum);
  }
  return dataset.task == Task::kNode ? nodes : graphs;
}

std::vector<std::int64_t> recognised_samples(const Dataset& dataset, const Dataset& other,
                                             const std::vector<std::int64_t>& known) {
  const Keys theirs = sample_keys(other);
  std::unordered_map<std::uint64_t, int> count;
  for (const std::uint64_t key : theirs) ++count[key];
  constexpr int kKnown = -1;
  for (const std::int64_t sample : known) {
    int& of_key = count.at(theirs[static_cast<std::size_t>(sample)]);
    if (of_key == 1) of_key = kKnown;
  }
  std::vector<std::int64_t> recognised;
  const Keys ours = sample_keys(dataset);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto found = count.find(ours[i]);
    if (found != count.end() && found->second == kKnown)
      recognised.push_back(static_cast<std::int64_t>(i));
  }
  return recognised;
}

}  // namespace hgnet
