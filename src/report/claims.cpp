#include "hgnet/report/claims.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hgnet/report/results.hpp"

namespace hgnet {

std::string_view verdict_text(Verdict verdict) {
  static constexpr std::array<std::string_view, 4> texts = {"holds", "does not hold", "tie",
                                                            "not enough runs"};
  return texts[static_cast<std::size_t>(verdict)];
}

std::string verdict_text(Verdict verdict, bool reduced) {
  const bool said = reduced && verdict != Verdict::kNotEnoughRuns;
  return std::string(verdict_text(verdict)) + (said ? " (quick or shortened fits)" : "");
}

Comparison compare(std::span<const double> differences, double bound) {
  std::vector<double> beyond;
  double sum = 0;
  for (const double difference : differences) {
    sum += difference;
    // Scores have few digits: differences due to rounding alone count as none.
    beyond.push_back(std::round((difference - bound) * 1e7) / 1e7);
  }
  const auto pairs = static_cast<int>(differences.size());
  return {pairs, pairs > 0 ? sum / pairs : 0, bound, wilcoxon_signed_rank(beyond),
          paired_t(beyond)};
}

Comparison compare_one(double difference, double standard_error, double bound) {
  return {1, difference, bound, {}, {}, standard_error};
}

Comparison compare_by_dataset(const std::vector<std::vector<double>>& differences, double bound) {
  std::size_t fits = 0;
  for (const auto& of_set : differences) fits += of_set.size();
  std::vector<double> weighed;
  for (const auto& of_set : differences) {
    const double weight =
        static_cast<double>(fits) / static_cast<double>(differences.size() * of_set.size());
    for (const double value : of_set) weighed.push_back(bound + weight * (value - bound));
  }
  return compare(weighed, bound);
}

bool Comparison::told_apart() const {
  if (standard_error) return std::abs(difference - bound) > *standard_error;
  return pairs >= kTestedPairs ? t.p < kSignificance : std::abs(t.statistic) > 1;
}

Verdict Comparison::above() const {
  if (!told_apart()) return Verdict::kTie;
  return difference > bound ? Verdict::kHolds : Verdict::kFails;
}

Verdict Comparison::below() const {
  if (!told_apart()) return Verdict::kTie;
  return difference < bound ? Verdict::kHolds : Verdict::kFails;
}

std::size_t ClaimCheck::count(Verdict verdict) const {
  return std::ranges::count(parts, verdict, &ClaimPart::verdict);
}

bool ClaimCheck::compares() const {
  return std::ranges::any_of(parts, [](auto& part) { return part.comparison.has_value(); });
}

Verdict ClaimCheck::verdict() const {
  const std::size_t holding = count(Verdict::kHolds);
  const std::size_t failing = count(Verdict::kFails);
  const std::size_t open = count(Verdict::kNotEnoughRuns);
  const std::size_t spare = parts.size() - needed;  // parts that may fail
  if (holding >= needed) return Verdict::kHolds;
  if (failing > spare) return Verdict::kFails;
  const bool decides = open > 0 && (holding + open >= needed || failing + open > spare);
  return decides ? Verdict::kNotEnoughRuns : Verdict::kTie;
}

std::string ClaimCheck::outcome() const {
  std::string text = verdict_text(verdict(), reduced) + ", " +
                     std::to_string(count(Verdict::kHolds)) + " of " +
                     std::to_string(parts.size()) + " (needed " + std::to_string(needed) + ")";
  if (verdict() != Verdict::kNotEnoughRuns) return text;
  for (const ClaimPart& part : parts) {
    if (part.verdict != Verdict::kNotEnoughRuns)
      text += "; " + part.subject + ": " + std::string(verdict_text(part.verdict));
  }
  return text;
}

Verdict Claim::verdict() const {
  // The claim gets the first of these that one of its checks has.
  for (const Verdict verdict : {Verdict::kFails, Verdict::kNotEnoughRuns, Verdict::kTie}) {
    for (const ClaimCheck& check : checks) {
      if (check.verdict() == verdict) return verdict;
    }
  }
  return Verdict::kHolds;
}

bool Claim::reduced() const {
  const Verdict of_all = verdict();
  if (of_all == Verdict::kNotEnoughRuns) return false;
  const auto fails_in_full = [](const ClaimCheck& check) {
    return check.verdict() == Verdict::kFails && !check.reduced;
  };
  // One failing check is enough; anything else needs all of them.
  return of_all == Verdict::kFails ? std::ranges::none_of(checks, fails_in_full)
                                   : std::ranges::any_of(checks, &ClaimCheck::reduced);
}

std::string Claim::heading() const {
  return std::to_string(number) + ". " + title + (reading ? ", " + reading_text(*reading) : "") +
         ": " + verdict_text(verdict(), reduced());
}

}  // namespace hgnet
