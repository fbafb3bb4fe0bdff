// One reader per format of data set. All throw InvalidFile, naming file, line and what was
// expected.

#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "data/byte_stream.hpp"
#include "data/file_set.hpp"
#include "hgnet/data/dataset.hpp"
#include "hgnet/data/load.hpp"

namespace hgnet {

/// The most nodes that a node id can count.
inline constexpr std::int64_t kMaxNodes = std::numeric_limits<NodeId>::max() - 1;

/// One graph in the format given by a file's extension; see read_graph in graph_file.hpp.
Graph read_graph(ByteStream stream, const std::string& ending);

/// The same, with the nodes' names if the file calls them by other words than numbers.
struct NamedGraph {
  Graph graph;
  std::vector<std::string> names = {};
  std::vector<std::string> notes = {};
};
NamedGraph read_named_graph(ByteStream stream, const std::string& ending);

/// Citation graphs from ind.NAME.{x,y,allx,ally,tx,ty,graph,test.index}: row-normalised sparse
/// features, split "public". Self-loops and repeated edges are dropped; nodes that the test index
/// leaves out have no features and no label.
Dataset read_planetoid(const FileSet& files, const std::string& name);

struct TuOptions {
  bool node_attributes = false;
  bool edge_features = false;
};

/// Reads NAME_A.txt and NAME_graph_indicator.txt; NAME_graph_labels.txt or else, as regression
/// targets, NAME_graph_attributes.txt; NAME_node_labels.txt or else one-hot degrees as features.
/// With `node_attributes`, puts NAME_node_attributes.txt before the one-hot labels; with
/// `edge_features`, makes edge rows of NAME_edge_labels.txt and NAME_edge_attributes.txt, if they
/// are there. Keeps self-loops.
Dataset read_tu(const FileSet& files, const TuOptions& options);

/// Reads raw/{edge,edge-feat,node-feat,num-node-list,num-edge-list,graph-label}.csv and
/// split/NAME/{train,valid,test}.csv, each also as .gz. Labels that are all 0, 1 or empty are
/// yes-or-no tasks; others are regression targets.
Dataset read_ogb(const FileSet& files);

/// nodes.csv with the columns id, graph, label, split and features; edges.csv with source, target,
/// graph, weight and edge features; graphs.csv, if it is there, with graph, label and split. Split
/// "own" where there is a column of that name. Throws AmbiguousTask for labels of which only some
/// are numbers, unless the options say what they are.
Dataset read_csv_graph(const FileSet& files, const LoadOptions& options = {});

}  // namespace hgnet
