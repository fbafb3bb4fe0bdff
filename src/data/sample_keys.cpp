#include "hgnet/data/sample_keys.hpp"

#include <algorithm>
#include <numeric>
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
  const auto width = static_cast<std::size_t>(graph.edge_row_width());
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

/// What of a sample there are keys of.
struct SampleKeys {
  Keys all;    // see sample_keys()
  Keys rows;   // nodes: of the row alone
  Keys named;  // nodes: of the name and the row
};

SampleKeys keys_of(const Dataset& dataset) {
  SampleKeys keys;
  Keys nodes = std::visit(RowKeys{dataset.num_nodes()}, dataset.features);
  if (dataset.task == Task::kNode) {
    keys.rows = nodes;
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      const std::string name =
          dataset.sample_names.empty() ? std::to_string(v) : dataset.sample_names[v];
      nodes[v] = hash_of(std::span<const char>(name), nodes[v]);
    }
    keys.named = nodes;
  }
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g) {
    const auto begin = static_cast<std::size_t>(dataset.node_offsets[g]);
    const auto end = static_cast<std::size_t>(dataset.node_offsets[g + 1]);
    const std::span<std::uint64_t> of_graph = std::span(nodes).subspan(begin, end - begin);
    for (int i = 0; i < kSteps; ++i) step(dataset.graphs[g], of_graph);
    if (dataset.task == Task::kGraph)
      keys.all.push_back(std::accumulate(of_graph.begin(), of_graph.end(),
                                         static_cast<std::uint64_t>(of_graph.size())));
  }
  if (dataset.task == Task::kNode) keys.all = std::move(nodes);
  return keys;
}

enum class Part { kNone, kTrain, kVal, kTest };
using PartOfKey = std::unordered_map<std::uint64_t, Part>;

std::vector<Part> parts_of(const Split& split, std::size_t samples) {
  std::vector<Part> parts(samples, Part::kNone);
  for (const std::int64_t s : split.train) parts[static_cast<std::size_t>(s)] = Part::kTrain;
  for (const std::int64_t s : split.val) parts[static_cast<std::size_t>(s)] = Part::kVal;
  for (const std::int64_t s : split.test) parts[static_cast<std::size_t>(s)] = Part::kTest;
  return parts;
}

PartOfKey by_key(const Keys& keys, const std::vector<Part>& parts) {
  const auto is_used = [](Part part) { return part == Part::kTrain || part == Part::kVal; };
  PartOfKey result;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto [place, is_new] = result.try_emplace(keys[i], parts[i]);
    Part& part = place->second;
    if (is_new || part == parts[i]) continue;
    part = is_used(part) && is_used(parts[i]) ? Part::kTrain : Part::kNone;
  }
  return result;
}

/// Of nodes whose row no other node has: name and row are enough to know them by. Where nearly all
/// have such a row, the row alone is.
struct ByRow {
  PartOfKey parts;
  bool without_names = false;
};

ByRow by_row(const SampleKeys& keys, const std::vector<Part>& parts) {
  constexpr double kNearlyAll = 0.9;
  std::unordered_map<std::uint64_t, int> count;
  for (const std::uint64_t row : keys.rows) ++count[row];
  const auto alone = std::count_if(keys.rows.begin(), keys.rows.end(),
                                   [&](std::uint64_t row) { return count.at(row) == 1; });
  ByRow result;
  result.without_names =
      static_cast<double>(alone) >= kNearlyAll * static_cast<double>(keys.rows.size());
  for (std::size_t v = 0; v < keys.rows.size(); ++v) {
    if (count.at(keys.rows[v]) == 1)
      result.parts.emplace(result.without_names ? keys.rows[v] : keys.named[v], parts[v]);
  }
  return result;
}

Part part_of(std::uint64_t key, const PartOfKey& parts) {
  const auto found = parts.find(key);
  return found == parts.end() ? Part::kNone : found->second;
}

}  // namespace

std::vector<std::uint64_t> sample_keys(const Dataset& dataset) { return keys_of(dataset).all; }

Split recognised(const Dataset& dataset, const Dataset& other, const Split& split) {
  const SampleKeys theirs = keys_of(other);
  const std::vector<Part> parts = parts_of(split, theirs.all.size());
  const PartOfKey whole = by_key(theirs.all, parts);
  const ByRow rows = by_row(theirs, parts);
  const SampleKeys ours = keys_of(dataset);
  Split result;
  for (std::size_t i = 0; i < ours.all.size(); ++i) {
    Part part = part_of(ours.all[i], whole);
    if (part == Part::kNone && !ours.rows.empty())
      part = part_of(rows.without_names ? ours.rows[i] : ours.named[i], rows.parts);
    const auto sample = static_cast<std::int64_t>(i);
    if (part == Part::kTrain) result.train.push_back(sample);
    if (part == Part::kVal) result.val.push_back(sample);
    if (part == Part::kTest) result.test.push_back(sample);
  }
  return result;
}

}  // namespace hgnet
