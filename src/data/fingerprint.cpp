#include "hgnet/data/fingerprint.hpp"

#include <span>

#include "core/checksum.hpp"

namespace hgnet {
namespace {

template <class T>
void add(Checksum& sum, const std::vector<T>& values) {
  sum.add_array(std::span<const T>(values));
}

void add(Checksum& sum, const DenseRows& rows) {
  sum.add("dense");
  add(sum, rows.values);
}

void add(Checksum& sum, const SparseMatrix& rows) {
  sum.add("sparse");
  sum.add_array(rows.csr().offsets);
  sum.add_array(rows.csr().columns);
  sum.add_array(rows.values());
}

void add(Checksum& sum, const CategoricalRows& rows) {
  sum.add("categories");
  add(sum, rows.sizes);
  add(sum, rows.values);
}

void add(Checksum& sum, const BitRows& rows) {
  sum.add("bits");
  add(sum, rows.words);
}

void add(Checksum& sum, const ColumnRows& rows) {
  sum.add("columns");
  for (const Column& column : rows.columns) {
    sum.add(column.name);
    for (const std::string& name : column.categories) sum.add(name);
    add(sum, column.values);
  }
}

std::string of_graphs(const Dataset& dataset) {
  Checksum sum;
  add(sum, dataset.node_offsets);
  for (const Graph& graph : dataset.graphs) {
    sum.add_array(graph.offsets());
    sum.add_array(graph.columns());
    sum.add_array(graph.weights());
    sum.add_array(graph.edge_rows());
  }
  return sum.text();
}

std::string of_features(const Dataset& dataset) {
  Checksum sum;
  sum.add(std::to_string(dataset.num_features()));
  std::visit([&](const auto& rows) { add(sum, rows); }, dataset.features);
  return sum.text();
}

std::string of_targets(const Dataset& dataset) {
  Checksum sum;
  sum.add(enum_name(dataset.target_kind));
  sum.add(std::to_string(dataset.num_tasks));
  add(sum, dataset.classes);
  for (const std::string& name : dataset.class_names) sum.add_array(std::span<const char>(name));
  add(sum, dataset.targets);
  return sum.text();
}

}  // namespace

std::map<std::string, std::string> fingerprint(const Dataset& dataset) {
  return {{"graphs", of_graphs(dataset)},
          {"features", of_features(dataset)},
          {"targets", of_targets(dataset)}};
}

std::string fingerprint(const Split& split) {
  Checksum sum;
  for (const auto* part : {&split.train, &split.val, &split.test}) add(sum, *part);
  return sum.text();
}

}  // namespace hgnet
