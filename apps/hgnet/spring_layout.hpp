#pragma once

#include <cstdint>

#include "layout.hpp"

namespace hgnet::app {

/// Of a connected graph, in units of K: edges attract with d^2 / K, and nodes repel with C K^3 /
/// d^2, where d is their distance. Multilevel, after Hu, "Efficient and high quality force-directed
/// graph drawing" (2005): the coarsest level is placed at random, every other one starts where its
/// parents are. Repulsion falls faster than Hu's C K^2 / d, so that borders are not pressed
/// together.
Layout spring_layout(const Graph& graph, std::uint64_t seed);

}  // namespace hgnet::app
