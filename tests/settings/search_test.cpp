#include "hgnet/settings/search.hpp"

#include <gmock/gmock.h>

#include "support/errors.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Three trials on two folds, in two rounds: all, then the best one of each fold.
Search three_trials() {
  Search search;
  for (const char* lr : {"0.1", "0.01", "0.001"}) {
    Trial& trial = search.trials.emplace_back();
    trial.settings = {{"lr", lr}};
    trial.config.dataset = "cora";
    trial.config.metric = "accuracy";
    trial.config.lr = std::stod(lr);
  }
  search.folds = {0, 1};
  search.rounds = {{5, 1}, {15, 1}};
  return search;
}

void add_scores(Search& search, std::size_t round, std::int64_t fold,
                const std::vector<double>& validation) {
  const std::vector<std::size_t> trials = search.trials_in(round, fold);
  for (std::size_t i = 0; i < trials.size(); ++i)
    search.scores.push_back({round, trials[i], fold, validation[i], 1 - validation[i]});
}

TEST(Search, EachFoldGoesOnWithItsOwnBest) {
  Search search = three_trials();
  EXPECT_EQ(search.num_fits(), 8U) << "six, then one for each fold";
  add_scores(search, 0, 0, {0.5, 0.9, 0.7});
  add_scores(search, 0, 1, {0.8, 0.2, 0.1});
  EXPECT_EQ(search.rounds_done(), 1U);
  EXPECT_THAT(search.trials_in(1, 0), ElementsAre(1));
  EXPECT_THAT(search.trials_in(1, 1), ElementsAre(0));
  const std::vector<PlannedFit> fits = search.fits(1, "out");
  ASSERT_EQ(fits.size(), 2U);
  EXPECT_EQ(fits[0].folder, std::filesystem::path("out/trial-001/fold-0"));
  EXPECT_EQ(fits[0].config.epochs, 15);
  EXPECT_EQ(fits[1].config.lr, 0.1);
}

TEST(Search, TheTestScoreIsThatOfWhatValidationChose) {
  Search search = three_trials();
  add_scores(search, 0, 0, {0.5, 0.9, 0.7});
  add_scores(search, 0, 1, {0.8, 0.2, 0.1});
  add_scores(search, 1, 0, {0.75});
  add_scores(search, 1, 1, {0.625});
  EXPECT_THAT(search.test_scores(), ElementsAre(0.25, 0.375)) << "not the best on the test samples";
  EXPECT_EQ(search.best(), 1U) << "a vote each; the better validation decides";
}

TEST(Search, OfErrorsTheLowestIsTheBest) {
  Search search = three_trials();
  for (Trial& trial : search.trials) trial.config.metric = "rmse";
  add_scores(search, 0, 0, {0.5, 0.9, 0.7});
  add_scores(search, 0, 1, {0.8, 0.2, 0.9});
  EXPECT_THAT(search.trials_in(1, 0), ElementsAre(0));
  EXPECT_THAT(search.trials_in(1, 1), ElementsAre(1));
  add_scores(search, 1, 0, {0.625});
  add_scores(search, 1, 1, {0.25});
  EXPECT_EQ(search.best(), 1U) << "a vote each; the smaller error decides";
}

TEST(Search, AFailedFitIsNeverChosen) {
  Search search = three_trials();
  search.folds = {0};
  search.rounds = {{5, 1}};
  search.scores = {{0, 0, 0, {}, {}}, {0, 1, 0, 0.1, 0.2}, {0, 2, 0, {}, {}}};
  EXPECT_EQ(search.chosen(0), 1U);
  search.scores[1].val.reset();
  EXPECT_FALSE(search.chosen(0));
  EXPECT_FALSE(search.best());
}

TEST(Search, ReadsBackWhatItWroteAndTellsAnEdit) {
  Search search = three_trials();
  add_scores(search, 0, 0, {0.5, 0.9, 0.7});
  const std::string text = search.to_json();
  EXPECT_EQ(Search::from_json(text, "tune.json").to_json(), text);
  std::string edited = text;
  edited.replace(edited.find("0.9"), 3, "0.4");
  EXPECT_THAT(test::error_of<InvalidFile>([&] { Search::from_json(edited, "tune.json"); }),
              HasSubstr("tune.json: it is damaged or was edited"));
}

}  // namespace
}  // namespace hgnet
