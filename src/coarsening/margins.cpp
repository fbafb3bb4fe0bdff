#include "coarsening/margins.hpp"

namespace hgnet {

Margins::Margins(const Weighted& graph, std::span<const NodeId> community)
    : graph_(graph),
      margin_(community.size(), 0.0),
      first_(community.size(), kNoNode),
      next_(community.size(), kNoNode),
      previous_(community.size(), kNoNode) {
  for (auto v = static_cast<NodeId>(community.size()) - 1; v >= 0; --v) link(v, community[v]);
}

void Margins::link(NodeId v, NodeId to) {
  const NodeId next = std::exchange(first_[to], v);
  next_[v] = next;
  previous_[v] = kNoNode;
  if (next != kNoNode) previous_[next] = v;
}

void Margins::relink(NodeId v, NodeId from, NodeId to) {
  (previous_[v] == kNoNode ? first_[from] : next_[previous_[v]]) = next_[v];
  if (next_[v] != kNoNode) previous_[next_[v]] = previous_[v];
  link(v, to);
}

}  // namespace hgnet
