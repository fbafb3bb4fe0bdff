#pragma once

#include <vector>

#include "layout.hpp"

namespace hgnet::app {

/// A part of a picture: its nodes and the lines between them.
struct Drawing {
  Layout nodes;
  std::vector<std::pair<NodeId, NodeId>> edges;
};

/// How far to move each drawing so that none overlaps another. Drawings are placed in their order,
/// each as close to the middle of the first as there is room: first those with much to draw, small
/// ones then fill the gaps. Space is divided into cells; no two drawings share one or have
/// neighbouring ones.
std::vector<Point> packed(const std::vector<Drawing>& drawings);

}  // namespace hgnet::app
