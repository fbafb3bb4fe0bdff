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

template <class Bits>
struct Keyed {
  Bits key;
  std::int32_t edge;
};

/// Stable, by the bits of the keys: several times as fast as comparing.
template <class Bits>
void sort_by_key(std::vector<Keyed<Bits>>& items) {
  constexpr int kDigit = 11;
  constexpr int kPasses = (8 * sizeof(Bits) + kDigit - 1) / kDigit;
  constexpr std::size_t kBuckets = std::size_t{1} << kDigit;
  const auto digit = [](Bits key, int pass) { return key >> (pass * kDigit) & (kBuckets - 1); };
  std::vector<std::int32_t> places(kPasses * kBuckets, 0);
  for (const auto& item : items) {
    for (int pass = 0; pass < kPasses; ++pass) ++places[pass * kBuckets + digit(item.key, pass)];
  }
  std::vector<Keyed<Bits>> next(items.size());
  for (int pass = 0; pass < kPasses && !items.empty(); ++pass) {
    std::int32_t* place = places.data() + pass * kBuckets;
    if (place[digit(items[0].key, pass)] == static_cast<std::int32_t>(items.size()))
      continue;  // all in one bucket
    std::exclusive_scan(place, place + kBuckets, place, 0);
    for (const auto& item : items) next[place[digit(item.key, pass)]++] = item;
    items.swap(next);
  }
}

/// Calls visit(edge) from the highest score down.
template <class Visit>
void for_descending_score(const Tensor& score, const Visit& visit) {
  AT_DISPATCH_FLOATING_TYPES(score.scalar_type(), "edge_contract", [&] {
    const auto* scores = score.data_ptr<scalar_t>();
    std::vector<Keyed<decltype(descending_key(scalar_t{}))>> items(score.numel());
    for (std::size_t e = 0; e < items.size(); ++e)
      items[e] = {descending_key(scores[e]), static_cast<std::int32_t>(e)};
    sort_by_key(items);
    for (const auto& item : items) visit(item.edge);
  });
}

constexpr std::int64_t kNone = -1;

/// Whether no entry is -1. Throws c10::Error for an entry that is neither -1 nor a segment.
bool check_segments(const char* op, std::span<const std::int64_t> index, std::int64_t segments) {
  if (first_outside(index, 0, segments) == index.end()) return true;
  const auto wrong = first_outside(index, kNone, segments);
  TORCH_CHECK(wrong == index.end(), op, ": index holds ", *wrong, " at ", wrong - index.begin(),
              "; expected -1 (none) or 0 .. ", segments - 1);
  return false;
}

/// An edge between parents, and its number in the list.
struct CoarseEdge {
  std::int32_t from;
  std::int32_t to;
  std::int32_t number;
};

/// By one end, stable: a pass of counting.
std::vector<CoarseEdge> sorted_by(std::vector<CoarseEdge> edges, std::int64_t num_parents,
                                  std::int32_t CoarseEdge::*end) {
  std::vector<std::int32_t> place(num_parents + 1, 0);
  for (const CoarseEdge& edge : edges) ++place[edge.*end + 1];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<CoarseEdge> sorted(edges.size());
  for (const CoarseEdge& edge : edges) sorted[place[edge.*end]++] = edge;
  return sorted;
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
  contracted.reserve(num_nodes);
  for_descending_score(score, [&](std::int32_t edge) {
    if (coarse[source[edge]] != kNone || coarse[target[edge]] != kNone) return;
    coarse[source[edge]] = coarse[target[edge]] = static_cast<std::int64_t>(contracted.size());
    contracted.push_back(edge);
  });
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
  checked_count("coarse_graph", "num_parents", num_parents);
  const std::int64_t num_edges = edge_index.size(1);
  checked_count("coarse_graph", "number of edges", num_edges);
  const auto parents = numbers(parent);
  check_segments("coarse_graph", parents, num_parents);
  const auto* source = edge_index.data_ptr<std::int64_t>();
  const auto* target = source + num_edges;
  std::vector<CoarseEdge> edges;
  edges.reserve(num_edges);
  for (std::int64_t e = 0; e < num_edges; ++e) {
    const CoarseEdge edge{static_cast<std::int32_t>(parents[source[e]]),
                          static_cast<std::int32_t>(parents[target[e]]),
                          static_cast<std::int32_t>(e)};
    if (edge.from != kNone && edge.to != kNone && (edge.from != edge.to || self_loops))
      edges.push_back(edge);
  }
  edges = sorted_by(std::move(edges), num_parents, &CoarseEdge::to);
  edges = sorted_by(std::move(edges), num_parents, &CoarseEdge::from);

  Tensor edge_of = torch::full({num_edges}, kNone, torch::kLong);
  auto* number = edge_of.data_ptr<std::int64_t>();
  std::int64_t count = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {  // distinct ones move to the front
    const CoarseEdge edge = edges[i];
    if (count == 0 || edges[count - 1].from != edge.from || edges[count - 1].to != edge.to)
      edges[count++] = edge;
    number[edge.number] = count - 1;
  }
  Tensor distinct = torch::empty({2, count}, torch::kLong);
  auto* ends = distinct.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < count; ++i) {
    ends[i] = edges[i].from;
    ends[count + i] = edges[i].to;
  }
  return {distinct, edge_of};
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
