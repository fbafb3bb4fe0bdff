#include "hgnet/data/sample_rows.hpp"

#include <map>

#include "core/parallel.hpp"
#include "hgnet/graph/wl.hpp"

namespace hgnet {
namespace {

/// Calls visit(column, value) for the entries of a feature row that are not 0, in the columns that
/// a model gets; see BatchFeatures.
class Entries {
 public:
  explicit Entries(const NodeFeatures& features) : features_(features) {
    if (const auto* rows = std::get_if<CategoricalRows>(&features)) {
      for (const std::int32_t size : rows->sizes) {
        first_column_.push_back(width_);
        width_ += size;
      }
    }
  }

  template <class Visit>
  void of_row(std::int64_t row, const Visit& visit) const {
    if (const auto* bits = std::get_if<BitRows>(&features_)) {
      if ((*bits)[row]) visit(0, 1.0F);
    } else if (const auto* sparse = std::get_if<SparseMatrix>(&features_)) {
      const CsrView csr = sparse->csr();
      for (EdgeId s = csr.offsets[row]; s < csr.offsets[row + 1]; ++s)
        visit(csr.columns[s], sparse->values()[s]);
    } else if (const auto* dense = std::get_if<DenseRows>(&features_)) {
      for (std::int64_t c = 0; c < dense->width; ++c)
        visit(c, dense->values[row * dense->width + c]);
    } else {
      const auto& categories = std::get<CategoricalRows>(features_);
      for (std::size_t c = 0; c < first_column_.size(); ++c)
        visit(first_column_[c] + categories.values[row * first_column_.size() + c], 1.0F);
    }
  }

  std::int64_t width(const Dataset& dataset) const {
    return first_column_.empty() ? dataset.num_features() : width_;
  }

 private:
  const NodeFeatures& features_;
  std::vector<std::int64_t> first_column_;  // of categories
  std::int64_t width_ = 0;
};

/// Adds the rows of graph g's samples.
void add_colours(const Dataset& dataset, const Entries& entries, std::int64_t g, int rounds,
                 bool edge_rows, ColourRows& rows) {
  const Graph& graph = dataset.graphs[g];
  std::vector<std::vector<Colour>> colours(1);
  for (std::int64_t v = dataset.node_offsets[g]; v < dataset.node_offsets[g + 1]; ++v) {
    Colour sum = 0;
    entries.of_row(v, [&](std::int64_t c, float value) { sum += colour_of_entry(c, value); });
    colours[0].push_back(colour_of_row(sum));
  }
  for (int round = 1; round <= rounds; ++round)
    colours.push_back(refined(graph, colours.back(), edge_rows));
  const auto count = [&](std::size_t begin, std::size_t end) {
    for (int round = 0; round <= rounds; ++round)
      rows.count(round, std::span(colours[round]).subspan(begin, end - begin));
    rows.end_row();
  };
  const std::size_t num_nodes = colours[0].size();
  if (dataset.task == Task::kGraph) return count(0, num_nodes);
  for (std::size_t v = 0; v < num_nodes; ++v) count(v, v + 1);
}

}  // namespace

SparseMatrix colour_rows(const Dataset& dataset, int rounds, int threads, bool edge_rows) {
  const Entries entries(dataset.features);
  std::vector<ColourRows> parts(threads);
  run_parts(threads, [&](int part) {
    const std::int64_t end = dataset.num_graphs() * (part + 1) / threads;
    for (std::int64_t g = dataset.num_graphs() * part / threads; g < end; ++g)
      add_colours(dataset, entries, g, rounds, edge_rows, parts[part]);
  });
  for (int part = 1; part < threads; ++part) parts[0].append(parts[part]);
  return parts[0].matrix();
}

SparseMatrix pooled_rows(const Dataset& dataset, bool mean) {
  const Entries entries(dataset.features);
  std::vector<EdgeId> offsets{0};
  std::vector<NodeId> columns;
  std::vector<float> values;
  for (std::int64_t g = 0; g < dataset.num_graphs(); ++g) {
    std::map<std::int64_t, double> sums;
    const std::int64_t begin = dataset.node_offsets[g];
    const std::int64_t end = dataset.node_offsets[g + 1];
    for (std::int64_t v = begin; v < end; ++v)
      entries.of_row(v, [&](std::int64_t c, float value) { sums[c] += value; });
    for (const auto& [column, sum] : sums) {
      columns.push_back(static_cast<NodeId>(column));
      values.push_back(static_cast<float>(mean ? sum / static_cast<double>(end - begin) : sum));
    }
    offsets.push_back(static_cast<EdgeId>(columns.size()));
  }
  return SparseMatrix(entries.width(dataset), std::move(offsets), std::move(columns),
                      std::move(values));
}

Dataset one_node_graphs(const Dataset& dataset, SparseMatrix rows) {
  Dataset result;
  result.name = dataset.name;
  result.task = Task::kGraph;
  const Graph node = Graph::from_edges(1, {});
  result.graphs.assign(dataset.num_graphs(), node);
  for (std::int64_t g = 1; g <= dataset.num_graphs(); ++g) result.node_offsets.push_back(g);
  result.features = std::move(rows);
  return result;
}

}  // namespace hgnet
