// Crossings: pairs of colourings of a grid with different numbers of islands that look the same to
// whoever sees R hops far.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "data/painters.hpp"

namespace hgnet {

/// Where the windows of a crossing can be: one in each cell of a layout of the grid.
struct CrossingLayout {
  /// Throws InvalidGraph unless the graph is a grid with room for the windows.
  CrossingLayout(const Graph& graph, const ColorConnectivityOptions& options);

  NodeId width = 0;  // of the grid
  NodeId side = 0;   // of a window, 4R + 5
  int windows = 1;
  int columns = 1;  // of cells
  NodeId cell_width = 0;
  NodeId cell_height = 0;
  std::int64_t num_red_outside = 0;
};

/// In a window, four strands run from the middles of its sides to the core in its centre, which
/// joins N with E and S with W or, turned, N with W and S with E. Outside, random strands join the
/// ends of the windows' strands, and dead ends branch off.
///
/// An attempt gives two samples: one island, and the same with one core turned, which has two.
class CrossingPainter {
 public:
  static constexpr int kSamples = 2;

  explicit CrossingPainter(const PaintSetup& setup);

  /// The label of the first sample, 0, or kNoLabel.
  int paint(Generator& generator, LabelSet wanted);
  bool is_red(NodeId node, int sample) const;

 private:
  static constexpr int kEnds = 4;  // of a window: N, E, S, W

  struct Window {
    NodeId centre = 0;
    bool turned = false;
  };

  void place_windows(Generator& generator);
  bool join_ends(Generator& generator);
  int route(int end);
  bool grow_branches(Generator& generator);
  bool join_islands(Generator& generator);
  int find_islands();
  void paint_windows();
  NodeId step(int direction) const;
  int end_at(NodeId node) const;
  void color(NodeId node);

  CsrView csr_;
  CrossingLayout layout_;
  NodeId reach_ = 0;  // from a window's centre to its sides

  // Of the current attempt.
  std::vector<Window> windows_;
  std::vector<std::uint8_t> red_;        // by node
  std::vector<std::uint8_t> in_window_;  // by node
  std::vector<std::uint8_t> touched_;    // by node: its red neighbours
  std::vector<std::uint32_t> weight_;    // by node, for routes
  std::vector<std::uint64_t> distance_;  // by node, along routes
  std::vector<NodeId> previous_;         // by node, on its route
  std::vector<NodeId> reds_;             // outside windows
  std::vector<NodeId> ends_;             // by window and direction: the node in front of its strand
  std::vector<int> mate_;                // by end: the one it is joined with; itself: none yet
  std::vector<int> island_;              // by end
  std::array<NodeId, 4> turned_{};       // nodes whose colour differs between the two samples
};

}  // namespace hgnet
