#include "hgnet/graph/parent_map.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "graph/append.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {

struct ParentMap::Storage {
  std::vector<NodeId> parent;
  std::vector<EdgeId> offsets{0};
  std::vector<NodeId> members;
};

ParentMap::ParentMap() : ParentMap(std::vector<NodeId>(), 0) {}

ParentMap::ParentMap(std::shared_ptr<const Storage> storage) : storage_(std::move(storage)) {}

ParentMap::ParentMap(std::vector<NodeId> parent, NodeId num_parents) {
  if (num_parents < 0) {
    throw InvalidHierarchy("parent count " + std::to_string(num_parents) + " is negative");
  }
  auto storage = std::make_shared<Storage>();
  storage->offsets.assign(static_cast<std::size_t>(num_parents) + 1, 0);
  for (std::size_t v = 0; v < parent.size(); ++v) {
    if (parent[v] == kNoNode) continue;
    if (parent[v] < 0 || parent[v] >= num_parents) {
      throw InvalidHierarchy("node " + std::to_string(v) + ": parent " + std::to_string(parent[v]) +
                             " does not exist; expected 0 <= parent < " +
                             std::to_string(num_parents) + ", or -1 for none");
    }
    ++storage->offsets[parent[v] + 1];
  }
  std::partial_sum(storage->offsets.begin(), storage->offsets.end(), storage->offsets.begin());
  storage->members.resize(storage->offsets.back());
  std::vector<EdgeId> cursor(storage->offsets.begin(), storage->offsets.end() - 1);
  for (std::size_t v = 0; v < parent.size(); ++v) {
    if (parent[v] != kNoNode) storage->members[cursor[parent[v]]++] = static_cast<NodeId>(v);
  }
  storage->parent = std::move(parent);
  storage_ = std::move(storage);
}

ParentMap ParentMap::identity(NodeId num_nodes) {
  if (num_nodes < 0) throw InvalidHierarchy("identity of " + std::to_string(num_nodes) + " nodes");
  std::vector<NodeId> parent(num_nodes);
  std::iota(parent.begin(), parent.end(), 0);
  return {std::move(parent), num_nodes};
}

ParentMap ParentMap::from_offsets(std::span<const std::int64_t> offsets) {
  if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
      offsets.back() > std::numeric_limits<NodeId>::max()) {
    throw InvalidHierarchy("offsets of parents do not rise from 0 to a number of nodes");
  }
  auto storage = std::make_shared<Storage>();
  storage->offsets.assign(offsets.begin(), offsets.end());
  storage->parent.resize(offsets.back());
  for (std::size_t p = 0; p + 1 < offsets.size(); ++p) {
    std::fill(storage->parent.begin() + offsets[p], storage->parent.begin() + offsets[p + 1],
              static_cast<NodeId>(p));
  }
  storage->members.resize(offsets.back());
  std::iota(storage->members.begin(), storage->members.end(), 0);
  return ParentMap(std::move(storage));
}

ParentMap ParentMap::from_labels(std::span<const NodeId> labels) {
  std::vector<NodeId> parent(labels.size(), kNoNode);
  NodeId num_parents = 0;
  const auto number_all = [&](auto& number) {
    for (std::size_t v = 0; v < labels.size(); ++v) {
      if (labels[v] < 0) continue;
      NodeId& of_label = number[labels[v]];  // one more than the parent; 0: not seen yet
      if (of_label == 0) of_label = ++num_parents;
      parent[v] = of_label - 1;
    }
  };
  // Labels of coarsenings are node ids: a table is then faster than a hash map by far.
  const NodeId largest = labels.empty() ? kNoNode : std::ranges::max(labels);
  if (static_cast<std::size_t>(largest + 1) <= labels.size()) {
    std::vector<NodeId> number(labels.size(), 0);
    number_all(number);
  } else {
    std::unordered_map<NodeId, NodeId> number;
    number_all(number);
  }
  return {std::move(parent), num_parents};
}

ParentMap ParentMap::joined(std::span<const ParentMap* const> maps) {
  std::size_t num_children = 0;
  std::size_t num_parents = 0;
  for (const ParentMap* map : maps) {
    num_children += map->storage_->parent.size();
    num_parents += map->storage_->offsets.size() - 1;
  }
  if (std::max(num_children, num_parents) > std::numeric_limits<NodeId>::max()) {
    throw InvalidHierarchy("joined maps have more nodes than a node id can hold");
  }
  auto storage = std::make_shared<Storage>();
  storage->parent.reserve(num_children);
  storage->offsets.reserve(num_parents + 1);
  storage->members.reserve(num_children);
  for (const ParentMap* map : maps) {
    const auto first_child = static_cast<NodeId>(storage->parent.size());
    const auto first_parent = static_cast<NodeId>(storage->offsets.size() - 1);
    const auto shift_parent = [=](NodeId p) { return p == kNoNode ? kNoNode : first_parent + p; };
    append_mapped(storage->parent, map->parents(), shift_parent);
    append_mapped(storage->offsets, std::span(map->storage_->offsets).subspan(1),
                  [begin = storage->offsets.back()](EdgeId offset) { return begin + offset; });
    append_mapped(storage->members, std::span(map->storage_->members),
                  [=](NodeId child) { return first_child + child; });
  }
  return ParentMap(std::move(storage));
}

NodeId ParentMap::num_children() const { return static_cast<NodeId>(storage_->parent.size()); }

NodeId ParentMap::num_parents() const { return static_cast<NodeId>(storage_->offsets.size() - 1); }

NodeId ParentMap::parent(NodeId child) const { return storage_->parent[child]; }

std::span<const NodeId> ParentMap::parents() const { return storage_->parent; }

CsrView ParentMap::members() const {
  return {storage_->offsets, storage_->members, num_children()};
}

std::span<const NodeId> ParentMap::members(NodeId parent) const {
  const EdgeId begin = storage_->offsets[parent];
  return {storage_->members.data() + begin,
          static_cast<std::size_t>(storage_->offsets[parent + 1] - begin)};
}

bool ParentMap::is_total() const { return storage_->members.size() == storage_->parent.size(); }

bool ParentMap::is_onto() const {
  const auto& offsets = storage_->offsets;
  return std::adjacent_find(offsets.begin(), offsets.end()) == offsets.end();
}

bool ParentMap::is_ordered() const {
  NodeId seen = 0;
  for (const NodeId p : storage_->parent) {
    if (p > seen) return false;
    if (p == seen) ++seen;
  }
  return seen == num_parents();
}

ParentMap ParentMap::then(const ParentMap& coarser) const {
  if (coarser.num_children() != num_parents()) {
    throw InvalidHierarchy("maps do not match: " + std::to_string(num_parents()) +
                           " parents below, " + std::to_string(coarser.num_children()) +
                           " children above");
  }
  std::vector<NodeId> parent = storage_->parent;
  for (NodeId& p : parent) {
    if (p != kNoNode) p = coarser.parent(p);
  }
  return {std::move(parent), coarser.num_parents()};
}

}  // namespace hgnet
