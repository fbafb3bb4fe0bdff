#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "coarsening/local_moving.hpp"

namespace hgnet {

/// The gain of moving v into a community, up to the factor 1/m and a constant: the weight of v's
/// edges into it, minus what chance would give.
inline double modularity_gain(double weight_into, double degree, double community_degree,
                              double total) {
  return weight_into - degree * community_degree / total;
}

/// Gains up to this, times the node's degree, could be due to rounding and count as none.
inline constexpr double kLeastGain = 1e-10;

struct Choice {
  NodeId to;
  bool sideways = false;  // into a community that is as good and as large as the node's own
  bool declined = false;  // stayed by chance where it might have gone sideways
  double margin = 0;      // gain of `to` above the best of the others; negative in some ties
};

/// Where a node of community `old` goes, given those of its neighbours. gain(c) and size(c) are of
/// communities without the node; draw(n) is random below n.
template <class At, class Gain, class Size, class Draw>
Choice best_choice(NodeId old, std::size_t count, const At& near, bool may_go_sideways, Ties ties,
                   double least_gain, const Gain& gain, const Size& size, const Draw& draw) {
  NodeId best = old;
  double best_gain = gain(old);
  double first = best_gain;  // the highest two of all gains
  double second = -std::numeric_limits<double>::infinity();
  std::uint64_t equals = 1;  // how many are as good and as large as the best so far
  bool improved = false;
  bool declined = false;
  for (std::size_t i = 0; i < count; ++i) {
    const NodeId c = near(i);
    if (c == old) continue;
    const double here = gain(c);
    second = std::max(second, std::min(first, here));
    first = std::max(first, here);
    if (here < best_gain) continue;
    const bool better = here > best_gain + least_gain;
    if (!better && (ties == Ties::kLeave || size(c) < size(best))) continue;
    const bool equal = !better && size(c) == size(best);
    if (equal && best == old && !may_go_sideways) continue;
    equals = equal ? equals + 1 : 1;
    if (draw(equals) > 0) {
      declined = declined || (equal && best == old);
      continue;
    }
    best = c;
    best_gain = here;
    improved = improved || better;
  }
  return {best, best != old && !improved && size(best) == size(old), declined && best == old,
          best_gain - (best_gain == first ? second : first)};
}

}  // namespace hgnet
