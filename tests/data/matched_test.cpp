#include "hgnet/data/matched.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "hgnet/core/random.hpp"
#include "hgnet/data/color_dataset.hpp"
#include "hgnet/data/sample_rows.hpp"
#include "hgnet/data/splits.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/datasets.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::HasSubstr;

/// Colourings of a path whose number of red nodes tells the label in most cases: a planted local
/// signal.
Dataset planted(std::int64_t samples) {
  ColorConnectivity colourings;
  colourings.graph = path_graph(64);
  Generator generator(4);
  for (std::int64_t i = 0; i < samples; ++i) {
    const auto label = static_cast<std::uint8_t>(i % 2);
    const std::uint64_t red = 20 + 4 * label + generator.below(12);
    std::vector<int> nodes(64);
    std::iota(nodes.begin(), nodes.end(), 0);
    generator.shuffle(std::span<int>(nodes));
    std::uint64_t word = 0;
    for (std::uint64_t r = 0; r < red; ++r) word |= std::uint64_t{1} << nodes[r];
    colourings.red.push_back(word);
    colourings.labels.push_back(label);
    colourings.attempts.push_back(static_cast<std::uint64_t>(i));
  }
  return color_dataset(colourings);
}

/// The first half trains, the other half is judged.
std::vector<Split> halves(const std::vector<std::int64_t>& samples) {
  const auto half = samples.begin() + std::ssize(samples) / 2;
  return {{{samples.begin(), half}, {}, {half, samples.end()}}};
}

TEST(Matched, RemovesAPlantedLocalSignal) {
  const Dataset dataset = planted(8000);
  const Scorer score = wl_judge(0).study(dataset);
  std::vector<std::int64_t> all(8000);
  std::iota(all.begin(), all.end(), 0);
  const std::vector<Split> splits = halves(all);
  const Scores scores = score(splits);
  // 12 numbers of red nodes for each label, 8 of them shared: right in 1 - 8 / 24.
  EXPECT_NEAR(judged_right(dataset, splits, scores), 2.0 / 3, 0.02);
  const std::vector<std::int64_t> kept = matched_samples(dataset, splits, scores, 0, 1);
  EXPECT_NEAR(static_cast<double>(kept.size()), 4000 * 2.0 / 3, 200);
  std::int64_t ones = 0;
  for (const std::int64_t sample : kept) ones += dataset.classes[sample];
  EXPECT_EQ(2 * ones, std::ssize(kept));
  const std::vector<Split> again = halves(kept);
  EXPECT_NEAR(judged_right(dataset, again, score(again)), 0.5, 0.05);
}

TEST(Matched, KeepsColouringsThatTheJudgeCannotTellApart) {
  ColorConnectivityOptions options{.num_samples = 400, .seed = 2};
  const MatchedColourings one = match_colourings(grid_graph(10, 10), options, wl_judge(1));
  EXPECT_EQ(one.samples.num_samples(), 400);
  EXPECT_NEAR(one.accuracy, 0.5, kMatchedBound);
  EXPECT_GT(one.accuracy_before, 0.6) << "there was something to remove";
  EXPECT_GE(one.rounds, 1);
  EXPECT_EQ(std::accumulate(one.samples.labels.begin(), one.samples.labels.end(), 0), 200);
  // The samples are among the candidates.
  options.num_samples = one.candidates;
  const ColorConnectivity all = generate_color_connectivity(grid_graph(10, 10), options);
  std::map<std::uint64_t, std::int64_t> by_attempt;
  for (std::int64_t i = 0; i < all.num_samples(); ++i) by_attempt[all.attempts[i]] = i;
  for (std::int64_t i = 0; i < 400; ++i) {
    const std::int64_t there = by_attempt.at(one.samples.attempts[i]);
    EXPECT_EQ(all.labels[there], one.samples.labels[i]);
    EXPECT_TRUE(std::ranges::equal(all.red_words(there), one.samples.red_words(i)));
  }
  options.num_samples = 400;
  options.num_threads = 3;
  const MatchedColourings three = match_colourings(grid_graph(10, 10), options, wl_judge(1, 3));
  EXPECT_EQ(three.samples.red, one.samples.red);
  EXPECT_EQ(three.accuracy, one.accuracy);
}

/// The difference of the labels' means over 300 features, one of which says something about the
/// label. As many features as this learn much from chance.
Judge noisy_judge() {
  return {"noisy", [](const Dataset& dataset) -> Scorer {
            constexpr std::size_t kWidth = 300;
            auto rows = std::make_shared<std::vector<float>>();
            for (std::int64_t i = 0; i < dataset.num_graphs(); ++i) {
              Generator generator(i);
              for (std::size_t c = 0; c < kWidth; ++c)
                rows->push_back(3.46F * static_cast<float>(generator.uniform() - 0.5) +
                                (c > 0 ? 0.0F : 0.8F * static_cast<float>(dataset.classes[i])));
            }
            return [&dataset, rows](std::span<const Split> splits) {
              const auto row = [&](std::int64_t i) {
                return std::span(*rows).subspan(i * kWidth, kWidth);
              };
              Scores scores;
              for (const Split& split : splits) {
                double mean[2][kWidth] = {};
                double count[2] = {};
                for (const std::int64_t i : split.train) {
                  const std::int32_t label = dataset.classes[i];
                  ++count[label];
                  for (std::size_t c = 0; c < kWidth; ++c) mean[label][c] += row(i)[c];
                }
                auto& here = scores.emplace_back();
                for (const std::int64_t i : split.test) {
                  double score = 0;
                  for (std::size_t c = 0; c < kWidth; ++c) {
                    const double zero = mean[0][c] / count[0], one = mean[1][c] / count[1];
                    score += (one - zero) * (row(i)[c] - (zero + one) / 2);
                  }
                  here.push_back(score);
                }
              }
              return scores;
            };
          }};
}

/// Each fold of the samples judged by what learned from the others.
std::vector<Split> across_folds(const Dataset& dataset, const std::vector<std::int64_t>& samples) {
  std::vector<std::int32_t> labels;
  for (const std::int64_t sample : samples) labels.push_back(dataset.classes[sample]);
  const Folds folds = stratified_folds(labels, 4, 5);
  std::vector<Split> splits(4);
  for (std::size_t f = 0; f < 4; ++f) {
    for (std::size_t g = 0; g < 4; ++g) {
      for (const std::int64_t i : folds[g])
        (f == g ? splits[f].test : splits[f].train).push_back(samples[i]);
    }
  }
  return splits;
}

TEST(Matched, InFullAcrossFoldsLeavesTheOpposite) {
  const Dataset dataset = color_dataset(
      generate_color_connectivity(grid_graph(10, 10), {.num_samples = 8000, .seed = 1}));
  const Scorer score = noisy_judge().study(dataset);
  std::vector<std::int64_t> all(8000);
  std::iota(all.begin(), all.end(), 0);
  const std::vector<Split> splits = across_folds(dataset, all);
  const Scores scores = score(splits);
  EXPECT_NEAR(judged_right(dataset, splits, scores), 0.62, 0.02);
  const auto accuracy_after = [&](double surplus) {
    const std::vector<Split> kept =
        across_folds(dataset, matched_samples(dataset, splits, scores, surplus, 1));
    return judged_right(dataset, kept, score(kept));
  };
  EXPECT_LT(accuracy_after(0), 0.48);
  EXPECT_GT(accuracy_after(0.5), 0.5);
}

TEST(Matched, LeavesNothingToBeLearntNorItsOpposite) {
  const MatchedColourings matched =
      match_colourings(grid_graph(10, 10), {.num_samples = 2000, .seed = 1}, noisy_judge());
  EXPECT_GT(matched.accuracy_before, 0.6) << "there was something to remove";
  EXPECT_GT(matched.rounds, 1) << "what the first judge took for a signal shows in what is kept";
  EXPECT_NEAR(matched.accuracy, 0.5, kMatchedBound);
}

TEST(Matched, WhatIsLeftToBalanceTheLabelsIsJudgedAgain) {
  int calls = 0;
  // Calls everything 1, but knows the labels of the samples that are first to be returned.
  const Judge late{"late", [&](const Dataset& dataset) -> Scorer {
                     return [&](std::span<const Split> splits) {
                       const bool knows = ++calls == 3;
                       Scores scores;
                       for (const Split& split : splits) {
                         auto& here = scores.emplace_back();
                         for (const std::int64_t sample : split.test)
                           here.push_back(knows && dataset.classes[sample] == 0 ? -1 : 1);
                       }
                       return scores;
                     };
                   }};
  const MatchedColourings matched =
      match_colourings(grid_graph(10, 10), {.num_samples = 100, .seed = 1}, late);
  EXPECT_EQ(matched.rounds, 2);
  EXPECT_EQ(calls, 5);
  EXPECT_NEAR(matched.accuracy, 0.5, kMatchedBound);
}

TEST(Matched, WhatIsAlwaysJudgedWronglyIsToldApart) {
  const Judge liar{
      "liar", [](const Dataset& dataset) -> Scorer {
        return [&dataset](std::span<const Split> splits) {
          Scores scores;
          for (const Split& split : splits) {
            auto& here = scores.emplace_back();
            // Lies only about what is kept, across folds.
            for (const std::int64_t sample : split.test)
              here.push_back(splits.size() == 1 ? 0 : dataset.classes[sample] == 1 ? -1 : 1);
          }
          return scores;
        };
      }};
  EXPECT_THAT(
      error_of<Error>([&] { match_colourings(grid_graph(10, 10), {.num_samples = 100}, liar); }),
      HasSubstr("that liar cannot tell apart"));
}

TEST(Matched, RefusesWhatCannotBeMatched) {
  const auto refused = [](ColorConnectivityOptions options) {
    return error_of<Error>([&] { match_colourings(grid_graph(16, 16), options, wl_judge(1)); });
  };
  EXPECT_THAT(refused({.task = ColorTask::kCrossing}), HasSubstr("crossing"));
  EXPECT_THAT(refused({.max_islands = 3}), HasSubstr("3 islands"));
  EXPECT_THAT(refused({.num_samples = 101}), HasSubstr("even"));
  EXPECT_THAT(refused({.num_samples = 10}), HasSubstr("100 at least"));
  EXPECT_THAT(refused({.num_samples = 100, .num_colours = 3}), HasSubstr("3 colours"));
  // A judge that knows the answer leaves nothing.
  const Judge knows{"oracle", [](const Dataset& dataset) -> Scorer {
                      return [&dataset](std::span<const Split> splits) {
                        Scores scores;
                        for (const Split& split : splits) {
                          auto& here = scores.emplace_back();
                          for (const std::int64_t sample : split.test)
                            here.push_back(dataset.classes[sample] == 1 ? 1 : -1);
                        }
                        return scores;
                      };
                    }};
  const std::string message =
      error_of<Error>([&] { match_colourings(grid_graph(16, 16), {.num_samples = 100}, knows); });
  EXPECT_THAT(message, HasSubstr("of 6400 candidates"));
  EXPECT_THAT(message, HasSubstr("oracle"));
}

TEST(ColourRowsOfSamples, DoNotDependOnThreads) {
  const Dataset dataset = planted(100);
  const SparseMatrix one = colour_rows(dataset, 2);
  const SparseMatrix three = colour_rows(dataset, 2, 3);
  EXPECT_TRUE(std::ranges::equal(one.csr().offsets, three.csr().offsets));
  EXPECT_TRUE(std::ranges::equal(one.csr().columns, three.csr().columns));
  EXPECT_TRUE(std::ranges::equal(one.values(), three.values()));
  double sum = 0;
  for (EdgeId s = 0; s < one.csr().offsets[1]; ++s) sum += one.values()[s];
  EXPECT_EQ(sum, 3 * 64) << "every node once in each round";
}

TEST(PooledRows, AreSumsAndMeans) {
  const Dataset dataset = planted(4);
  const SparseMatrix sums = pooled_rows(dataset, false);
  const SparseMatrix means = pooled_rows(dataset, true);
  for (std::int64_t g = 0; g < 4; ++g) {
    int red = 0;
    for (int v = 0; v < 64; ++v) red += std::get<BitRows>(dataset.features)[g * 64 + v] ? 1 : 0;
    EXPECT_EQ(sums.values()[g], static_cast<float>(red));
    EXPECT_EQ(means.values()[g], static_cast<float>(red) / 64);
  }
}

}  // namespace
}  // namespace hgnet
