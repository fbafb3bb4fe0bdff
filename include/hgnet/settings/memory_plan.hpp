#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "hgnet/data/dataset.hpp"
#include "hgnet/settings/config.hpp"

namespace hgnet {

/// How the memory of node tasks is limited; see TrainConfig and Input.
struct NodeMemory {
  std::int64_t batch_nodes = 0;  // 0: the whole graph
  std::int64_t at_a_time = 0;    // 0: all

  auto operator<=>(const NodeMemory&) const = default;
};

/// The bytes of a size such as "2GB", "512 MB" or "1.5GiB". Throws Error for anything else.
std::int64_t memory_bytes(const std::string& text);

/// How a node task is trained within TrainConfig::memory.
struct MemoryPlan {
  std::int64_t batch_nodes = 0;  // see TrainConfig; 0: the whole graph fits
  std::int64_t at_a_time = 0;    // see Input
  std::int64_t bytes = 0;        // that the process uses at most, as estimated
};

/// Chooses the largest batches that fit, or takes batch_nodes if it is set. Follows from the sizes
/// of the data set and the model alone, so that a fit that resumes has the same batches. Throws
/// Error, with the estimate, if nothing fits.
MemoryPlan plan_memory(const TrainConfig& config, const Dataset& dataset);

/// Of a configuration that is complete().
NodeMemory node_memory(const TrainConfig& config, const Dataset& dataset);

/// The same for a trained model, whose scores and predictions are those of the whole graph.
NodeMemory scoring_memory(const TrainConfig& config, const Dataset& dataset);

/// Throws Error where batch_nodes or memory has no effect, or the memory cannot be estimated.
void check_node_batches(const TrainConfig& config, const Dataset& dataset);

}  // namespace hgnet
