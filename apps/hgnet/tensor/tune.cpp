// hgnet tune: searches settings, chosen by validation alone.

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "fit_results.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/interrupt.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/records/spread.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/train/tune.hpp"
#include "progress.hpp"
#include "requests.hpp"
#include "search_text.hpp"
#include "tensor/make_protocol.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;

std::vector<Settings> drawn(const TrainConfig& config, const TuneRequest& options,
                            const SearchSpace& space) {
  Generator generator(config.seed);
  return options.method == "grid" ? space.grid(config.model, options.trials)
                                  : space.draw(config.model, options.trials, generator);
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
    check_usage("--space", [&] {
      for (Trial& trial :
           make_trials(config, drawn(config, options, space), *dataset, search.folds))
        search.trials.push_back(std::move(trial));
    });
  }
  const std::int64_t epochs = protocol.configs.front().epochs;
  search.rounds = options.method == "grid" ? std::vector<SearchRound>{{epochs, 1}}
                                           : halving_rounds(search.trials.size(), epochs);
  search.check();
  return search;
}

void run_rounds(Search& search, const fs::path& out, const TuneRequest& options,
                InputStore& store) {
  const InterruptGuard interrupt;
  FitRunOptions how;
  how.command = options.invocation.command;
  how.program_begin = options.invocation.begin;
  how.told_part = "val";
  how.stop = [&] { return interrupt.requested(); };
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int threads = search.trials.front().config.threads;
  const int jobs = options.jobs > 0 ? options.jobs : std::max(1, cores / threads);
  for (std::size_t round = search.rounds_done(); round < search.rounds.size(); ++round) {
    const std::size_t fits = search.places(round).size();
    if (!options.quiet)
      std::cerr << "round " << round + 1 << " of " << search.rounds.size() << ": " << fits
                << " fits of " << search.rounds[round].epochs << " epochs\n";
    const auto sink = make_progress(static_cast<int>(fits), options.quiet);
    how.sink = sink.get();
    if (!run_round(search, round, out, jobs, store, how))
      throw Stopped(
          std::string(interrupt.requested() ? "stopped"
                                            : "another process runs a fit of this search") +
          "; everything is saved. Continue with: hgnet tune --resume " + shell_word(out.string()));
  }
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
  run_rounds(search, out, options, store);
  report(search, out, options);
}

}  // namespace hgnet::app
