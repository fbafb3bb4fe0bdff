#include "edge_list.hpp"

#include <ATen/Dispatch.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "tensors.hpp"

namespace hgnet::python {
namespace {

/// Smaller for the higher score; equal for equal scores, also 0 and -0, NaN and NaN.
template <class T>
auto descending_key(T score) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  if (std::isnan(score)) return Bits{0};
  const auto bits = std::bit_cast<Bits>(score + T{0});
  return static_cast<Bits>((bits & kSign) != 0 ? bits : ~(bits | kSign));
}

/// Stable, by the bits of the keys: several times as fast as comparing.
template <class Bits>
std::vector<std::int32_t> sorted_order(const std::vector<Bits>& keys) {
  constexpr int kDigit = 11;
  constexpr std::size_t kBuckets = std::size_t{1} << kDigit;
  std::vector<std::int32_t> order(keys.size());
  std::vector<std::int32_t> next(keys.size());
  std::iota(order.begin(), order.end(), 0);
  for (int shift = 0; shift < static_cast<int>(8 * sizeof(Bits)); shift += kDigit) {
    const auto digit = [&](std::int32_t i) { return keys[i] >> shift & (kBuckets - 1); };
    std::vector<std::int32_t> place(kBuckets, 0);
    for (std::size_t i = 0; i < keys.size(); ++i) ++place[digit(static_cast<std::int32_t>(i))];
    if (std::find(place.begin(), place.end(), static_cast<std::int32_t>(keys.size())) !=
        place.end())
      continue;  // all in one bucket
    std::exclusive_scan(place.begin(), place.end(), place.begin(), 0);
    for (const std::int32_t i : order) next[place[digit(i)]++] = i;
    order.swap(next);
  }
  return order;
}

std::vector<std::int32_t> by_descending_score(const Tensor& score) {
  std::vector<std::int32_t> order;
  AT_DISPATCH_FLOATING_TYPES(score.scalar_type(), "edge_contract", [&] {
    const auto* scores = score.data_ptr<scalar_t>();
    std::vector<decltype(descending_key(scalar_t{}))> keys(score.numel());
    std::transform(scores, scores + score.numel(), keys.begin(), descending_key<scalar_t>);
    order = sorted_order(keys);
  });
  return order;
}

constexpr std::int64_t kNone = -1;

/// Whether no entry is -1. Throws c10::Error for an entry that is neither -1 nor a segment.
bool check_segments(const char* op, std::span<const std::int64_t> index, std::int64_t segments) {
  const auto [least, largest] = std::minmax_element(index.begin(), index.end());
  if (index.empty()) return true;
  const auto wrong = *least < kNone ? least : largest;
  TORCH_CHECK(*least >= kNone && *largest < segments, op, ": index holds ", *wrong, " at ",
              wrong - index.begin(), "; expected -1 (none) or 0 .. ", segments - 1);
  return *least >= 0;
}

}  // namespace

std::tuple<Tensor, Tensor> contract_edge_list(const Tensor& edge_index_in, const Tensor& score_in,
                                              std::int64_t num_nodes) {
  const Tensor edge_index = checked_edge_index("edge_contract", edge_index_in, num_nodes);
  const std::int64_t num_edges = edge_index.size(1);
  const Tensor score = checked_rows("edge_contract", "score", score_in, num_edges);
  TORCH_CHECK(score.dim() == 1, "edge_contract: score must have shape [", num_edges, "] (got ",
              score.sizes(), ")");
  checked_count("edge_contract", "number of edges", num_edges);
  const auto* source = edge_index.data_ptr<std::int64_t>();
  const auto* target = source + num_edges;
  Tensor parent = torch::full({num_nodes}, kNone, torch::kLong);
  auto* coarse = parent.data_ptr<std::int64_t>();
  std::vector<std::int64_t> contracted;
  for (const std::int32_t edge : by_descending_score(score)) {
    if (coarse[source[edge]] != kNone || coarse[target[edge]] != kNone) continue;
    coarse[source[edge]] = coarse[target[edge]] = static_cast<std::int64_t>(contracted.size());
    contracted.push_back(edge);
  }
  for (std::int64_t v = 0; v < num_nodes; ++v) {
    if (coarse[v] != kNone) continue;
    coarse[v] = static_cast<std::int64_t>(contracted.size());
    contracted.push_back(kNone);
  }
  return {parent, to_tensor(std::span<const std::int64_t>(contracted))};
}

std::tuple<Tensor, Tensor> coarse_edge_list(const Tensor& edge_index_in, const Tensor& parent_in,
                                            std::int64_t num_parents, bool self_loops) {
  const Tensor parent = checked_index("coarse_graph", "parent", parent_in, -1);
  const Tensor edge_index = checked_edge_index("coarse_graph", edge_index_in, parent.numel());
  const ParentMap map = to_map("coarse_graph", parent, num_parents);
  const std::int64_t num_edges = edge_index.size(1);
  checked_count("coarse_graph", "number of edges", num_edges);
  const auto* source = edge_index.data_ptr<std::int64_t>();
  const auto* target = source + num_edges;
  // Edges in the order of the parents of their targets, then in that of their sources: two passes
  // of counting.
  std::vector<NodeId> from(num_edges);
  std::vector<NodeId> to(num_edges);
  for (std::int64_t e = 0; e < num_edges; ++e) {
    from[e] = map.parent(static_cast<NodeId>(source[e]));
    to[e] = map.parent(static_cast<NodeId>(target[e]));
    if (from[e] == kNoNode || to[e] == kNoNode || (from[e] == to[e] && !self_loops))
      from[e] = to[e] = kNoNode;
  }
  const ParentMap by_target(to, static_cast<NodeId>(num_parents));
  const auto edges = by_target.members().columns;
  std::vector<EdgeId> place(num_parents + 1, 0);
  for (const NodeId e : edges) ++place[from[e] + 1];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<NodeId> sorted(edges.size());
  for (const NodeId e : edges) sorted[place[from[e]]++] = e;

  Tensor edge_of = torch::full({num_edges}, kNone, torch::kLong);
  auto* number = edge_of.data_ptr<std::int64_t>();
  std::vector<std::int64_t> sources;
  std::vector<std::int64_t> targets;
  sources.reserve(sorted.size());
  targets.reserve(sorted.size());
  for (const NodeId e : sorted) {
    if (sources.empty() || sources.back() != from[e] || targets.back() != to[e]) {
      sources.push_back(from[e]);
      targets.push_back(to[e]);
    }
    number[e] = static_cast<std::int64_t>(sources.size()) - 1;
  }
  return {torch::stack({to_tensor(std::span<const std::int64_t>(sources)),
                        to_tensor(std::span<const std::int64_t>(targets))}),
          edge_of};
}

Tensor sum_by_index(const Tensor& numbers_in, const Tensor& index_in, std::int64_t num_segments) {
  const Tensor index = checked_index("segment_sum", "index", index_in, -1);
  const Tensor given = checked_rows("segment_sum", "x", numbers_in, index.numel());
  checked_count("segment_sum", "num_segments", num_segments);
  const auto segments = numbers(index);
  check_segments("segment_sum", segments, num_segments);
  Tensor result = torch::zeros({num_segments}, given.options().requires_grad(false));
  AT_DISPATCH_FLOATING_TYPES(given.scalar_type(), "segment_sum", [&] {
    const auto* from = given.data_ptr<scalar_t>();
    auto* to = result.data_ptr<scalar_t>();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      if (segments[i] != kNone) to[segments[i]] += from[i];
    }
  });
  return result;
}

Tensor rows_by_index(const Tensor& x_in, const Tensor& index_in) {
  const Tensor index = checked_index("gather_rows", "index", index_in, -1);
  const Tensor x = checked_rows("gather_rows", "x", x_in, x_in.size(0));
  if (check_segments("gather_rows", numbers(index), x.size(0))) return x.index_select(0, index);
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape[0] = 1;
  const Tensor with_zero = torch::cat({x, torch::zeros(shape, x.options().requires_grad(false))});
  return with_zero.index_select(
      0, torch::where(index >= 0, index, torch::full_like(index, x.size(0))));
}

Tensor softmax_by_index(const Tensor& logits_in, const Tensor& index_in,
                        std::int64_t num_segments) {
  const Tensor index = checked_index("segment_softmax", "index", index_in, -1);
  const Tensor logits = checked_rows("segment_softmax", "logits", logits_in, index.numel());
  checked_count("segment_softmax", "num_segments", num_segments);
  const auto segments = numbers(index);
  check_segments("segment_softmax", segments, num_segments);
  const std::int64_t width = logits.dim() == 1 ? 1 : logits.size(1);
  Tensor result = torch::empty_like(logits);
  AT_DISPATCH_FLOATING_TYPES(logits.scalar_type(), "segment_softmax", [&] {
    const auto* from = logits.data_ptr<scalar_t>();
    auto* to = result.data_ptr<scalar_t>();
    std::vector<scalar_t> largest(num_segments * width, -std::numeric_limits<scalar_t>::infinity());
    std::vector<scalar_t> sum(num_segments * width, 0);
    const auto for_entries = [&](const auto& visit) {
      for (std::size_t i = 0; i < segments.size(); ++i) {
        if (segments[i] == kNone) continue;
        for (std::int64_t c = 0; c < width; ++c) visit(i * width + c, segments[i] * width + c);
      }
    };
    std::fill_n(to, result.numel(), scalar_t{0});
    for_entries([&](std::int64_t i, std::int64_t s) {
      if (!(from[i] <= largest[s])) largest[s] = from[i];  // NaN too
    });
    for_entries([&](std::int64_t i, std::int64_t s) { to[i] = from[i] - largest[s]; });
    result.exp_();
    for_entries([&](std::int64_t i, std::int64_t s) { sum[s] += to[i]; });
    for (std::size_t i = 0; i < segments.size(); ++i) {
      for (std::int64_t c = 0; c < width; ++c) {
        auto& p = to[i * width + c];
        p = segments[i] == kNone ? scalar_t{0} : p / sum[segments[i] * width + c];
      }
    }
  });
  return result;
}

}  // namespace hgnet::python
