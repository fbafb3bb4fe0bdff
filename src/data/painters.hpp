// One attempt at a color-connectivity sample. A painter keeps its working memory between attempts,
// so each thread has its own painter.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hgnet/core/random.hpp"
#include "hgnet/data/color_connectivity.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// Bit l: label l is still wanted.
using LabelSet = std::uint32_t;

inline constexpr int kNoLabel = -1;

/// What all attempts have in common.
struct PaintSetup {
  /// Throws InvalidGraph and Error as generate_color_connectivity does.
  PaintSetup(const Graph& painted, const ColorConnectivityOptions& asked);

  /// Where the walkers of one attempt start.
  std::vector<NodeId> starts(Generator& generator) const;

  Graph graph;
  ColorConnectivityOptions options;
  int num_starts = 2;
  NodeId num_red = 0;
  std::int64_t max_steps = 0;
  ParentMap component;
  std::vector<NodeId> fixed_starts;
};

/// Random streams of a seed: one of each kind for each attempt.
enum class Stream { kPaint, kOtherColours, kNoise, kWhole };
inline Generator stream(std::uint64_t seed, Stream kind, std::uint64_t attempt) {
  return Generator(seed, 4 * attempt + static_cast<std::uint64_t>(kind));
}

/// Walkers that turn the nodes they visit red. The nodes of one walker are connected, so islands
/// are counted during the walk, by which walkers have met.
class WalkPainter {
 public:
  static constexpr int kSamples = 1;  // of an attempt

  explicit WalkPainter(const PaintSetup& setup);

  /// The label, or kNoLabel if the attempt failed or can no longer end with a wanted label.
  int paint(Generator& generator, LabelSet wanted);
  bool is_red(NodeId node, int = 0) const { return walker_of_[node] != kNobody; }

 private:
  static constexpr std::uint8_t kNobody = 255;

  bool place(const std::vector<NodeId>& starts);
  void visit(int walker, NodeId node);
  void meet(int walker, int other);

  const PaintSetup& setup_;
  CsrView csr_;
  std::vector<std::uint8_t> walker_of_;  // the first to visit
  std::array<NodeId, 5> at_{};
  std::array<int, 5> island_of_{};  // by walker
  int num_walkers_ = 0;
  int num_islands_ = 0;
  NodeId num_red_ = 0;
};

/// Grows trees by nodes that touch exactly one red node, and closes one ring if the label requires
/// it.
class RingPainter {
 public:
  static constexpr int kSamples = 1;

  explicit RingPainter(const PaintSetup& setup);

  int paint(Generator& generator, LabelSet wanted);
  bool is_red(NodeId node, int = 0) const { return depth_[node] != kBlue; }

 private:
  static constexpr std::int32_t kBlue = -1;

  bool plant(NodeId root);
  void color(NodeId node, NodeId parent);
  std::int64_t ring_length(NodeId u, NodeId v) const;

  const PaintSetup& setup_;
  std::vector<std::int32_t> depth_;  // in its tree
  std::vector<NodeId> parent_;
  std::vector<NodeId> candidates_;  // touch a red node, or did when they were added
  NodeId num_red_ = 0;
};

}  // namespace hgnet
