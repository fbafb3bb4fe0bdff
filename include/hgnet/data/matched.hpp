#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "hgnet/data/color_connectivity.hpp"
#include "hgnet/data/dataset.hpp"
#include "hgnet/data/split.hpp"

namespace hgnet {

/// By split: what a classifier that was trained on its training samples says about its test
/// samples, above 0 for label 1 and below 0 for label 0.
using Scores = std::vector<std::vector<double>>;
using Scorer = std::function<Scores(std::span<const Split> splits)>;

/// A kind of classifier for data sets with two labels.
struct Judge {
  std::string name;  // "wl:2"
  /// The data set must outlive what this returns.
  std::function<Scorer(const Dataset& dataset)> study;
};

/// Logistic regression on counts of Weisfeiler-Lehman colours after 0 .. rounds rounds.
Judge wl_judge(int rounds, int threads = 1);

/// The share of test samples whose score has the sign of their label.
double judged_right(const Dataset& dataset, std::span<const Split> splits, const Scores& scores);

/// Of the test samples, in every narrow band of the score: equally many of each label, plus
/// `surplus` (0 to 1) times those that one label has more of; ascending. With 0 the score says
/// nothing about the label.
std::vector<std::int64_t> matched_samples(const Dataset& dataset, std::span<const Split> splits,
                                          const Scores& scores, double surplus, std::uint64_t seed);

struct MatchedColourings {
  ColorConnectivity samples;
  std::string judge;
  double accuracy = 0;         // of the judge, trained anew across folds of what is kept
  double accuracy_before = 0;  // on the candidates
  std::int64_t candidates = 0;
  int rounds = 0;  // of judging and matching

  /// Both as Dataset::facts.
  std::map<std::string, std::string> facts() const;
};

/// The judge may be right on half of what is kept, give or take this share of it.
inline constexpr double kMatchedBound = 0.02;

/// Colourings that the judge cannot tell apart. Of the candidates, drawn as
/// generate_color_connectivity does, a quarter trains the judge, and the others are matched in
/// full. What is kept is matched across folds, with half of the surplus, until a judge that is
/// trained anew on it is right on half of it, within kMatchedBound. Twice as many candidates are
/// drawn when too few remain. Depends on the options and the judge, not on the number of threads.
/// Throws Error for tasks other than islands and rings with two labels, an odd number of samples,
/// and where 64 candidates for each sample are not enough.
MatchedColourings match_colourings(const Graph& graph, const ColorConnectivityOptions& options,
                                   const Judge& judge, const SampleProgress& progress = {});

}  // namespace hgnet
