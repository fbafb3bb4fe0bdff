// Rows of claims to claims, in each reading.

#include <algorithm>

#include "paper/comparisons.hpp"

namespace hgnet::claims {
namespace {

bool has_fits_as_run(const Scope& scope, const Results& results) {
  return std::ranges::any_of(scope.datasets, [&](const std::string& set) {
    return std::ranges::any_of(results.select(scope.table, set, scope.split),
                               [](auto* group) { return !group->key.of(Reading::kAsWritten); });
  });
}

}  // namespace

std::vector<Claim> evaluated(const std::vector<ClaimRow>& rows, const Results& results) {
  std::vector<Claim> result;
  for (ClaimRow row : rows) {
    for (const Reading reading : {Reading::kAsWritten, Reading::kAsRun}) {
      if (reading == Reading::kAsRun && !has_fits_as_run(row.scope, results)) continue;
      row.scope.reading = reading;
      Claim& claim = result.emplace_back(Claim{row.number, row.title, row.statement, {}, reading});
      for (const CheckRow& check : row.checks)
        claim.checks.push_back(evaluate(check, row.scope, results));
    }
  }
  return result;
}

}  // namespace hgnet::claims
