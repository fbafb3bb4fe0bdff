// What the checks of claims are put together from.

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hgnet/report/claims.hpp"
#include "hgnet/report/paper.hpp"
#include "hgnet/report/results.hpp"

namespace hgnet::claims {

/// The full runs alone, or the reduced ones alone.
class View {
 public:
  View(const Results& results, bool reduced) : results_(results), reduced_(reduced) {}

  /// On the paper's split and, without a depth, at the paper's depth; null if there is none. Of reduced groups the one that
  /// was trained longest.
  const RunGroup* group(const char* table, const std::string& dataset, const std::string& model,
                        std::optional<int> depth = {}) const;
  /// The same on another split.
  const RunGroup* group_on(const std::string& split, const char* table, const std::string& dataset,
                           const std::string& model, int depth) const;
  /// Of all depths the one that is best on the validation part: the test part must not choose.
  const RunGroup* best_depth(const char* table, const std::string& dataset,
                             const std::string& model) const;
  bool reduced() const { return reduced_; }

 private:
  std::vector<const RunGroup*> groups(const char* table, const std::string& dataset,
                                      const std::string& split, const std::string& model) const;

  const Results& results_;
  bool reduced_;
};

/// A model's place in a comparison.
struct Entry {
  std::string label;
  const RunGroup* group = nullptr;
  const PublishedFigure* published = nullptr;  // stands in for a group that is missing
  // Over the runs that all entries of the comparison have; set by cut_to_common().
  std::vector<double> scores = {};
  double mean = 0;  // in percent
};

using Entries = std::vector<Entry>;

const std::vector<std::string>& hierarchical_models();

/// These models at the paper's depths.
Entries entries_of(const View& view, const char* table, const std::string& dataset,
                   const std::vector<std::string>& models);
Entries joined(Entries a, const Entries& b);
const Entry& highest(std::span<const Entry> entries);
const Entry& lowest(std::span<const Entry> entries);

/// Leaves of all entries the runs that every one of them has. Returns what is in the way of a comparison, in words, or
/// nothing.
std::string cut_to_common(Entries& entries);

/// A part that `decide` settles if the entries, cut to what they have in common, can be compared; it returns what it found,
/// in words.
ClaimPart judge(const std::string& subject, Entries entries,
                const std::function<std::string(ClaimPart&, std::span<const Entry>)>& decide);
void settle(ClaimPart& part, bool holds);
void set_comparison(ClaimPart& part, const Entry& a, const Entry& b);
/// The part "a is above b by more than `margin` points".
ClaimPart above(const std::string& subject, const Entry& a, const Entry& b, double margin = 0);

/// Checks that all parts must meet, or at least some number of them.
ClaimCheck in_all(std::string statement, std::string rule, std::vector<ClaimPart> parts);
ClaimCheck in_at_least(std::size_t needed, std::string statement, std::string rule,
                       std::vector<ClaimPart> parts);

using CheckFunction = ClaimCheck (*)(const View&);

/// The checks of claims 1 to 3 and 4 to 6, in the order in which the paper makes them.
std::vector<CheckFunction> citation_checks();
std::vector<CheckFunction> one_hop_checks();
std::vector<CheckFunction> two_hop_checks();
std::vector<CheckFunction> tu_checks();
std::vector<CheckFunction> ogb_checks();
std::vector<CheckFunction> color_checks();

}  // namespace hgnet::claims
