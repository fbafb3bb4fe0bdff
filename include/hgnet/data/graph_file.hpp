#pragma once

#include <filesystem>

#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// Reads one graph from a file, by its ending:
///   .edges   first line "nodes edges", then one-based pairs, as many as it says
///   .mtx     MatrixMarket coordinate (pattern, real or integer; general or symmetric), square
///   other    an edge list: zero-based pairs, one a line, with an optional weight; blanks, tabs or
///   commas
///            between; lines that start with # or % are comments; as many nodes as the largest id
///            needs
/// Edges are undirected; repeated ones and self-loops are dropped. Throws InvalidFile, naming file,
/// line and what was expected.
Graph read_graph(const std::filesystem::path& file);

}  // namespace hgnet
