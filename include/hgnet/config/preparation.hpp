#pragma once

#include <compare>

#include "hgnet/config/model_config.hpp"

namespace hgnet {

/// What is made of a graph before a model is applied to it: the levels of a static coarsening, or nothing. A hierarchy is
/// prepared from these values and no others, so models of equal preparations can share prepared graphs.
struct Preparation {
  int levels = 0;  // 0: the graph as it is
  Coarsening coarsening = Coarsening::kLouvain;
  CoarsenOptions options;

  Hierarchy of(const Graph& graph) const;

  auto operator<=>(const Preparation&) const = default;
};

Preparation preparation_of(const ModelConfig& config);

}  // namespace hgnet
