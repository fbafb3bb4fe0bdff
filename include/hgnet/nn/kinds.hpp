// The choices of layers by name, without torch: for configurations.

#pragma once

#include <array>
#include <utility>

#include "hgnet/core/enum_names.hpp"

namespace hgnet {

enum class LayerKind { kGcn, kGin, kGat, kCheb };

template <>
struct EnumNames<LayerKind> {
  static constexpr const char* what = "layer";
  static constexpr std::array<std::pair<LayerKind, const char*>, 4> values{
      {{LayerKind::kGcn, "gcn"},
       {LayerKind::kGin, "gin"},
       {LayerKind::kGat, "gat"},
       {LayerKind::kCheb, "cheb"}}};
};

enum class Norm { kNone, kBatch };

template <>
struct EnumNames<Norm> {
  static constexpr const char* what = "norm";
  static constexpr std::array<std::pair<Norm, const char*>, 2> values{
      {{Norm::kNone, "none"}, {Norm::kBatch, "batch"}}};
};

/// Over the edges of one relation into a node.
enum class Aggregation { kSum, kMean };

template <>
struct EnumNames<Aggregation> {
  static constexpr const char* what = "aggregation";
  static constexpr std::array<std::pair<Aggregation, const char*>, 2> values{
      {{Aggregation::kSum, "sum"}, {Aggregation::kMean, "mean"}}};
};

}  // namespace hgnet
