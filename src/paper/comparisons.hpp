// The parts of a claim's check, and its evaluation.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hgnet/report/claims.hpp"
#include "hgnet/report/results.hpp"

namespace hgnet::claims {

using Names = std::vector<std::string>;

/// The paper's, for the model on the data set.
inline constexpr int kPaperDepth = 0;
/// The best on the validation part; the test part must not choose.
inline constexpr int kChosenDepth = -1;
/// The one with about as many parameters as the first choice of side a.
inline constexpr int kEqualDepth = -2;
/// "About as many": up to so many times as many, or as few.
inline constexpr double kAboutAsMany = 1.25;

inline constexpr int kBest = 0;
inline constexpr int kThird = 2;
inline constexpr int kWorst = -1;

/// One side of a comparison: one of these models (none named: the part's own) at one of these
/// depths.
struct Side {
  Names models = {};
  std::vector<int> depths = {kPaperDepth};
  int rank = kBest;                     // which of them, ranked by mean
  bool or_published = false;            // if we have no fits; not together with reduced ones
  std::optional<double> constant = {};  // in points, instead of a model
};

/// What a difference must be, in points.
struct Bound {
  bool above = true;  // otherwise below
  double points = 0;
};

constexpr Bound above(double points) { return {true, points}; }
constexpr Bound below(double points) { return {false, points}; }

/// Which fits a claim is about.
struct Scope {
  std::string table = {};
  std::string split = {};  // empty: the data set's usual one
  Names datasets;
  Reading reading = Reading::kAsWritten;
  int enough = 0;  // fits that a comparison needs on each data set; 0: kEnoughFits
};

/// A check as data. It has a part for each model and bound.
struct CheckRow {
  std::string statement;
  std::string sentence = {};  // quoted from the paper; may be empty
  std::string compared;       // in words
  Side a = {};                // minus b
  Side b = {};
  std::vector<Bound> bounds;
  Names datasets = {};  // empty: the claim's
  Names models = {};
  bool each_dataset = false;  // a part for each data set; else one for the mean over them
  std::size_t needed = 0;     // parts that must hold; 0: all
  /// A data set: parts compare its difference with that on each other data set.
  std::string most_on = {};
};

/// A claim as data.
struct ClaimRow {
  int number;
  const char* title;
  const char* statement;
  Scope scope;
  std::vector<CheckRow> checks;
};

inline const Names kHgnets = {"hgnet-edgepool", "hgnet-louvain"};
inline const Names kFlat = {"gcn", "gat", "cheb", "gin"};

/// Over full fits if they allow a comparison; otherwise over reduced ones if those do.
ClaimCheck evaluate(const CheckRow& row, const Scope& scope, const Results& results);

/// Each in the readings that have fits.
std::vector<Claim> evaluated(const std::vector<ClaimRow>& rows, const Results& results);

}  // namespace hgnet::claims
