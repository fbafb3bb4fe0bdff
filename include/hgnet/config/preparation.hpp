#pragma once

#include <compare>

#include "hgnet/config/model_config.hpp"

namespace hgnet {

/// What takes the place of the rows of a sample's nodes, for models that see no edges: their sum or
/// mean, or counts of colours.
enum class SampleRows { kOfNodes, kSum, kMean, kWl };

/// What is computed for a graph before a model is applied to it: the levels of a static coarsening,
/// or nothing; and rows of samples. A prepared hierarchy depends on these values alone, so models
/// with equal preparations can share prepared graphs.
struct Preparation {
  int levels = 0;  // 0: the graph as it is
  Coarsening coarsening = Coarsening::kLouvain;
  CoarsenOptions options;
  SampleRows rows = SampleRows::kOfNodes;
  int rounds = 0;          // of colours
  bool edge_rows = false;  // colours count the rows of edges, too

  Hierarchy of(const Graph& graph, int threads = 1) const;

  auto operator<=>(const Preparation&) const = default;
};

Preparation preparation_of(const ModelConfig& config);

}  // namespace hgnet
