// What --graph means, the same for every command.

#pragma once

#include <optional>
#include <string>

#include "hgnet/graph/graph.hpp"
#include "layout.hpp"

namespace hgnet::app {

/// The graph asked for, and where its nodes lie if that is known without looking.
struct Subject {
  Graph graph;
  std::optional<Layout> layout;
};

inline constexpr const char* kGraphHelp =
    "grid:WxH, path:N, or a file: edge list, MatrixMarket (.mtx), or 'nodes edges' and one-based "
    "pairs (.edges)";

/// Reads the argument of --graph. Throws CLI::ValidationError for one that cannot be read, and what
/// read_graph throws for a file.
Subject subject_of(const std::string& text, bool with_layout);

/// The layout that came with the subject, or a force-directed one.
Layout layout_of(const Subject& subject);

}  // namespace hgnet::app
