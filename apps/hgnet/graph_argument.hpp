// The argument of --graph, the same for every command.

#pragma once

#include <optional>
#include <string>

#include "hgnet/graph/graph.hpp"
#include "layout.hpp"

namespace hgnet::app {

/// The requested graph, and the positions of its nodes if they are known without computing a
/// layout.
struct Subject {
  Graph graph;
  std::optional<Layout> layout;
};

inline constexpr const char* kGraphHelp =
    "grid:WxH, path:N, or a file: edge list, MatrixMarket (.mtx), or 'nodes edges' and one-based "
    "pairs (.edges)";

/// Reads the argument of --graph. Throws CLI::ValidationError if it cannot be parsed, and what
/// read_graph throws for a file.
Subject subject_of(const std::string& text, bool with_layout);

/// The layout that came with the subject, or a force-directed one.
Layout layout_of(const Subject& subject);

}  // namespace hgnet::app
