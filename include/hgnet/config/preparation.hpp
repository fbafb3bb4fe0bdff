#pragma once

#include <compare>

#include "hgnet/config/model_config.hpp"

namespace hgnet {

/// What is computed for a graph before a model is applied to it: the levels of a static coarsening,
/// or nothing. A prepared hierarchy depends on these values alone, so models with equal
/// preparations can share prepared graphs.
struct Preparation {
  int levels = 0;  // 0: the graph as it is
  Coarsening coarsening = Coarsening::kLouvain;
  CoarsenOptions options;

  Hierarchy of(const Graph& graph) const;

  auto operator<=>(const Preparation&) const = default;
};

Preparation preparation_of(const ModelConfig& config);

}  // namespace hgnet
