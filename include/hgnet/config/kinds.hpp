// The parts a model is made of, by name.

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

/// How messages over the edges of one relation into a node are combined.
enum class Aggregation { kSum, kMean };

template <>
struct EnumNames<Aggregation> {
  static constexpr const char* what = "aggregation";
  static constexpr std::array<std::pair<Aggregation, const char*>, 2> values{
      {{Aggregation::kSum, "sum"}, {Aggregation::kMean, "mean"}}};
};

/// How a level combines its rows with those of the level above (see Join): the one table of joins.
/// A row has
///   value            in JoinKind
///   name             in files and on the command line
///   divides          rows from the level above by the score that pooling multiplied them by
///   of_layer         its result is that of the model's own kind of layer
///   reads_edge_rows  features of edges, bonds
///   join             it is made by make_<join>, defined in src/nn/joins
#define HGNET_JOINS(ROW)                                 \
  ROW(kRgcn, "rgcn", false, false, false, rgcn_join)     \
  ROW(kSum, "sum", true, true, false, sum_join)          \
  ROW(kConcat, "concat", true, true, false, concat_join) \
  ROW(kParent, "parent", true, false, true, parent_join)

#define HGNET_ROW(value, ...) value,
enum class JoinKind { HGNET_JOINS(HGNET_ROW) };
#undef HGNET_ROW

struct JoinTraits {
  JoinKind value;
  const char* name;
  bool divides;
  bool of_layer;
  bool reads_edge_rows;
};

#define HGNET_ROW(value, name, divides, of_layer, reads_edge_rows, join) \
  {JoinKind::value, name, divides, of_layer, reads_edge_rows},
inline constexpr auto kJoinKinds = std::to_array<JoinTraits>({HGNET_JOINS(HGNET_ROW)});
#undef HGNET_ROW

template <>
struct EnumNames<JoinKind> {
  static constexpr const char* what = "join";
  static constexpr auto values = names_in_table<JoinKind>(kJoinKinds);
};

constexpr const JoinTraits& traits_of(JoinKind kind) { return row_in_table(kJoinKinds, kind); }

/// Which rows a static coarsening pools from the second level on: those after the level's layer, or
/// those before it.
enum class PooledRows { kAfter, kBefore };

template <>
struct EnumNames<PooledRows> {
  static constexpr const char* what = "choice of pooled rows";
  static constexpr std::array<std::pair<PooledRows, const char*>, 2> values{
      {{PooledRows::kAfter, "after"}, {PooledRows::kBefore, "before"}}};
};

/// Rows of a graph's nodes to one row.
enum class Readout { kMean, kSum, kMax };

template <>
struct EnumNames<Readout> {
  static constexpr const char* what = "readout";
  static constexpr std::array<std::pair<Readout, const char*>, 3> values{
      {{Readout::kMean, "mean"}, {Readout::kSum, "sum"}, {Readout::kMax, "max"}}};
};

}  // namespace hgnet
