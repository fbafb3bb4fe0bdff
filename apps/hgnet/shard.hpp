// Parts of a plan for machines that do not know of each other.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "hgnet/settings/planned_fit.hpp"

namespace hgnet::app {

/// The number-th of `count` parts, from 1.
struct Shard {
  int number = 1;
  int count = 1;

  bool is_all() const { return count == 1; }
  std::string text() const { return std::to_string(number) + "/" + std::to_string(count); }
};

/// Adds --shard.
CLI::Option* add_shard(CLI::App& command, Shard& shard);

/// The fits of a part. It depends on nothing but the plan: every fit is in one part, whatever is
/// done already. The parts cost about the same; which of equally heavy fits a part gets is chosen
/// by a hash of their labels.
std::vector<PlannedFit> fits_of(const Shard& shard, const std::vector<PlannedFit>& fits);

}  // namespace hgnet::app
