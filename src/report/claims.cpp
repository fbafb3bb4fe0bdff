#include "hgnet/report/claims.hpp"

#include <algorithm>

#include "report/claim_parts.hpp"

namespace hgnet {
namespace {

using claims::CheckFunction;
using claims::View;

bool knows_anything(const ClaimCheck& check) {
  return std::any_of(check.parts.begin(), check.parts.end(),
                     [](const ClaimPart& part) { return part.verdict != Verdict::kNotEnoughRuns; });
}

/// Full runs if they say anything; or else reduced ones if those do.
ClaimCheck checked(const Results& results, CheckFunction check) {
  ClaimCheck full = check(View(results, false));
  if (knows_anything(full)) return full;
  ClaimCheck reduced = check(View(results, true));
  if (!knows_anything(reduced)) return full;
  reduced.reduced = true;
  return reduced;
}

}  // namespace

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds: return "holds";
    case Verdict::kFails: return "does not hold";
    case Verdict::kNotEnoughRuns: break;
  }
  return "not enough runs";
}

std::string verdict_text(Verdict verdict, bool reduced) {
  const bool said = reduced && verdict != Verdict::kNotEnoughRuns;
  return std::string(verdict_text(verdict)) + (said ? " (quick or shortened runs)" : "");
}

std::size_t ClaimCheck::holding() const {
  return std::count_if(parts.begin(), parts.end(),
                       [](const ClaimPart& part) { return part.verdict == Verdict::kHolds; });
}

Verdict ClaimCheck::verdict() const {
  const std::size_t failing = std::count_if(parts.begin(), parts.end(), [](const ClaimPart& part) {
    return part.verdict == Verdict::kFails;
  });
  if (holding() >= needed) return Verdict::kHolds;
  return parts.size() - failing < needed ? Verdict::kFails : Verdict::kNotEnoughRuns;
}

Verdict Claim::verdict() const {
  Verdict result = Verdict::kHolds;
  for (const ClaimCheck& check : checks) {
    if (check.verdict() == Verdict::kFails) return Verdict::kFails;
    if (check.verdict() == Verdict::kNotEnoughRuns) result = Verdict::kNotEnoughRuns;
  }
  return result;
}

bool Claim::reduced() const {
  const Verdict of_all = verdict();
  if (of_all == Verdict::kNotEnoughRuns) return false;
  const auto decides = [&](const ClaimCheck& check) { return check.verdict() == of_all; };
  const auto rests_on_full = [&](const ClaimCheck& check) {
    return decides(check) && !check.reduced;
  };
  // One check that fails is enough; to hold takes all of them.
  return of_all == Verdict::kFails ? std::none_of(checks.begin(), checks.end(), rests_on_full)
                                   : !std::all_of(checks.begin(), checks.end(), rests_on_full);
}

std::vector<Claim> check_result_claims(const Results& results) {
  const auto claim = [&](int number, const char* title, const char* statement,
                         const std::vector<CheckFunction>& checks) {
    Claim result{number, title, statement, {}};
    for (const CheckFunction check : checks) result.checks.push_back(checked(results, check));
    return result;
  };
  return {
      claim(1, "Citation networks",
            "g-U-Net and both HGNets are close together, slightly behind the best of GAT, GCN and "
            "ChebNet; GCN+VN and GIN are clearly lower.",
            claims::citation_checks()),
      claim(2, "Sanitized splits, k = 1",
            "One-layer flat models drop; one-level hierarchical models beat them; GCN and GAT "
            "recover with two layers; a second level brings the hierarchical models nothing.",
            claims::one_hop_checks()),
      claim(3, "Sanitized splits, k = 2",
            "Hierarchical models gain from two or three levels, most on PubMed.",
            claims::two_hop_checks()),
      claim(4, "Graph classification",
            "An HGNet variant is best on at least 4 of the 7 data sets; GCN+VN is strong on "
            "molecules; g-U-Net falls behind.",
            claims::tu_checks()),
      claim(5, "OGB molecules",
            "HGNet with two levels, with either coarsening, beats GCN with five layers on both; a "
            "virtual node helps ogbg-molpcba a lot.",
            claims::ogb_checks()),
      claim(6, "Color-connectivity",
            "HGNet-EdgePool is best overall; g-U-Net fails on the larger graphs; a virtual node "
            "adds nothing to GCN; ChebNet and GIN do well.",
            claims::color_checks())};
}

}  // namespace hgnet
