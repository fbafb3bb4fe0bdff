#include "hgnet/data/matched.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/core/text.hpp"
#include "hgnet/data/color_dataset.hpp"
#include "hgnet/data/splits.hpp"

namespace hgnet {
namespace {

constexpr int kJudgeFolds = 4;
constexpr int kMostRounds = 8;
constexpr std::int64_t kFirstCandidates = 16;  // for each sample
constexpr std::int64_t kMostCandidates = 64;
constexpr std::size_t kBand = 200;  // samples
/// Of what a label has more of in a band, so much is kept across folds. Samples that were judged by
/// what learned from each other and matched in full are unlike their like: whoever learns from some
/// of them is wrong on the others.
constexpr double kSurplus = 0.5;

struct Judged {
  double score = 0;
  std::int64_t sample = 0;

  auto operator<=>(const Judged&) const = default;
};

std::vector<Judged> by_score(std::span<const Split> splits, const Scores& scores) {
  std::vector<Judged> all;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    for (std::size_t i = 0; i < scores[s].size(); ++i)
      all.push_back({scores[s][i], splits[s].test[i]});
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// The first quarter of the candidates trains, the others are judged.
std::vector<Split> first_split(std::int64_t candidates) {
  Split split;
  split.train.resize(candidates / 4);
  split.test.resize(candidates - candidates / 4);
  std::iota(split.train.begin(), split.train.end(), 0);
  std::iota(split.test.begin(), split.test.end(), candidates / 4);
  return {split};
}

/// Each fold of the samples once as test samples.
std::vector<Split> cross_splits(const Dataset& dataset, const std::vector<std::int64_t>& samples,
                                std::uint64_t seed) {
  std::vector<std::int32_t> labels;
  for (const std::int64_t sample : samples) labels.push_back(dataset.classes[sample]);
  const Folds folds = stratified_folds(labels, kJudgeFolds, seed);
  std::vector<Split> splits(folds.size());
  for (std::size_t f = 0; f < folds.size(); ++f) {
    for (std::size_t g = 0; g < folds.size(); ++g) {
      std::vector<std::int64_t>& part = g == f ? splits[f].test : splits[f].train;
      for (const std::int64_t i : folds[g]) part.push_back(samples[i]);
    }
  }
  return splits;
}

/// Random ones, equally many of each label, in their order.
std::vector<std::int64_t> balanced(const Dataset& dataset, std::vector<std::int64_t> samples,
                                   std::int64_t count, std::uint64_t seed) {
  Generator(seed).shuffle(std::span<std::int64_t>(samples));
  std::vector<std::int64_t> kept;
  std::int64_t left[2] = {count / 2, count / 2};
  for (const std::int64_t sample : samples) {
    if (left[dataset.classes[sample]]-- > 0) kept.push_back(sample);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

ColorConnectivity only(const ColorConnectivity& all, const std::vector<std::int64_t>& samples) {
  ColorConnectivity result;
  result.graph = all.graph;
  result.options = all.options;
  result.options.num_samples = std::ssize(samples);
  result.num_attempts = all.num_attempts;
  for (const std::int64_t sample : samples) {
    const auto words = all.red_words(sample);
    result.red.insert(result.red.end(), words.begin(), words.end());
    result.labels.push_back(all.labels[sample]);
    result.attempts.push_back(all.attempts[sample]);
  }
  return result;
}

/// As many as can be had with equally many of each label.
std::int64_t balanced_count(const Dataset& dataset, const std::vector<std::int64_t>& samples) {
  const auto ones = std::count_if(samples.begin(), samples.end(), [&](std::int64_t sample) {
    return dataset.classes[sample] == 1;
  });
  return 2 * std::min<std::int64_t>(ones, std::ssize(samples) - ones);
}

bool says_nothing(double accuracy) { return std::abs(accuracy - 0.5) <= kMatchedBound; }

void check_task(const ColorConnectivityOptions& options) {
  if (options.task == ColorTask::kCrossing)
    throw Error("matched: the two of a crossing are alike already; match islands or rings");
  if (options.task == ColorTask::kIslands && options.max_islands != 2)
    throw Error("matched: " + std::to_string(options.max_islands) +
                " islands; expected two labels");
  if (options.num_samples % 2 != 0)
    throw Error("matched: " + std::to_string(options.num_samples) +
                " samples; expected an even number, half of each label");
  if (options.num_samples < 100)
    throw Error("matched: " + std::to_string(options.num_samples) +
                " samples; expected 100 at least, to train a judge on");
}

}  // namespace

double judged_right(const Dataset& dataset, std::span<const Split> splits, const Scores& scores) {
  std::int64_t right = 0;
  std::int64_t count = 0;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    for (std::size_t i = 0; i < scores[s].size(); ++i, ++count)
      right += (scores[s][i] > 0) == (dataset.classes[splits[s].test[i]] == 1);
  }
  return count == 0 ? 0 : static_cast<double>(right) / static_cast<double>(count);
}

std::vector<std::int64_t> matched_samples(const Dataset& dataset, std::span<const Split> splits,
                                          const Scores& scores, double surplus,
                                          std::uint64_t seed) {
  const std::vector<Judged> order = by_score(splits, scores);
  Generator generator(seed);
  std::vector<std::int64_t> kept;
  for (std::size_t begin = 0; begin < order.size(); begin += kBand) {
    std::vector<std::int64_t> of_label[2];
    for (std::size_t i = begin; i < std::min(order.size(), begin + kBand); ++i)
      of_label[dataset.classes[order[i].sample]].push_back(order[i].sample);
    const std::size_t both = std::min(of_label[0].size(), of_label[1].size());
    for (std::vector<std::int64_t>& samples : of_label) {
      generator.shuffle(std::span<std::int64_t>(samples));
      const auto more = static_cast<double>(samples.size() - both);
      const auto count = static_cast<std::ptrdiff_t>(both) +
                         static_cast<std::ptrdiff_t>(std::floor(surplus * more));
      kept.insert(kept.end(), samples.begin(), samples.begin() + count);
    }
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

std::map<std::string, std::string> MatchedColourings::facts() const {
  const auto percent = [](double share) {
    return short_number(std::round(share * 1000) / 10) + " %";
  };
  return {{"judge", judge},
          {"judge's accuracy", percent(accuracy) + "; " + percent(accuracy_before) + " on " +
                                   std::to_string(candidates) + " candidates"}};
}

namespace {

/// Matches until the judge says nothing about `wanted` of the candidates, which are then `kept`.
/// False where too few remain.
bool match(const Dataset& dataset, const Scorer& score, std::int64_t wanted, std::uint64_t seed,
           std::vector<std::int64_t>& kept, MatchedColourings& result) {
  std::vector<Split> splits = first_split(dataset.num_graphs());
  Scores scores = score(splits);
  result.accuracy_before = judged_right(dataset, splits, scores);
  kept = matched_samples(dataset, splits, scores, 0, seed);
  for (result.rounds = 1; result.rounds <= kMostRounds; ++result.rounds) {
    if (balanced_count(dataset, kept) < wanted) return false;
    splits = cross_splits(dataset, kept, ++seed);
    scores = score(splits);
    if (says_nothing(judged_right(dataset, splits, scores))) {
      const std::vector<std::int64_t> some = balanced(dataset, kept, wanted, seed);
      const std::vector<Split> folds = cross_splits(dataset, some, seed);
      result.accuracy = judged_right(dataset, folds, score(folds));
      if (says_nothing(result.accuracy)) {
        kept = some;
        return true;
      }
    }
    kept = matched_samples(dataset, splits, scores, kSurplus, seed);
  }
  kept.clear();
  return false;
}

}  // namespace

MatchedColourings match_colourings(const Graph& graph, const ColorConnectivityOptions& options,
                                   const Judge& judge, const SampleProgress& progress) {
  check_task(options);
  const std::int64_t wanted = options.num_samples;
  std::int64_t remaining = 0;
  for (std::int64_t factor = kFirstCandidates; factor <= kMostCandidates; factor *= 2) {
    ColorConnectivityOptions drawing = options;
    drawing.num_samples = factor * wanted;
    const ColorConnectivity candidates = generate_color_connectivity(graph, drawing, progress);
    const Dataset dataset = color_dataset(candidates);
    MatchedColourings result{{}, judge.name, 0, 0, drawing.num_samples, 0};
    std::vector<std::int64_t> kept;
    if (match(dataset, judge.study(dataset), wanted, options.seed, kept, result)) {
      result.samples = only(candidates, kept);
      return result;
    }
    remaining = std::ssize(kept);
  }
  throw Error("matched: of " + std::to_string(kMostCandidates * wanted) + " candidates " +
              std::to_string(remaining) + " remain that " + judge.name +
              " cannot tell apart; expected " + std::to_string(wanted) +
              ". Ask for fewer samples, or for a judge that sees less far");
}

}  // namespace hgnet
