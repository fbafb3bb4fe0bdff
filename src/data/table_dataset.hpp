#pragma once

#include <functional>
#include <optional>
#include <string>

#include "data/text_table.hpp"
#include "hgnet/data/dataset.hpp"
#include "hgnet/data/load.hpp"

namespace hgnet {

/// Graphs as tables, whatever the format of their file.
struct GraphTables {
  TextTable nodes;                  // id; graph, split, labels, features
  TextTable edges;                  // source, target; graph, weight, features
  std::optional<TextTable> graphs;  // graph; split, labels
  bool directed = false;            // by the file's own word
  std::vector<std::string> notes = {};
  /// In place of `edges`, whose columns are then empty: opens a csv file of one graph's edges,
  /// which has the columns source and target alone. Their text is never in memory.
  std::function<ByteStream()> open_edges = {};
};

/// The data set that the tables describe. Samples are graphs if there is a table of graphs, or if
/// nodes have a graph and no label; else nodes. Throws InvalidFile, naming the row's place.
Dataset dataset_of(GraphTables tables, const LoadOptions& options);

}  // namespace hgnet
