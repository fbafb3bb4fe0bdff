#include "hgnet/train/tune.hpp"

#include <cmath>
#include <set>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/train/schedule.hpp"
#include "hgnet/train/trained_fit.hpp"

namespace hgnet {
namespace {

/// The configuration with the settings, or none if one of them has no effect on the model here.
std::optional<TrainConfig> with_settings(TrainConfig config, const Settings& settings,
                                         const Dataset& dataset,
                                         const std::vector<std::int64_t>& folds) {
  std::string toml;
  for (const auto& [name, value] : settings) toml += name + " = " + value + "\n";
  apply_toml(config, toml, "the space of the search");
  check(config);
  complete(config, dataset);
  if (settings.contains("init-from"))
    check_start_is_new(first_weights(config, dataset), config, dataset, folds);
  try {
    check(config.network);
  } catch (const NoEffect&) {
    return std::nullopt;
  }
  return config;
}

/// Leaves out settings that have no effect on the model, alone.
Settings useful_settings(const TrainConfig& config, const Settings& settings,
                         const Dataset& dataset, const std::vector<std::int64_t>& folds) {
  Settings useful;
  for (const auto& [name, value] : settings) {
    if (with_settings(config, {{name, value}}, dataset, folds)) useful[name] = value;
  }
  return useful;
}

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

std::vector<Trial> make_trials(const TrainConfig& config, const std::vector<Settings>& drawn,
                               const Dataset& dataset, const std::vector<std::int64_t>& folds) {
  std::set<Settings> seen;
  std::vector<Trial> trials;
  for (const Settings& all : drawn) {
    const Settings settings = useful_settings(config, all, dataset, folds);
    if (!seen.insert(settings).second) continue;
    if (auto with = with_settings(config, settings, dataset, folds))
      trials.push_back({settings, *std::move(with)});
  }
  return trials;
}

bool run_round(Search& search, std::size_t round, const std::filesystem::path& out, int jobs,
               InputStore& store, const FitRunOptions& options) {
  const auto places = search.places(round);
  const std::vector<PlannedFit> fits = search.fits(round, out);
  const std::vector<FitOutcome> outcomes = run_fits(fits, jobs, store, options);
  if (fits.size() == 1 && outcomes.front().kind == FitOutcome::Kind::kFailed)
    throw Error(fits.front().label + " failed: " + outcomes.front().error);
  std::vector<TrialScore> scores;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const FitOutcome& outcome = outcomes[i];
    if (outcome.kind == FitOutcome::Kind::kStopped || outcome.kind == FitOutcome::Kind::kBusy)
      return false;
    TrialScore score{round, places[i].first, places[i].second, {}, {}};
    if (outcome.kind == FitOutcome::Kind::kDone) {
      score.val = finite(outcome.record.score("val"));
      score.test = finite(outcome.record.score("test"));
    }
    scores.push_back(score);
  }
  search.scores.insert(search.scores.end(), scores.begin(), scores.end());
  write_atomically(out / kSearchFile, search.to_json() + "\n");
  return true;
}

}  // namespace hgnet
