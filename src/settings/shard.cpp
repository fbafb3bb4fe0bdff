#include "hgnet/settings/shard.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "core/crc32c.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/data/color_dataset.hpp"
#include "hgnet/data/registry.hpp"

namespace hgnet {
namespace {

/// An edge takes less than a node, whose row goes through the layer's weights.
constexpr double kEdgeShare = 0.1;

/// Scores of edges are learned, and levels made anew for every batch.
constexpr double kLearnedLevels = 3;

/// Of all graphs together. A variant is as large as its set. 1 for own data: all fits of a run have
/// it.
double nodes_and_edges(const std::string& dataset) {
  if (const auto crossing = crossing_ground(dataset)) {
    return static_cast<double>(crossing->num_samples) *
           (crossing->graph.num_nodes() +
            kEdgeShare * static_cast<double>(crossing->graph.num_undirected_edges()));
  }
  const auto all = known_datasets();
  const auto known =
      std::ranges::find(all, dataset.substr(0, dataset.find(':')), &KnownDataset::name);
  if (known == all.end()) return 1;
  return static_cast<double>(known->graphs) * (known->nodes + kEdgeShare * known->edges);
}

}  // namespace

std::optional<Shard> Shard::parsed(std::string_view text) {
  constexpr int kMost = 100'000;
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, first_failure] = std::from_chars(text.data(), end, shard.number);
  if (first_failure != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [rest, second_failure] = std::from_chars(slash + 1, end, shard.count);
  if (second_failure != std::errc() || rest != end) return std::nullopt;
  if (shard.number < 1 || shard.number > shard.count || shard.count > kMost) return std::nullopt;
  return shard;
}

double cost_of(const PlannedFit& fit) {
  const ModelConfig& network = fit.config.network;
  const ModelRow& row = model_row(network.model);
  const int depth = row.hierarchical() ? network.levels + 1 : network.layers;
  const bool learned = row.hierarchical() && !read_by::kStaticLevels.include(network);
  return static_cast<double>(fit.config.epochs) * nodes_and_edges(fit.config.dataset) *
         static_cast<double>(network.hidden * network.heads) * depth *
         (learned ? kLearnedLevels : 1);
}

std::vector<PlannedFit> fits_of(const Shard& shard, const std::vector<PlannedFit>& fits) {
  std::vector<std::pair<double, std::uint32_t>> weights;  // cost, hash
  for (const PlannedFit& fit : fits)
    weights.emplace_back(cost_of(fit), crc32c(fit.table + "\n" + fit.label));
  std::vector<std::size_t> heaviest_first(fits.size());
  std::iota(heaviest_first.begin(), heaviest_first.end(), 0);
  std::ranges::stable_sort(heaviest_first, std::greater(),
                           [&](std::size_t i) { return weights[i]; });
  std::vector<double> load(static_cast<std::size_t>(shard.count));
  std::vector<std::size_t> mine;
  for (const std::size_t i : heaviest_first) {
    const auto part = std::ranges::min_element(load);
    *part += weights[i].first;
    if (part - load.begin() == shard.number - 1) mine.push_back(i);
  }
  std::ranges::sort(mine);  // in the order of the plan
  std::vector<PlannedFit> result;
  for (const std::size_t i : mine) result.push_back(fits[i]);
  return result;
}

}  // namespace hgnet
