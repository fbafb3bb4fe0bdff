// hgnet tune: searches settings, chosen by validation alone.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "fit_results.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/interrupt.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/records/metrics.hpp"
#include "hgnet/records/spread.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/train/schedule.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "progress.hpp"
#include "requests.hpp"
#include "search.hpp"
#include "tensor/make_protocol.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;

/// The configuration with the settings, or none if one of them has no effect on the model here.
std::optional<TrainConfig> with_settings(TrainConfig config, const Settings& settings,
                                         const Dataset& dataset,
                                         const std::vector<std::int64_t>& folds) {
  std::string toml;
  for (const auto& [name, value] : settings) toml += name + " = " + value + "\n";
  apply_toml(config, toml, "the space of the search");
  bool has_effect = true;
  check_usage("--space", [&] {
    check(config);
    complete(config, dataset);
    if (settings.contains("init-from"))
      check_start_is_new(first_weights(config, dataset), config, dataset, folds);
    try {
      check(config.network);
    } catch (const NoEffect&) {
      has_effect = false;
    }
  });
  return has_effect ? std::optional(config) : std::nullopt;
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

std::vector<Trial> trials_of(const TrainConfig& config, const TuneRequest& options,
                             const SearchSpace& space, const Dataset& dataset,
                             const std::vector<std::int64_t>& folds) {
  Generator generator(config.seed);
  std::vector<Settings> all;
  check_usage("--space", [&] {
    all = options.method == "grid" ? space.grid(config.model, options.trials)
                                   : space.draw(config.model, options.trials, generator);
  });
  std::set<Settings> seen;
  std::vector<Trial> trials;
  for (const Settings& drawn : all) {
    const Settings settings = useful_settings(config, drawn, dataset, folds);
    if (!seen.insert(settings).second) continue;
    if (auto with = with_settings(config, settings, dataset, folds))
      trials.push_back({settings, *std::move(with)});
  }
  return trials;
}

Search plan(const TuneRequest& options, InputStore& store) {
  const Protocol protocol = make_protocol(options.choice, store);
  if (protocol.seeds.size() > 1)
    throw WrongUsage("--seeds: a search has one seed; repeat its choice with train --config");
  warn_of_splits(protocol, store);
  const SearchSpace space = options.space == "default"
                                ? SearchSpace::standard()
                                : SearchSpace::from_toml(read_whole(options.space), options.space);
  Search search;
  search.folds = protocol.folds;
  for (TrainConfig config : protocol.configs) {
    config.seed = protocol.seeds.front();
    const auto dataset = store.dataset(config);
    for (const std::int64_t fold : protocol.folds) {
      const Split split =
          choose_split(*dataset, config.split, config.split_seed, static_cast<int>(fold));
      if (split.val.empty())
        throw WrongUsage("split " + config.split + " of " + dataset->name +
                         " has no validation samples, and a search chooses by nothing else");
    }
    for (Trial& trial : trials_of(config, options, space, *dataset, search.folds))
      search.trials.push_back(std::move(trial));
  }
  const std::int64_t epochs = protocol.configs.front().epochs;
  search.rounds = options.method == "grid" ? std::vector<SearchRound>{{epochs, 1}}
                                           : halving_rounds(search.trials.size(), epochs);
  search.check();
  return search;
}

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Runs one round and adds its scores.
void run_round(Search& search, std::size_t round, const fs::path& out, const TuneRequest& options,
               InputStore& store, const InterruptGuard& interrupt) {
  const auto places = search.places(round);
  const std::vector<PlannedFit> fits = search.fits(round, out);
  if (!options.quiet)
    std::cerr << "round " << round + 1 << " of " << search.rounds.size() << ": " << fits.size()
              << " fits of " << search.rounds[round].epochs << " epochs\n";
  FitRunOptions how;
  how.command = options.invocation.command;
  how.program_begin = options.invocation.begin;
  const auto sink = make_progress(static_cast<int>(fits.size()), options.quiet);
  how.sink = sink.get();
  how.told_part = "val";
  how.stop = [&] { return interrupt.requested(); };
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int threads = search.trials.front().config.threads;
  const int jobs = options.jobs > 0 ? options.jobs : std::max(1, cores / threads);
  const std::vector<FitOutcome> outcomes = run_fits(fits, jobs, store, how);
  // Of several, run_fits has told which failed, and why.
  if (fits.size() == 1 && outcomes.front().kind == FitOutcome::Kind::kFailed)
    throw Error(fits.front().label + " failed: " + outcomes.front().error);
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const FitOutcome& outcome = outcomes[i];
    if (outcome.kind == FitOutcome::Kind::kStopped || outcome.kind == FitOutcome::Kind::kBusy)
      throw Stopped("stopped; everything is saved. Continue with: hgnet tune --resume " +
                    shell_word(out.string()));
    TrialScore score{round, places[i].first, places[i].second, {}, {}};
    if (outcome.kind == FitOutcome::Kind::kDone) {
      score.val = finite(outcome.record.score("val"));
      score.test = finite(outcome.record.score("test"));
    }
    search.scores.push_back(score);
  }
  write_atomically(out / kSearchFile, search.to_json() + "\n");
}

/// The records of the trials that each fold chooses.
std::vector<FitRecord> chosen_fits(const Search& search, const fs::path& out) {
  std::vector<FitRecord> records;
  for (const fs::path& folder : search.chosen_folders(out)) {
    if (auto record = FitFolder::open(folder).result()) records.push_back(*std::move(record));
  }
  return records;
}

void report(const Search& search, const fs::path& out, const TuneRequest& options) {
  const auto best = search.best();
  write_atomically(out / "trials.csv", to_csv(search));
  write_atomically(out / "tune.svg", to_svg(search));
  if (!best) throw Error("all trials failed; see the messages above");
  const TrainConfig& config = search.trials[*best].config;
  write_atomically(out / "best.toml", to_toml(config));
  const std::vector<double> tests = search.test_scores();
  const Summary test = summary_of(tests);
  if (options.json) {
    const nlohmann::ordered_json json{
        {"folder", out.string()},
        {"trials", search.trials.size()},
        {"metric", config.metric},
        {"best",
         {{"trial", *best}, {"model", config.model}, {"settings", search.trials[*best].settings}}},
        {"validation", summary_of(search.reached(*best).second).mean},
        {"test",
         {{"mean", test.count > 0 ? nlohmann::ordered_json(test.mean) : nlohmann::ordered_json()},
          {"std",
           test.count > 1 ? nlohmann::ordered_json(test.deviation) : nlohmann::ordered_json()},
          {"values", tests}}}};
    std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    return;
  }
  std::cout << table_text(search) << "best: trial " << *best << ", " << config.model;
  for (const auto& [name, value] : search.trials[*best].settings)
    std::cout << ", " << name << " " << value;
  std::cout << "\n";
  if (test.count > 0) {
    std::cout << "test " << config.metric << " of what "
              << (search.folds.size() > 1 ? "each fold chooses: " : "is chosen: ")
              << summary_text(config.metric, test) << " (chosen by validation alone)\n";
    print_baseline(chosen_fits(search, out));
  }
  std::cout << "Written: " << (out / "best.toml").string() << " for train --config, "
            << (out / "trials.csv").string() << ", " << (out / "tune.svg").string() << "\n";
}

fs::path free_folder(const Search& search) {
  const std::string name = "tune-" + fs::path(search.trials.front().config.dataset).stem().string();
  fs::path folder = fs::path("runs") / name;
  for (int number = 2; fs::exists(folder); ++number)
    folder = fs::path("runs") / (name + "-" + std::to_string(number));
  return folder;
}

}  // namespace

void run_tune(const TuneRequest& options) {
  const InterruptGuard interrupt;
  InputStore store;
  Search search;
  fs::path out = options.resume;
  if (!out.empty()) {
    search = Search::from_json(read_whole(out / kSearchFile), (out / kSearchFile).string());
  } else {
    search = plan(options, store);
    out = options.out.empty() ? free_folder(search) : options.out;
    if (!FitFolder::is_free(out))
      throw Error("the folder " + out.string() +
                  " is not empty; use --resume to continue, or --out to choose another folder");
    std::error_code failure;
    fs::create_directories(out, failure);
    if (failure) throw Error("cannot create the folder " + out.string() + ": " + failure.message());
    write_atomically(out / kSearchFile, search.to_json() + "\n");
  }
  for (std::size_t round = search.rounds_done(); round < search.rounds.size(); ++round)
    run_round(search, round, out, options, store, interrupt);
  report(search, out, options);
}

}  // namespace hgnet::app
