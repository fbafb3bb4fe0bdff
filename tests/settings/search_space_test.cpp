#include "hgnet/settings/search_space.hpp"

#include <gmock/gmock.h>

#include <set>

#include "hgnet/config/model_table.hpp"
#include "hgnet/settings/config.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

SearchSpace space_of(const std::string& toml) { return SearchSpace::from_toml(toml, "s.toml"); }

TEST(SearchSpace, AGridHasEveryCombinationOnce) {
  const SearchSpace space = space_of("lr = [0.1, 0.01]\nhidden = [8, 16, 32]\n");
  const std::vector<Settings> all = space.grid("gcn", 6);
  EXPECT_THAT(std::set<Settings>(all.begin(), all.end()), SizeIs(6));
  EXPECT_EQ(all.front(), (Settings{{"hidden", "8"}, {"lr", "0.1"}}));
  EXPECT_THAT(error_of<Error>([&] { space.grid("gcn", 5); }), HasSubstr("more than 5"));
}

TEST(SearchSpace, ATableIsForItsModels) {
  const SearchSpace space = space_of(
      "lr = [0.1]\n[flat]\nlayers = [2]\n[hierarchical]\nlevels = [3]\n[gat]\nlr = [0.5]\n");
  EXPECT_EQ(space.grid("gcn", 9).front(), (Settings{{"layers", "2"}, {"lr", "0.1"}}));
  EXPECT_EQ(space.grid("gat", 9).front(), (Settings{{"layers", "2"}, {"lr", "0.5"}}));
  EXPECT_EQ(space.grid("hgnet-louvain", 9).front(), (Settings{{"levels", "3"}, {"lr", "0.1"}}));
}

TEST(SearchSpace, DrawsDifferentSettingsFromTheSeed) {
  const SearchSpace space =
      space_of("lr = {min = 1e-4, max = 1e-2, log = true}\nhidden = [8, 16]\n");
  Generator first(1);
  Generator again(1);
  const std::vector<Settings> drawn = space.draw("gcn", 20, first);
  EXPECT_EQ(drawn, space.draw("gcn", 20, again));
  EXPECT_THAT(std::set<Settings>(drawn.begin(), drawn.end()), SizeIs(20));
  int small = 0;
  for (const Settings& settings : drawn) {
    const double lr = std::stod(settings.at("lr"));
    EXPECT_GE(lr, 1e-4);
    EXPECT_LE(lr, 1e-2);
    small += lr < 1e-3 ? 1 : 0;
  }
  EXPECT_GE(small, 5);  // half of them, if drawn on a logarithmic scale; a tenth otherwise
  Generator generator(2);
  EXPECT_THAT(space_of("lr = [0.1, 0.2]\n").draw("gcn", 9, generator), SizeIs(2));
}

TEST(SearchSpace, DrawnIntegersIncludeBothEnds) {
  const SearchSpace space = space_of("hidden = {min = 3, max = 5}\n");
  Generator generator(1);
  std::set<std::string> seen;
  for (const Settings& settings : space.draw("gcn", 9, generator))
    seen.insert(settings.at("hidden"));
  EXPECT_EQ(seen, (std::set<std::string>{"3", "4", "5"}));
}

TEST(SearchSpace, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(error_of<InvalidFile>([] { space_of("lr = [1]\nhiden = [8]\n"); }),
              ::testing::AllOf(HasSubstr("s.toml:2"), HasSubstr("hidden")));
  EXPECT_THAT(error_of<InvalidFile>([] { space_of("seed = [1, 2]\n"); }), HasSubstr("fixed"));
  EXPECT_THAT(error_of<InvalidFile>([] { space_of("lr = 0.1\n"); }), HasSubstr("a list of values"));
  EXPECT_THAT(error_of<InvalidFile>([] { space_of("lr = {min = 2, max = 1}\n"); }),
              HasSubstr("min below max"));
  EXPECT_THAT(error_of<InvalidFile>([] { space_of("lr = {min = 0, max = 1, log = true}\n"); }),
              HasSubstr("positive"));
  EXPECT_THAT(error_of<InvalidFile>([] { space_of("[flatt]\nlr = [1]\n"); }), HasSubstr("flat"));
  EXPECT_THAT(error_of<Error>([] { space_of("lr = {min = 1, max = 2}\n").grid("gcn", 9); }),
              HasSubstr("the range of lr"));
}

TEST(SearchSpace, ValuesThatASettingCannotHaveAreRefusedWithTheirPlace) {
  const std::string name = "lr = [0.1]\n";
  const auto refusal = [&](const std::string& line) {
    return error_of<InvalidFile>([&] { space_of(name + line); });
  };
  EXPECT_EQ(refusal("hidden = {min = 1, max = 9223372036854775807}\n"),
            "s.toml:2: a range needs the number max, of a usual size");
  EXPECT_THAT(refusal("dropout = {min = -inf, max = 0.5}\n"), HasSubstr("the number min"));
  EXPECT_THAT(refusal("dropout = [0.5, nan]\n"), HasSubstr("s.toml:2: dropout is not a finite"));
  EXPECT_THAT(refusal("hidden = {min = 1.0, max = 2.5}\n"),
              HasSubstr("s.toml:2: hidden: expected an integer"));
  EXPECT_THAT(refusal("activation = [\"sigmoid\"]\n"), HasSubstr("s.toml:2: activation: unknown"));
  EXPECT_THAT(refusal("dropout = [[0.5]]\n"),
              HasSubstr("s.toml:2: dropout has a value of the wrong"));
}

TEST(SearchSpace, TheStandardOneSuitsEveryModel) {
  for (const std::string& model : model_names()) {
    Generator generator(1);
    for (const Settings& settings : SearchSpace::standard().draw(model, 30, generator)) {
      TrainConfig config;
      config.model = model;
      config.network = model_defaults(model);
      std::string toml;
      for (const auto& [name, value] : settings) toml += name + " = " + value + "\n";
      EXPECT_NO_THROW(apply_toml(config, toml, "standard")) << model << "\n" << toml;
    }
  }
}

TEST(HalvingRounds, AThirdOfTheTrialsGetsThreeTimesTheEpochs) {
  const std::vector<SearchRound> rounds = halving_rounds(27, 180);
  ASSERT_EQ(rounds.size(), 3U);
  EXPECT_EQ(rounds[0].epochs, 20);
  EXPECT_EQ(rounds[0].keep, 9U);
  EXPECT_EQ(rounds[1].epochs, 60);
  EXPECT_EQ(rounds[1].keep, 3U);
  EXPECT_EQ(rounds[2].epochs, 180);
  EXPECT_EQ(rounds[2].keep, 1U);
  const std::vector<SearchRound> up = halving_rounds(10, 180);  // a third is rounded up
  ASSERT_EQ(up.size(), 3U);
  EXPECT_EQ(up[0].keep, 4U);
  EXPECT_EQ(up[1].keep, 2U);
  EXPECT_EQ(halving_rounds(3, 180).size(), 1U);
  EXPECT_EQ(halving_rounds(100, 5).size(), 1U);
}

TEST(BestOfRound, BestFirstAndFailedNever) {
  const std::vector<std::optional<double>> scores{0.2, std::nullopt, 0.9, 0.5};
  EXPECT_THAT(best_of_round(scores, 2, false), ElementsAre(2, 3));
  EXPECT_THAT(best_of_round(scores, 9, true), ElementsAre(0, 3, 2));
}

}  // namespace
}  // namespace hgnet
