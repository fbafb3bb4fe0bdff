// Files of graphs with attributes, as networkx and others write them. All throw InvalidFile, with
// the line.

#pragma once

#include <optional>
#include <string>

#include "data/byte_stream.hpp"
#include "data/table_dataset.hpp"

namespace hgnet {

/// Nodes, edges and their <data>; with several <graph> elements, several graphs.
GraphTables read_graphml(ByteStream stream);

/// A node is called by its label where all have different ones, else by its id.
GraphTables read_gml(ByteStream stream);

/// An object with "nodes", each with "id", and "links" or "edges", each with "source" and "target".
/// A list of numbers becomes one column for each place.
GraphTables read_node_link(ByteStream stream);

/// The tables in a file whose name ends in .graphml, .gml or .json, .gz apart; none for other
/// endings.
std::optional<GraphTables> read_graph_tables(ByteStream stream, const std::string& ending);

}  // namespace hgnet
