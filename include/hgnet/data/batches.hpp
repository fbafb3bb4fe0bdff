#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "hgnet/core/random.hpp"
#include "hgnet/data/dataset.hpp"
#include "hgnet/graph/hierarchy.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// Node features in the form a model takes. Categories become sparse multi-hot rows with entries 1;
/// the columns of feature c start at sizes[0] + .. + sizes[c - 1].
using BatchFeatures = std::variant<DenseRows, SparseMatrix>;

/// All feature rows, as node tasks need them. Sparse rows are shared, not copied.
BatchFeatures model_features(const Dataset& dataset);

/// Graphs joined into one.
struct SampleBatch {
  std::vector<std::int64_t> samples;  // which graphs of the data set, in the order joined
  Hierarchy hierarchy;                // G_0 is their union (see Batch), and so is every level
  ParentMap graph_of_node;            // as an index into `samples`
  BatchFeatures x;                    // one row per node of G_0
};

/// Joins samples of a graph data set into batches, from parts that are prepared once. If these
/// would take more memory than is to be kept, each is prepared when it is joined. The data set must
/// outlive it. Thread-safe.
///
/// If all samples of a batch are copies of one graph, as in color-connectivity, the joined
/// hierarchy is made once for each number of samples. All such batches share it, with everything
/// that graphs keep (GCN normalisation, reverse slots).
class BatchSource {
 public:
  /// Calls `prepare` once per distinct graph, on `threads` threads; copies of one graph are not
  /// distinct. Throws what `prepare` throws (of several errors, the one for the first graph), and
  /// InvalidDataset for a node task or a hierarchy that does not start from the given graph.
  BatchSource(const Dataset& dataset, const std::function<Hierarchy(const Graph&)>& prepare,
              int threads = 1, std::int64_t most_kept = kMostKept);
  /// Bytes of prepared graphs.
  static constexpr std::int64_t kMostKept = std::int64_t{1} << 30;

  /// Throws InvalidDataset for samples that do not exist and for an empty list; InvalidHierarchy if
  /// the hierarchies differ in depth.
  SampleBatch join(std::span<const std::int64_t> samples) const;

 private:
  struct Joined {
    Hierarchy hierarchy;
    ParentMap graph_of_node;
  };

  Joined join_parts(std::span<const std::size_t> parts) const;
  const Joined& repeated(std::size_t part, std::size_t count) const;

  const Dataset& dataset_;
  std::function<Hierarchy(const Graph&)> prepare_;  // if parts are not kept
  std::vector<const Graph*> graphs_;                // distinct ones
  std::vector<Hierarchy> parts_;                    // of them, if they are kept
  std::vector<std::int64_t> uses_;                  // by part: how many graphs share it
  std::vector<std::size_t> part_of_graph_;          // by graph
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::size_t, std::size_t>, Joined> repeated_;  // by part and count
};

/// Splits samples into batches of `size`; the last one may be smaller. Shuffles them first if a
/// generator is given. Throws Error unless `size` is positive.
std::vector<std::vector<std::int64_t>> plan_batches(std::span<const std::int64_t> samples,
                                                    std::int64_t size, Generator* shuffle);

/// The batches of a plan, in order. A background thread joins them and keeps at most `ahead` of
/// them ready; of small batches more, and it then joins many at a time: waking it for each would
/// cost more than joining. The source must outlive the stream. For one consumer.
class BatchStream {
 public:
  /// Throws Error unless `ahead` is positive.
  BatchStream(const BatchSource& source, std::vector<std::vector<std::int64_t>> plan,
              int ahead = 2);
  /// Stops the thread: it joins no further batch.
  ~BatchStream() = default;
  BatchStream(const BatchStream&) = delete;
  BatchStream& operator=(const BatchStream&) = delete;

  /// None after the last batch. If joining a batch threw, this throws the same exception in place
  /// of that batch and from every later call.
  std::optional<SampleBatch> next();

 private:
  void produce(const std::stop_token& stop);
  bool has_room(std::int64_t slots) const;

  const BatchSource& source_;
  const std::vector<std::vector<std::int64_t>> plan_;
  const std::size_t ahead_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<SampleBatch> ready_;
  std::int64_t ready_slots_ = 0;  // nodes and directed edges of ready_
  bool awaited_ = false;          // whether the consumer waits for a batch
  std::exception_ptr failure_;
  bool finished_ = false;  // no batches follow those in ready_
  std::jthread thread_;    // declared last, so it stops and joins before the rest is destroyed
};

}  // namespace hgnet
