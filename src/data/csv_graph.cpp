// The user's own graphs: nodes.csv, edges.csv and, for labels of graphs, graphs.csv, each with a header
// line that names its columns.

#include "data/readers.hpp"
#include "data/table_dataset.hpp"

namespace hgnet {

Dataset read_csv_graph(const FileSet& files, const LoadOptions& options) {
  GraphTables tables{read_csv_table(files.open("nodes.csv"), "node"),
                     read_csv_table(files.open("edges.csv"), "edge"), std::nullopt, false};
  if (files.find("graphs.csv")) tables.graphs = read_csv_table(files.open("graphs.csv"), "graph");
  Dataset dataset = dataset_of(tables, options);
  dataset.name = files.place().filename().string();
  return dataset;
}

}  // namespace hgnet
