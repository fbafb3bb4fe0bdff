// The argument of --graph, the same for every command.

#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "hgnet/data/color_dataset.hpp"
#include "layout.hpp"

namespace hgnet::app {

/// The requested graph, and the positions of its nodes if they are known without computing a
/// layout.
struct Subject {
  Graph graph;
  std::optional<Layout> layout;
};

inline constexpr const char* kGraphHelp =
    "grid:WxH, path:N, a data set or file as for train (of several graphs one, counted from 0: "
    "ENZYMES:17), euroroad or minnesota";

/// "euroroad" and "minnesota" are the road networks below the data root, "euroroad:FILE" the one in
/// that file, both as the paper treats them. None for anything else.
std::optional<ColorGround> road_of(const std::string& text, const std::filesystem::path& root);

/// Reads the argument of --graph; `root` is the folder of data sets, or empty. Edges of a directed
/// graph count in both directions. Throws CLI::ValidationError if it cannot be parsed or leaves
/// open which graph is meant, and what load_dataset throws.
Subject subject_of(const std::string& text, const std::filesystem::path& root, bool with_layout);

/// The layout that came with the subject, or a force-directed one.
Layout layout_of(const Subject& subject, std::uint64_t seed);

}  // namespace hgnet::app
