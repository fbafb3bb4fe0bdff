#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// What the label of a colouring means.
enum class ColorTask {
  kIslands,   // number of connected components of the red nodes, minus one
  kRings,     // whether the red nodes contain a ring
  kCrossing,  // one island or two, in pairs that look the same to whoever sees `radius` hops far
};

/// Where walkers start.
enum class ColorStarts {
  kAnywhere,  // at different nodes drawn for each sample; the graph must be connected
  kNearby,    // each 30 to 99 nodes further on in node order than the one before
  kWrapped,  // the same, but going on from the last node to the first, as the authors' program does
  kFixed,    // at nodes drawn once for all samples, a slip of the authors' program
};

struct ColorConnectivityOptions {
  std::int64_t num_samples = 15000;
  std::uint64_t seed = 0;
  ColorTask task = ColorTask::kIslands;
  ColorStarts starts = ColorStarts::kAnywhere;
  int max_islands = 2;        // 2 to 5; as many walkers, and as many classes
  std::int64_t min_ring = 8;  // kRings: nodes of the shortest ring allowed; at least 3
  int radius = 4;             // kCrossing: R; 1 to 64
  int windows = 1;            // kCrossing: 1 to 16
  int num_colours = 2;        // 2 to 12; nodes that are not red get another one at random
  int noise_features = 0;     // per node, in addition to the colour
  int num_threads = 1;
};

/// Colourings of one graph, all distinct and in random order, with equally many samples per label
/// (if that is not possible, the first labels have one more).
///
/// kIslands: `max_islands` walkers move in turn to a random neighbour. The nodes they visit turn
/// red, until floor(nodes / max_islands) nodes are red. The label is the number of red islands
/// minus one. With two walkers this is the paper's color-connectivity. An attempt on n nodes is
/// discarded after n * floor(sqrt(n)) steps.
///
/// kRings: floor(nodes / 3) red nodes form either one tree (label 0), or a tree and an island with
/// exactly one ring (label 1). Both have the same number of red nodes and of edges between them, so
/// that counting does not reveal the label.
///
/// kCrossing, on a grid: pairs of samples with the same attempt, one island and two, which have
/// equally many nodes of each Weisfeiler-Lehman colour after up to `radius` rounds. Of two colours,
/// without noise, and an even number of samples. docs/color-connectivity.md has the proof.
struct ColorConnectivity {
  Graph graph;  // one for all samples
  ColorConnectivityOptions options;
  std::int64_t num_attempts = 0;        // up to the last sample accepted
  std::vector<std::uint64_t> red;       // by sample and node, a bit each; see red_words
  std::vector<std::uint8_t> labels;     // by sample
  std::vector<std::uint64_t> attempts;  // by sample: which attempt it was

  std::int64_t num_samples() const { return static_cast<std::int64_t>(labels.size()); }
  int num_classes() const { return options.task == ColorTask::kIslands ? options.max_islands : 2; }
  /// Whether the two samples of an attempt belong together.
  bool in_pairs() const { return options.task == ColorTask::kCrossing; }
  /// Bit v % 64 of word v / 64 says whether node v is red. The bits after the last node are 0.
  std::span<const std::uint64_t> red_words(std::int64_t sample) const;
  bool is_red(std::int64_t sample, NodeId node) const {
    return (red_words(sample)[node / 64] >> (node % 64) & 1) != 0;
  }
  /// The colour of each node: 1 is red.
  std::vector<std::uint8_t> colours(std::int64_t sample) const;
  /// Standard normal numbers that carry no information, row-major, `noise_features` for each node.
  /// Computed on demand, the same every time.
  std::vector<float> noise(std::int64_t sample) const;
};

/// Samples that are done, of how many. Called now and then, from the calling thread; what it throws
/// ends the work.
using SampleProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Attempts are drawn by their number, each from a stream of its own, and accepted in that order:
/// the result depends on the graph and the options, not on `num_threads`. Throws InvalidGraph for a
/// graph that the task cannot be posed on (too small, not connected), Error for options out of
/// range, for more nodes or noise in all samples together than a data set can have (2^31), and when
/// a million attempts in a row bring nothing new.
ColorConnectivity generate_color_connectivity(const Graph& graph,
                                              const ColorConnectivityOptions& options = {},
                                              const SampleProgress& progress = {});

/// The road network of Minnesota as the task uses it: with the additional edge 349 - 355
/// (one-based) that connects it. Throws InvalidGraph for a graph without these nodes.
Graph connect_minnesota(const Graph& graph);

}  // namespace hgnet
