#include "hgnet/settings/search.hpp"

#include <algorithm>
#include <map>

#include "hgnet/config/limits.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/records/metrics.hpp"
#include "hgnet/records/spread.hpp"
#include "settings/plan_json.hpp"

namespace hgnet {
namespace {

using nlohmann::ordered_json;

ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

std::optional<double> optional_number(const nlohmann::json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<double>();
}

std::string padded_number(std::size_t number) {
  const std::string digits = std::to_string(number);
  return std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

}  // namespace

std::size_t Search::rounds_done() const {
  std::size_t done = 0;
  for (const TrialScore& score : scores) done = std::max(done, score.round + 1);
  return done;
}

std::size_t Search::num_fits() const {
  std::size_t count = trials.size();
  for (std::size_t r = 0; r + 1 < rounds.size(); ++r) count += rounds[r].keep;
  return count * folds.size();
}

const TrialScore* Search::score(std::size_t round, std::size_t trial, std::int64_t fold) const {
  const auto found = std::find_if(scores.begin(), scores.end(), [&](const TrialScore& s) {
    return s.round == round && s.trial == trial && s.fold == fold;
  });
  return found == scores.end() ? nullptr : &*found;
}

std::vector<std::size_t> Search::trials_in(std::size_t round, std::int64_t fold) const {
  std::vector<std::size_t> in(trials.size());
  for (std::size_t t = 0; t < trials.size(); ++t) in[t] = t;
  const bool lower = lower_is_better(trials.front().config.metric);
  for (std::size_t r = 0; r < round; ++r) {
    std::vector<std::optional<double>> values;
    for (const std::size_t trial : in) {
      const TrialScore* found = score(r, trial, fold);
      values.push_back(found == nullptr ? std::nullopt : found->val);
    }
    std::vector<std::size_t> kept;
    for (const std::size_t place : best_of_round(values, rounds[r].keep, lower))
      kept.push_back(in[place]);
    in = std::move(kept);
  }
  return in;
}

std::optional<std::size_t> Search::chosen(std::int64_t fold) const {
  const std::size_t last = rounds.size() - 1;
  const std::vector<std::size_t> in = trials_in(last, fold);
  std::vector<std::optional<double>> values;
  for (const std::size_t trial : in) {
    const TrialScore* found = score(last, trial, fold);
    values.push_back(found == nullptr ? std::nullopt : found->val);
  }
  const auto best = best_of_round(values, 1, lower_is_better(trials.front().config.metric));
  if (best.empty()) return std::nullopt;
  return in[best.front()];
}

std::pair<std::size_t, std::vector<double>> Search::reached(std::size_t trial) const {
  std::pair<std::size_t, std::vector<double>> result;
  for (const TrialScore& score : scores) {
    if (score.trial == trial) result.first = std::max(result.first, score.round);
  }
  for (const TrialScore& score : scores) {
    if (score.trial == trial && score.round == result.first && score.val)
      result.second.push_back(*score.val);
  }
  return result;
}

std::optional<std::size_t> Search::best() const {
  std::map<std::size_t, int> votes;
  for (const std::int64_t fold : folds) {
    if (const auto trial = chosen(fold)) ++votes[*trial];
  }
  const bool lower = lower_is_better(trials.front().config.metric);
  const auto goodness = [&](std::size_t trial) {
    const double mean = summary_of(reached(trial).second).mean;
    return lower ? -mean : mean;
  };
  std::optional<std::size_t> best;
  for (const auto& [trial, count] : votes) {
    if (!best || std::pair(count, goodness(trial)) > std::pair(votes[*best], goodness(*best)))
      best = trial;
  }
  return best;
}

std::vector<double> Search::test_scores() const {
  std::vector<double> tests;
  for (const std::int64_t fold : folds) {
    const auto trial = chosen(fold);
    if (!trial) continue;
    const TrialScore* found = score(rounds.size() - 1, *trial, fold);
    if (found != nullptr && found->test) tests.push_back(*found->test);
  }
  return tests;
}

std::vector<std::pair<std::size_t, std::int64_t>> Search::places(std::size_t round) const {
  std::vector<std::pair<std::size_t, std::int64_t>> result;
  for (const std::int64_t fold : folds) {
    for (const std::size_t trial : trials_in(round, fold)) result.emplace_back(trial, fold);
  }
  return result;
}

std::filesystem::path Search::folder_of(std::size_t trial, std::int64_t fold,
                                        const std::filesystem::path& out) const {
  const std::filesystem::path folder = out / (kTrialFolder + padded_number(trial));
  return folds.size() > 1 ? folder / ("fold-" + std::to_string(fold)) : folder;
}

std::vector<std::filesystem::path> Search::chosen_folders(const std::filesystem::path& out) const {
  std::vector<std::filesystem::path> folders;
  for (const std::int64_t fold : folds) {
    if (const auto trial = chosen(fold)) folders.push_back(folder_of(*trial, fold, out));
  }
  return folders;
}

std::vector<PlannedFit> Search::fits(std::size_t round, const std::filesystem::path& out) const {
  std::vector<PlannedFit> result;
  for (const auto& [trial, fold] : places(round)) {
    PlannedFit& fit = result.emplace_back();
    fit.config = trials[trial].config;
    fit.config.epochs = rounds[round].epochs;
    fit.config.fold = static_cast<int>(fold);
    fit.folder = folder_of(trial, fold, out);
    fit.label = fit.config.model + " trial " + std::to_string(trial);
    if (folds.size() > 1) fit.label += " fold " + std::to_string(fold);
    fit.go_on = true;
  }
  return result;
}

void Search::check() const {
  check_plan(trials.size(), 1, folds);
  if (rounds.empty()) throw Error("expected a round at least");
  for (const SearchRound& round : rounds) {
    if (round.epochs < 1 || round.keep < 1)
      throw Error("has a round of " + std::to_string(round.epochs) + " epochs for " +
                  std::to_string(round.keep) + " trials; expected 1 at least");
    check_limit("epochs", round.epochs);
  }
  for (const TrialScore& score : scores) {
    if (score.trial >= trials.size() || score.round >= rounds.size())
      throw Error("has a score of a trial or round that it does not have");
  }
}

std::string Search::to_json() const {
  ordered_json json{{"folds", folds}};
  for (const Trial& trial : trials)
    json["trials"].push_back({{"settings", trial.settings}, {"config", to_toml(trial.config)}});
  for (const SearchRound& round : rounds)
    json["rounds"].push_back({{"epochs", round.epochs}, {"keep", round.keep}});
  json["scores"] = ordered_json::array();
  for (const TrialScore& score : scores)
    json["scores"].push_back({{"round", score.round},
                              {"trial", score.trial},
                              {"fold", score.fold},
                              {"val", or_null(score.val)},
                              {"test", or_null(score.test)}});
  return with_checksum(json);
}

Search Search::from_json(std::string_view text, const std::string& file) {
  return read_plan(text, file, [&](const nlohmann::json& json) {
    Search search;
    search.folds = json.at("folds").get<std::vector<std::int64_t>>();
    for (const auto& trial : json.at("trials"))
      search.trials.push_back(
          {trial.at("settings").get<Settings>(),
           train_config_from_toml(trial.at("config").get<std::string>(), file)});
    for (const auto& round : json.at("rounds"))
      search.rounds.push_back({round.at("epochs"), round.at("keep")});
    for (const auto& score : json.at("scores"))
      search.scores.push_back({score.at("round"), score.at("trial"), score.at("fold"),
                               optional_number(score.at("val")),
                               optional_number(score.at("test"))});
    search.check();
    return search;
  });
}

FitsToUse fits_to_use(const std::filesystem::path& run) {
  FitsToUse result;
  const std::filesystem::path file = run / kSearchFile;
  if (std::filesystem::exists(file)) {
    const Search search = Search::from_json(read_whole(file), file.string());
    if (search.rounds_done() < search.rounds.size())
      throw Error(run.string() + " is a search that is not done; resume it first");
    for (const std::filesystem::path& folder : search.chosen_folders(run))
      result.fits.push_back(FitFolder::open(folder));
    if (result.fits.empty()) throw Error(run.string() + " is a search whose trials all failed");
    result.notes.push_back(run.string() + " is a search of " +
                           std::to_string(search.trials.size()) +
                           " trials, of which only what validation chose is used");
  } else {
    result.fits = fits_in(run);
  }
  for (const FitFolder& fit : result.fits) {
    if (!fit.result())
      result.notes.push_back("the fit in " + fit.path().string() +
                             " is not finished; this is its best model so far");
  }
  return result;
}

}  // namespace hgnet
