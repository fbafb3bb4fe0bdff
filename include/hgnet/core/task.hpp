#pragma once

#include <array>

#include "hgnet/core/enum_names.hpp"

namespace hgnet {

/// What is predicted: something for every node, or for every graph.
enum class Task { kNode, kGraph };

template <>
struct EnumNames<Task> {
  static constexpr const char* what = "task";
  static constexpr std::array<std::pair<Task, const char*>, 2> values{
      {{Task::kNode, "node"}, {Task::kGraph, "graph"}}};
};

}  // namespace hgnet
