// hgnet train: fits a model, over seeds and folds if asked.

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>
#include <thread>

#include "commands.hpp"
#include "fit_results.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/interrupt.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/models/model.hpp"
#include "hgnet/train/fit_folder.hpp"
#include "hgnet/train/schedule.hpp"
#include "progress.hpp"
#include "protocol.hpp"
#include "suggest.hpp"
#include "train_options.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;
constexpr const char* kPlan = "plan.json";

struct Options {
  TrainOptions train;
  std::string preset;
  fs::path config_file;
  std::vector<std::string> models;
  std::vector<std::uint64_t> seeds;
  std::vector<std::int64_t> folds;
  int seed_count = 0;
  int fold_count = 0;
  int jobs = 0;
  double checkpoint_seconds = 10;
  fs::path out;
  fs::path resume;
  bool json = false;
  bool quiet = false;
  Invocation invocation;
};

/// Built-in defaults of the model, then the preset, then the file, then the command line.
std::vector<TrainConfig> effective_configs(const Options& options, InputStore& store) {
  TrainConfig named;  // enough to find the data set and the models
  const std::string name = options.config_file.string();
  const std::string file = name.empty() ? "" : read_whole(options.config_file);
  if (!file.empty()) {
    named.model = model_in_toml(file, name).value_or(named.model);
    apply_toml(named, file, name);
  }
  options.train.apply(named);
  if (named.dataset.empty()) throw CLI::RequiredError("--dataset");
  const auto dataset = store.dataset(named);

  // Of several models each takes the settings that it has; one that none has is wrong.
  const auto useful = [&](TrainConfig config) {
    try {
      complete(config, *dataset);
      check(config.network);
    } catch (const NoEffect&) {
      return false;
    } catch (const Error&) {  // shows once all settings are in
    }
    return true;
  };
  std::set<std::string> used;
  std::vector<TrainConfig> configs;
  for (const std::string& model :
       options.models.empty() ? std::vector{named.model} : options.models) {
    TrainConfig& config = configs.emplace_back();
    config.model = model;
    config.network = model_defaults(model);
    apply_preset(config, options.preset.empty() ? preset_for(*dataset) : options.preset);
    if (!file.empty()) apply_toml(config, file, name);
    if (options.models.size() > 1) {
      options.train.apply_useful(config, useful, used);
    } else {
      options.train.apply(config);
    }
    config.model = model;
    if (fs::exists(config.dataset)) config.dataset = fs::absolute(config.dataset).string();
    if (!config.root.empty()) config.root = fs::absolute(config.root).string();
  }
  for (const std::string& option : options.train.given()) {
    if (options.models.size() > 1 && used.count(option) == 0)
      throw WrongUsage(option + " has no effect on any of the models");
  }
  return configs;
}

/// Settings out of range, or that no model can be made of, are wrong usage.
void check_usage(const TrainConfig& config) {
  try {
    check(config);
    check(config.network);
  } catch (const Error& error) {
    throw WrongUsage(config.model + ": " + error.what());
  }
}

void check_folds(const std::vector<std::int64_t>& folds, const TrainConfig& config,
                 const Dataset& dataset) {
  const int there = num_folds(dataset, config.split);
  for (const std::int64_t fold : folds) {
    if (fold >= there)
      throw WrongUsage("fold " + std::to_string(fold) + " of split " + config.split +
                       "; expected 0 to " + std::to_string(there - 1));
  }
}

template <class T>
void check_once(const std::string& option, std::vector<T> values) {
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice == values.end()) return;
  std::ostringstream text;
  text << option << ": " << *twice << " is there twice";
  throw WrongUsage(text.str());
}

/// Those that are listed, else the first `count`.
template <class T>
std::vector<T> chosen(const std::vector<T>& listed, int count) {
  if (!listed.empty()) return listed;
  std::vector<T> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), T{0});
  return numbers;
}

Protocol make_protocol(const Options& options, InputStore& store) {
  constexpr int kFolds = 10;
  check_once("--model", options.models);
  check_once("--seed", options.seeds);
  check_once("--fold", options.folds);
  Protocol protocol;
  protocol.configs = effective_configs(options, store);
  protocol.seeds = chosen(options.seeds, options.seed_count);
  protocol.folds = chosen(options.folds, options.fold_count);
  for (TrainConfig& config : protocol.configs) {
    if (!protocol.folds.empty() && config.split.empty())
      config.split =
          "folds:" + std::to_string(options.fold_count > 0 ? options.fold_count : kFolds);
    complete(config, *store.dataset(config));
    check_usage(config);
  }
  const TrainConfig& first = protocol.configs.front();
  if (protocol.seeds.empty()) protocol.seeds = {first.seed};
  if (protocol.folds.empty()) protocol.folds = {first.fold};
  for (const TrainConfig& config : protocol.configs)
    check_folds(protocol.folds, config, *store.dataset(config));
  return protocol;
}

/// runs/cora-gcn, or with the first number behind it that is free.
fs::path free_folder(const std::vector<TrainConfig>& configs) {
  std::string name = fs::path(configs.front().dataset).stem().string();
  for (const TrainConfig& config : configs) name += "-" + config.model;
  fs::path folder = fs::path("runs") / name;
  for (int number = 2; fs::exists(folder); ++number)
    folder = fs::path("runs") / (name + "-" + std::to_string(number));
  return folder;
}

/// The record without its curves, and with the folder.
std::string result_json(FitRecord record, const fs::path& out) {
  record.curve.clear();
  record.other["folder"] = nlohmann::json(out.string()).dump();
  return to_json(record);
}

void report(const Options& options, const std::vector<FitOutcome>& outcomes,
            const std::vector<std::string>& models, const fs::path& out) {
  const std::vector<RunSummary> parts = summaries(outcomes, models);
  const bool single = outcomes.size() == 1;
  if (!single) write_atomically(out / "summary.json", to_json(parts) + "\n");
  if (options.json) {
    std::cout << (single ? result_json(outcomes.front().record, out) : to_json(parts, out.string()))
              << "\n";
    return;
  }
  for (const RunSummary& part : parts) print_summary(part);
  if (!options.quiet) std::cout << "Run folder: " << out.string() << "\n";
}

void fail_if_any(const std::vector<FitOutcome>& outcomes, const std::vector<PlannedFit>& fits,
                 const fs::path& out) {
  const auto count = [&](FitOutcome::Kind kind) {
    return std::count_if(outcomes.begin(), outcomes.end(),
                         [&](const FitOutcome& outcome) { return outcome.kind == kind; });
  };
  const auto failed = count(FitOutcome::Kind::kFailed) + count(FitOutcome::Kind::kBusy);
  if (failed > 0 && fits.size() == 1) throw Error(outcomes.front().error);
  if (failed > 0)
    throw Failed(std::to_string(failed) + " of " + std::to_string(fits.size()) +
                 " fits failed; hgnet train --resume " + shell_word(out.string()) +
                 " tries them again");
  if (count(FitOutcome::Kind::kStopped) > 0)
    throw Failed("stopped; everything is saved. Go on with: hgnet train --resume " +
                 shell_word(out.string()));
}

Protocol resumed(const fs::path& folder) {
  if (fs::exists(folder / kPlan)) return Protocol::from_json(folder / kPlan);
  Protocol protocol;
  const TrainConfig& config = protocol.configs.emplace_back(FitFolder::open(folder).config());
  protocol.seeds = {config.seed};
  protocol.folds = {config.fold};
  return protocol;
}

/// A run keeps its settings.
void check_resume(const CLI::App& command) {
  static const std::set<std::string> kGoWithIt{"--resume", "--jobs",  "--checkpoint-seconds",
                                               "--json",   "--quiet", "--help"};
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() > 0 && kGoWithIt.count(option->get_name()) == 0)
      throw WrongUsage(option->get_name() +
                       " does not go with --resume: the run keeps its settings");
  }
}

void run(const Options& options) {
  const InterruptGuard interrupt;
  InputStore store;
  const bool resuming = !options.resume.empty();
  const Protocol protocol = resuming ? resumed(options.resume) : make_protocol(options, store);
  const fs::path out = resuming              ? options.resume
                       : options.out.empty() ? free_folder(protocol.configs)
                                             : options.out;
  const std::vector<PlannedFit> fits = protocol.fits(out);
  if (!resuming && fs::exists(out) && !fs::is_empty(out))
    throw Error("the folder " + out.string() +
                " is not empty; --resume goes on with a run, --out names another folder");
  if (!resuming && fits.size() > 1) {
    std::error_code failure;
    fs::create_directories(out, failure);
    if (failure) throw Error("cannot make the folder " + out.string() + ": " + failure.message());
    write_atomically(out / kPlan, protocol.to_json() + "\n");
  }
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int jobs =
      options.jobs > 0 ? options.jobs : std::max(1, cores / protocol.configs.front().threads);
  FitRunOptions how;
  how.checkpoint_seconds = options.checkpoint_seconds;
  how.command = options.invocation.command;
  how.program_begin = options.invocation.begin;
  const auto sink = make_progress(static_cast<int>(fits.size()), options.quiet);
  how.sink = sink.get();
  how.stop = [&] { return interrupt.requested(); };
  const std::vector<FitOutcome> outcomes = run_fits(fits, jobs, store, how);
  const bool any = std::any_of(outcomes.begin(), outcomes.end(), [](const FitOutcome& outcome) {
    return outcome.kind == FitOutcome::Kind::kDone;
  });
  std::vector<std::string> models;
  for (const TrainConfig& config : protocol.configs) models.push_back(config.model);
  if (any) report(options, outcomes, models, out);
  fail_if_any(outcomes, fits, out);
}

/// What the fits of a run differ in.
void add_repeats(CLI::App& command, Options& options) {
  constexpr int kMost = 100'000;
  CLI::Option* model =
      add_list(command, "--model", options.models, "The model, or several: one fit for each")
          ->type_name("MODEL")
          ->transform(model_name());
  CLI::Option* seed = add_list(command, "--seed", options.seeds,
                               "Seed of weights, dropout and order of samples, or several: 0,3")
                          ->check(not_negative());
  CLI::Option* seeds =
      command.add_option("--seeds", options.seed_count, "How many seeds, from 0 on")
          ->check(CLI::Range(1, kMost))
          ->excludes(seed);
  CLI::Option* fold =
      add_list(command, "--fold", options.folds, "The fold that tests, or several: 0,3")
          ->check(not_negative());
  CLI::Option* folds =
      command.add_option("--folds", options.fold_count, "How many folds, from 0 on")
          ->check(CLI::Range(1, kMost))
          ->excludes(fold);
  for (CLI::Option* option : {model, seed, seeds, fold, folds}) option->group("Protocol");
}

}  // namespace

void add_train(CLI::App& program, const Invocation& invocation) {
  auto options = std::make_shared<Options>();
  options->invocation = invocation;
  CLI::App* command = program.add_subcommand("train", "Train a model on a data set");
  command->group(kModelGroup);
  options->train.add_to(*command);
  command
      ->add_option("--preset", options->preset, "Settings of configs/ (default: by the data set)")
      ->check(one_of(preset_names()))
      ->group("Protocol");
  command
      ->add_option("--config", options->config_file,
                   "A TOML file with settings, such as a run's config.toml")
      ->check(CLI::ExistingFile)
      ->group("Protocol");
  add_repeats(*command, *options);
  command->add_option("--jobs", options->jobs, "Fits side by side (default: one for each core)")
      ->check(at_least_one())
      ->group("Protocol");
  command->add_option("--out", options->out, "Folder of the run (default: runs/DATASET-MODEL)")
      ->type_name("FOLDER")
      ->group("Run");
  command->add_option("--resume", options->resume, "Go on with the run in this folder")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory)
      ->group("Run");
  command
      ->add_option("--checkpoint-seconds", options->checkpoint_seconds,
                   "Least time between two checkpoints")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group("Run");
  command->add_flag("--json", options->json, "Print one JSON object instead of text")->group("Run");
  command->add_flag("--quiet", options->quiet, "No progress")->group("Run");
  command->footer(
      "Examples:\n"
      "  hgnet train --dataset cora --model hgnet-edgepool\n"
      "  hgnet train --dataset ENZYMES --model gin --folds 10 --jobs 2\n"
      "  hgnet train --dataset cora --model gcn --preset kipf --seeds 10\n"
      "  hgnet train --dataset ./my_graphs --model gcn,gin,hgnet-edgepool\n"
      "  hgnet train --dataset ./my_graph --model hgnet --coarsening louvain --levels 2 --out run\n"
      "  hgnet train --resume run");
  command->callback([options, command] {
    if (!options->resume.empty()) check_resume(*command);
    run(*options);
  });
}

}  // namespace hgnet::app
