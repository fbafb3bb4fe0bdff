// The user's own graphs: nodes.csv, edges.csv and, for labels of graphs, graphs.csv, each with a
// header line that names its columns.

#include <utility>

#include "data/readers.hpp"
#include "data/table_dataset.hpp"

namespace hgnet {

namespace {

/// Whether edges can be taken line by line as they are.
bool are_plain(const TextTable& nodes, const CsvLines& edges, const LoadOptions& options) {
  return options.directed == Directed::kError && nodes.find("graph") == nullptr &&
         edges.names().size() == 2 && edges.find("source") && edges.find("target");
}

}  // namespace

Dataset read_csv_graph(const FileSet& files, const LoadOptions& options) {
  GraphTables tables{read_csv_table(files.open("nodes.csv"), "node"), {}, std::nullopt, false};
  const CsvLines edges(files.open("edges.csv"));
  if (are_plain(tables.nodes, edges, options)) {
    tables.edges.file = edges.reader().file();
    tables.open_edges = [&] { return files.open("edges.csv"); };
  } else {
    tables.edges = read_csv_table(files.open("edges.csv"), "edge");
  }
  if (files.find("graphs.csv")) tables.graphs = read_csv_table(files.open("graphs.csv"), "graph");
  Dataset dataset = dataset_of(std::move(tables), options);
  dataset.name = files.place().filename().string();
  return dataset;
}

}  // namespace hgnet
