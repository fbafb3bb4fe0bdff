#pragma once

#include <filesystem>

#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// Reads one graph from a file, in the format given by its extension:
///   .edges   first line "nodes edges", then that many one-based pairs
///   .mtx     MatrixMarket coordinate (pattern, real or integer; general or symmetric), square
///   other    an edge list: zero-based pairs, one per line, with an optional weight; separated by
///            blanks, tabs or commas; lines that start with # or % are comments; there are as many
///            nodes as the largest id needs
/// Edges are undirected; repeated edges and self-loops are dropped. Throws InvalidFile, naming the
/// file, the line and what was expected.
Graph read_graph(const std::filesystem::path& file);

}  // namespace hgnet
