#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "hgnet/data/color_connectivity.hpp"
#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// A graph that color-connectivity is posed on, and the settings of its set: the paper's, or those
/// of a crossing.
struct ColorGround {
  Graph graph;
  ColorStarts starts = ColorStarts::kAnywhere;
  std::int64_t num_samples = 15000;
  ColorTask task = ColorTask::kIslands;
  int radius = 4;
  int windows = 1;
};

/// Another way of drawing a set: "cc-grid16:fixed-starts" is drawn on cc-grid16 with
/// ColorStarts::kFixed, "cc-grid16:matched" by match_colourings with the judge wl:2.
struct ColorVariant {
  const char* name;                   // "fixed-starts"
  const char* sets;                   // what the names of the sets that have it begin with
  std::optional<ColorStarts> starts;  // none: the set's own
  bool matched = false;
};
std::span<const ColorVariant> color_variants();

/// "cc-grid16" and "cc-grid16x16" are a grid of 16 x 16 nodes, and so for other sizes; none for a
/// name that is not of this form.
std::optional<ColorGround> grid_ground(std::string_view name);

/// "cc-crossing32:4" is crossings of radius 4 on a grid of 32 x 32 nodes, "cc-crossing64:4:3" has
/// three windows. None for a name that does not begin with "cc-crossing"; throws UnknownDataset,
/// with the form expected, for one that goes on otherwise.
std::optional<ColorGround> crossing_ground(std::string_view name);

/// "euroroad" and "minnesota" from their files, treated as in the paper: Euroroad is not connected,
/// so walkers start near each other; Minnesota gets an edge that connects it, and 6,000 samples.
/// None for any other name. Throws what read_graph and connect_minnesota throw.
std::optional<ColorGround> road_ground(std::string_view road, const std::filesystem::path& file);

/// The samples as a data set, all with the same graph; the feature says whether a node is red.
/// Throws Error for samples with more colours or with noise, which do not fit in one bit.
Dataset color_dataset(const ColorConnectivity& samples);

}  // namespace hgnet
