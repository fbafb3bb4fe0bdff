#include "hgnet/data/batches.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>

#include "core/parallel.hpp"
#include "core/useful_threads.hpp"
#include "data/distinct_graphs.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

/// Rows begin .. end - 1 of the features.
struct RowRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
};

/// Stacks row ranges of features.
class Stack {
 public:
  explicit Stack(std::span<const RowRange> ranges) : ranges_(ranges) {
    for (const RowRange& range : ranges) num_rows_ += range.size();
  }

  BatchFeatures operator()(const DenseRows& rows) const {
    DenseRows result{rows.width, {}};
    result.values.reserve(num_rows_ * rows.width);
    for (const RowRange& range : ranges_) {
      const float* values = rows.values.data();
      result.values.insert(result.values.end(), values + range.begin * rows.width,
                           values + range.end * rows.width);
    }
    return result;
  }

  BatchFeatures operator()(const SparseMatrix& rows) const {
    const CsrView csr = rows.csr();
    std::vector<EdgeId> offsets{0};
    offsets.reserve(num_rows_ + 1);
    std::vector<NodeId> columns;
    std::vector<float> values;
    EdgeId num_entries = 0;
    for (const RowRange& range : ranges_)
      num_entries += csr.offsets[range.end] - csr.offsets[range.begin];
    columns.reserve(num_entries);
    values.reserve(num_entries);
    for (const RowRange& range : ranges_) {
      const EdgeId first = csr.offsets[range.begin];
      const EdgeId last = csr.offsets[range.end];
      const EdgeId shift = offsets.back() - first;
      for (std::int64_t row = range.begin; row < range.end; ++row)
        offsets.push_back(csr.offsets[row + 1] + shift);
      columns.insert(columns.end(), csr.columns.begin() + first, csr.columns.begin() + last);
      values.insert(values.end(), rows.values().begin() + first, rows.values().begin() + last);
    }
    return SparseMatrix(rows.num_columns(), std::move(offsets), std::move(columns),
                        std::move(values));
  }

  BatchFeatures operator()(const BitRows& rows) const {
    DenseRows result{1, std::vector<float>(num_rows_)};
    float* value = result.values.data();
    for (const RowRange& range : ranges_) {
      for (std::int64_t row = range.begin; row < range.end; ++row)
        *value++ = static_cast<float>(rows[row]);
    }
    return result;
  }

  BatchFeatures operator()(const ColumnRows&) const {
    throw InvalidDataset("batches: columns as read; encoded() makes features of them");
  }

  /// Multi-hot.
  BatchFeatures operator()(const CategoricalRows& rows) const {
    const auto width = static_cast<std::int64_t>(rows.sizes.size());
    std::vector<std::int64_t> first_column{0};
    for (const std::int32_t size : rows.sizes) first_column.push_back(first_column.back() + size);
    std::vector<EdgeId> offsets(num_rows_ + 1);
    for (std::int64_t row = 0; row <= num_rows_; ++row) offsets[row] = row * width;
    std::vector<NodeId> columns;
    columns.reserve(num_rows_ * width);
    for (const RowRange& range : ranges_) {
      for (std::int64_t row = range.begin; row < range.end; ++row) {
        for (std::int64_t c = 0; c < width; ++c)
          columns.push_back(static_cast<NodeId>(first_column[c] + rows.values[row * width + c]));
      }
    }
    std::vector<float> ones(columns.size(), 1.0F);
    return SparseMatrix(first_column.back(), std::move(offsets), std::move(columns),
                        std::move(ones));
  }

 private:
  std::span<const RowRange> ranges_;
  std::int64_t num_rows_ = 0;
};

ParentMap graph_of_node(std::span<const Hierarchy* const> parts) {
  std::vector<std::int64_t> offsets{0};
  for (const Hierarchy* part : parts)
    offsets.push_back(offsets.back() + part->graph(0).num_nodes());
  return ParentMap::from_offsets(offsets);
}

/// Computes what models need from a graph, so that joining can copy it. That takes a quarter of the
/// time of computing it for every batch.
void keep_structure(const Hierarchy& hierarchy) {
  for (int level = 0; level <= hierarchy.num_levels(); ++level) {
    hierarchy.graph(level).reverse();
    hierarchy.graph(level).gcn_normalisation(SelfLoopFill::kOne);
  }
}

/// Asks for the pages of a mapped file all at once; one by one, as they are missed, they take ten
/// times as long. Nothing happens to other memory.
template <class T>
void ask_for(std::span<const T> values) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(values.data()) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(values.data() + values.size());
  if (!values.empty())
    ::posix_madvise(reinterpret_cast<void*>(begin), end - begin, POSIX_MADV_WILLNEED);
}

void ask_for(const Graph& graph) {
  ask_for(graph.offsets());
  ask_for(graph.columns());
  ask_for(graph.weights());
  ask_for(graph.edge_rows());
}

/// What prepared graphs take, without coarse levels: offsets, neighbours, normalisation, reverse
/// slots.
std::int64_t bytes_of(std::span<const Graph* const> graphs) {
  std::int64_t bytes = 0;
  for (const Graph* graph : graphs)
    bytes += 12 * std::int64_t{graph->num_nodes()} +
             (16 + 4 * graph->edge_row_width()) * graph->num_edges();
  return bytes;
}

/// prepare(graphs[i]) for all i; checks that each result starts from its graph.
std::vector<Hierarchy> prepare_all(std::span<const Graph* const> graphs,
                                   const std::function<Hierarchy(const Graph&)>& prepare,
                                   int threads) {
  std::vector<Hierarchy> hierarchies(graphs.size());
  std::vector<std::exception_ptr> failures(graphs.size());
  std::atomic<std::size_t> next{0};
  run_parts(useful_threads(threads), [&](int) {
    for (std::size_t i = next++; i < graphs.size(); i = next++) {
      try {
        hierarchies[i] = prepare(*graphs[i]);
        keep_structure(hierarchies[i]);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  });
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    if (failures[i]) std::rethrow_exception(failures[i]);
    if (hierarchies[i].graph(0).num_nodes() == graphs[i]->num_nodes()) continue;
    throw InvalidDataset("batches: a graph of " + std::to_string(graphs[i]->num_nodes()) +
                         " nodes was given a hierarchy over " +
                         std::to_string(hierarchies[i].graph(0).num_nodes()));
  }
  return hierarchies;
}

}  // namespace

BatchFeatures model_features(const Dataset& dataset) {
  if (const auto* sparse = std::get_if<SparseMatrix>(&dataset.features)) return *sparse;
  const RowRange all{0, dataset.num_nodes()};
  return std::visit(Stack(std::span(&all, 1)), dataset.features);
}

BatchSource::BatchSource(const Dataset& dataset,
                         const std::function<Hierarchy(const Graph&)>& prepare, int threads,
                         std::int64_t most_kept)
    : dataset_(dataset) {
  if (dataset.task != Task::kGraph)
    throw InvalidDataset("batches: the samples of " + dataset.name + " are nodes, not graphs");
  DistinctGraphs distinct = distinct_graphs(dataset.graphs);
  graphs_ = std::move(distinct.graphs);
  if (bytes_of(graphs_) <= most_kept) {
    parts_ = prepare_all(graphs_, prepare, threads);
  } else {
    prepare_ = prepare;
  }
  uses_.resize(graphs_.size());
  for (const std::size_t part : distinct.number) ++uses_[part];
  part_of_graph_ = std::move(distinct.number);
}

BatchSource::Joined BatchSource::join_parts(std::span<const std::size_t> parts) const {
  std::vector<const Hierarchy*> hierarchies;
  hierarchies.reserve(parts.size());
  if (prepare_) {
    for (const std::size_t part : parts) ask_for(*graphs_[part]);
  }
  std::map<std::size_t, Hierarchy> prepared;  // for this batch only
  for (const std::size_t part : parts) {
    if (prepare_ && !prepared.contains(part)) {
      // A copy: what a graph keeps must not stay with the data set.
      const Graph copy = Graph::adopt(graphs_[part]->parts());
      const Graph* one = &copy;
      prepared.emplace(part, prepare_all(std::span(&one, 1), prepare_, 1).front());
    }
    hierarchies.push_back(prepare_ ? &prepared.at(part) : &parts_[part]);
  }
  // A single graph is used as it is, with everything that it keeps.
  Hierarchy joined = parts.size() == 1 ? *hierarchies.front() : Hierarchy::joined(hierarchies);
  return {std::move(joined), graph_of_node(hierarchies)};
}

const BatchSource::Joined& BatchSource::repeated(std::size_t part, std::size_t count) const {
  const std::scoped_lock lock(mutex_);
  const auto found = repeated_.find({part, count});
  if (found != repeated_.end()) return found->second;
  const std::vector<std::size_t> copies(count, part);
  return repeated_.try_emplace({part, count}, join_parts(copies)).first->second;
}

SampleBatch BatchSource::join(std::span<const std::int64_t> samples) const {
  if (samples.empty()) throw InvalidDataset("batches: a batch without samples");
  std::vector<std::size_t> parts;
  std::vector<RowRange> rows;
  parts.reserve(samples.size());
  rows.reserve(samples.size());
  for (const std::int64_t sample : samples) {
    if (sample < 0 || sample >= dataset_.num_graphs()) {
      throw InvalidDataset("batches: sample " + std::to_string(sample) + " does not exist; " +
                           dataset_.name + " has " + std::to_string(dataset_.num_graphs()) +
                           " graphs");
    }
    parts.push_back(part_of_graph_[sample]);
    rows.push_back({dataset_.node_offsets[sample], dataset_.node_offsets[sample + 1]});
  }
  const bool one_graph = std::equal(parts.begin() + 1, parts.end(), parts.begin());
  Joined joined = one_graph && uses_[parts.front()] > 1 ? repeated(parts.front(), parts.size())
                                                        : join_parts(parts);
  return {{samples.begin(), samples.end()},
          std::move(joined.hierarchy),
          std::move(joined.graph_of_node),
          std::visit(Stack(rows), dataset_.features)};
}

std::vector<std::vector<std::int64_t>> plan_batches(std::span<const std::int64_t> samples,
                                                    std::int64_t size, Generator* shuffle) {
  if (size <= 0) throw Error("batches of " + std::to_string(size) + " samples");
  std::vector<std::int64_t> order(samples.begin(), samples.end());
  if (shuffle != nullptr) shuffle->shuffle(std::span(order));
  std::vector<std::vector<std::int64_t>> plan;
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = begin + std::min<std::int64_t>(size, order.end() - begin);
    plan.emplace_back(begin, end);
    begin = end;
  }
  return plan;
}

}  // namespace hgnet
