#include "hgnet/data/color_dataset.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "hgnet/core/error.hpp"
#include "hgnet/data/graph_file.hpp"
#include "hgnet/graph/generators.hpp"

namespace hgnet {
namespace {

constexpr int kMaxSide = 1 << 10;

constexpr ColorVariant kVariants[] = {
    {"matched", "cc-", std::nullopt, true},
    {"fixed-starts", "cc-grid", ColorStarts::kFixed},
    {"wrapped-starts", "cc-euroroad", ColorStarts::kWrapped},
};

/// Takes a number from 1 to kMaxSide off the front of the text; 0 when there is none.
int take_number(std::string_view& text) {
  int side = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  if (error != std::errc() || side < 1 || side > kMaxSide) return 0;
  text.remove_prefix(end - text.data());
  return side;
}

/// The bits of all samples concatenated, without the gaps between samples' words.
BitRows red_rows(const ColorConnectivity& samples) {
  const std::int64_t num_nodes = samples.graph.num_nodes();
  BitRows rows{std::vector<std::uint64_t>((samples.num_samples() * num_nodes + 63) / 64)};
  for (std::int64_t sample = 0; sample < samples.num_samples(); ++sample) {
    std::int64_t row = sample * num_nodes;
    for (const std::uint64_t word : samples.red_words(sample)) {
      const std::int64_t shift = row % 64;
      rows.words[row / 64] |= word << shift;
      if (shift != 0 && word >> (64 - shift) != 0) rows.words[row / 64 + 1] |= word >> (64 - shift);
      row += 64;
    }
  }
  return rows;
}

}  // namespace

std::span<const ColorVariant> color_variants() { return kVariants; }

std::optional<ColorGround> grid_ground(std::string_view name) {
  constexpr std::string_view kPrefix = "cc-grid";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const int width = take_number(name);
  int height = width;
  if (name.starts_with('x')) {
    name.remove_prefix(1);
    height = take_number(name);
  }
  if (width == 0 || height == 0 || !name.empty()) return std::nullopt;
  return ColorGround{.graph = grid_graph(width, height)};
}

std::optional<ColorGround> crossing_ground(std::string_view name) {
  constexpr std::string_view kPrefix = "cc-crossing";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  std::string_view rest = name.substr(kPrefix.size());
  std::vector<int> numbers{take_number(rest)};
  while (rest.starts_with(':')) {
    rest.remove_prefix(1);
    numbers.push_back(take_number(rest));
  }
  const bool complete = std::find(numbers.begin(), numbers.end(), 0) == numbers.end();
  if (!complete || !rest.empty() || numbers.size() < 2 || numbers.size() > 3) {
    throw UnknownDataset("no data set '" + std::string(name) +
                         "'; expected cc-crossingSIDE:RADIUS, such as cc-crossing32:4, or "
                         "cc-crossingSIDE:RADIUS:WINDOWS");
  }
  return ColorGround{.graph = grid_graph(numbers[0], numbers[0]),
                     .num_samples = 8000,
                     .task = ColorTask::kCrossing,
                     .radius = numbers[1],
                     .windows = numbers.size() == 3 ? numbers[2] : 1};
}

std::optional<ColorGround> road_ground(std::string_view road, const std::filesystem::path& file) {
  if (road == "euroroad") {
    return ColorGround{.graph = read_graph(file), .starts = ColorStarts::kNearby};
  }
  if (road == "minnesota") {
    return ColorGround{.graph = connect_minnesota(read_graph(file)), .num_samples = 6000};
  }
  return std::nullopt;
}

Dataset color_dataset(const ColorConnectivity& samples) {
  if (samples.options.num_colours != 2 || samples.options.noise_features != 0) {
    throw Error("color-connectivity with " + std::to_string(samples.options.num_colours) +
                " colours and " + std::to_string(samples.options.noise_features) +
                " noise features: a data set of bits holds two colours and no noise");
  }
  Dataset dataset;
  dataset.name = "color-connectivity";
  dataset.task = Task::kGraph;
  dataset.graphs.assign(samples.num_samples(), samples.graph);
  for (std::int64_t sample = 1; sample <= samples.num_samples(); ++sample)
    dataset.node_offsets.push_back(sample * samples.graph.num_nodes());
  dataset.features = red_rows(samples);
  dataset.columns.kind = kColours;
  dataset.classes.assign(samples.labels.begin(), samples.labels.end());
  if (samples.in_pairs()) dataset.groups.assign(samples.attempts.begin(), samples.attempts.end());
  for (int label = 0; label < samples.num_classes(); ++label)
    dataset.class_names.push_back(std::to_string(label));
  return dataset;
}

}  // namespace hgnet
