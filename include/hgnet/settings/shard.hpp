// Parts of a plan for machines that do not know of each other.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/settings/planned_fit.hpp"

namespace hgnet {

/// The number-th of `count` parts, from 1.
struct Shard {
  int number = 1;
  int count = 1;

  /// Of a text such as "2/8"; none for any other.
  static std::optional<Shard> parsed(std::string_view text);

  bool is_all() const { return count == 1; }
  std::string text() const { return std::to_string(number) + "/" + std::to_string(count); }
};

/// How long a fit takes relative to others: passes over the data, times nodes and edges of a pass,
/// times width and depth of the model. Right within a factor of about five between models and data
/// sets.
double cost_of(const PlannedFit& fit);

/// The fits of a part. It depends on nothing but the plan: every fit is in one part, whatever is
/// done already. The parts cost about the same; which of equally heavy fits a part gets is chosen
/// by a hash of their labels.
std::vector<PlannedFit> fits_of(const Shard& shard, const std::vector<PlannedFit>& fits);

}  // namespace hgnet
