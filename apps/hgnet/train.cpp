// hgnet train: fits a model, over several seeds and folds if requested.

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "commands.hpp"
#include "fit_results.hpp"
#include "help.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/interrupt.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/train/data_use.hpp"
#include "hgnet/train/fit_folder.hpp"
#include "hgnet/train/schedule.hpp"
#include "hgnet/train/split_warnings.hpp"
#include "models.hpp"
#include "notes.hpp"
#include "progress.hpp"
#include "train_choice.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlan = "plan.json";

struct Options {
  TrainChoice choice;
  int jobs = 0;
  double checkpoint_seconds = 10;
  fs::path out;
  fs::path resume;
  bool json = false;
  bool quiet = false;
  Invocation invocation;
};

/// runs/cora-gcn, or the same with the first free number added.
fs::path free_folder(const std::vector<TrainConfig>& configs) {
  std::string name = fs::path(configs.front().dataset).stem().string();
  for (const TrainConfig& config : configs) name += "-" + config.model;
  fs::path folder = fs::path("runs") / name;
  for (int number = 2; fs::exists(folder); ++number)
    folder = fs::path("runs") / (name + "-" + std::to_string(number));
  return folder;
}

/// The record without its curves, but with the folder.
std::string result_json(FitRecord record, const fs::path& out) {
  record.curve.clear();
  record.other["folder"] =
      nlohmann::json(out.string()).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
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
    throw Error(std::to_string(failed) + " of " + std::to_string(fits.size()) +
                " fits failed; run hgnet train --resume " + shell_word(out.string()) +
                " to try them again");
  if (count(FitOutcome::Kind::kStopped) > 0)
    throw Stopped("stopped; everything is saved. Continue with: hgnet train --resume " +
                  shell_word(out.string()));
}

Protocol resumed(const fs::path& folder) {
  const fs::path plan = folder / kPlan;
  if (fs::exists(plan)) return Protocol::from_json(read_whole(plan), plan.string());
  Protocol protocol;
  const TrainConfig& config = protocol.configs.emplace_back(FitFolder::open(folder).config());
  protocol.seeds = {config.seed};
  protocol.folds = {config.fold};
  if (!config.memory.empty()) return_freed_memory();
  return protocol;
}

/// The run's protocol with the settings that may change: more epochs, another patience.
Protocol prolonged(Protocol protocol, const TrainOptions& changes) {
  for (TrainConfig& config : protocol.configs) {
    const std::int64_t epochs = config.epochs;
    changes.apply(config);
    if (config.epochs < epochs || (!changes.given().empty() && config.epochs == epochs))
      throw WrongUsage("--epochs: the run has " + std::to_string(epochs) +
                       " epochs; to go on, it needs more");
    try {
      check(config);
    } catch (const Error& error) {
      throw WrongUsage(error.what());
    }
  }
  return protocol;
}

/// Rejects options that would change the settings of a resumed run.
void check_resume(const CLI::App& command) {
  static const std::set<std::string> kGoWithIt{"--resume", "--jobs",     "--checkpoint-seconds",
                                               "--json",   "--quiet",    "--help",
                                               "--epochs", "--patience", "--max-hours"};
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() > 0 && kGoWithIt.count(option->get_name()) == 0)
      throw WrongUsage(option->get_name() +
                       " cannot be combined with --resume: the run keeps its settings");
  }
}

/// Tells what makes the scores doubtful, before they cost any time.
void warn(const Protocol& protocol, InputStore& store) {
  const TrainConfig& config = protocol.configs.front();  // all have the same data and split
  const auto dataset = store.dataset(config);
  std::vector<Split> splits;
  for (const std::int64_t fold : protocol.folds)
    splits.push_back(
        choose_split(*dataset, config.split, config.split_seed, static_cast<int>(fold)));
  for (const std::string& warning : split_warnings(*dataset, splits))
    std::cerr << "warning: " << warning << "\n";
}

/// What readers and models leave out of the data, each once.
void print_data_notes(const std::vector<TrainConfig>& configs, InputStore& store) {
  std::vector<std::string> notes = store.dataset(configs.front())->notes;
  for (const TrainConfig& config : configs) {
    for (const std::string& note : ignored_by(config.network, *store.dataset(config))) {
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
    }
  }
  print_notes(notes);
}

void run(const Options& options) {
  const InterruptGuard interrupt;
  InputStore store;
  const bool resuming = !options.resume.empty();
  const bool longer = resuming && !options.choice.train.given().empty();
  const Protocol protocol = resuming ? prolonged(resumed(options.resume), options.choice.train)
                                     : make_protocol(options.choice, store);
  const fs::path out = resuming              ? options.resume
                       : options.out.empty() ? free_folder(protocol.configs)
                                             : options.out;
  std::vector<PlannedFit> fits = protocol.fits(out);
  for (PlannedFit& fit : fits) fit.go_on = longer;
  if (!options.quiet) print_data_notes(protocol.configs, store);
  if (!resuming && !FitFolder::is_free(out))
    throw Error("the folder " + out.string() +
                " is not empty; use --resume to continue a run, or --out to choose another folder");
  if ((!resuming || longer) && fits.size() > 1) {
    std::error_code failure;
    fs::create_directories(out, failure);
    if (failure) throw Error("cannot create the folder " + out.string() + ": " + failure.message());
    write_atomically(out / kPlan, protocol.to_json() + "\n");
  }
  if (!resuming) warn(protocol, store);
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

}  // namespace

void add_train(CLI::App& program, const Invocation& invocation) {
  auto options = std::make_shared<Options>();
  options->invocation = invocation;
  CLI::App* command = program.add_subcommand("train", "Train a model on a data set");
  command->group(kModelGroup);
  options->choice.add_to(*command);
  command->add_option("--jobs", options->jobs, "Fits at the same time (default: one per core)")
      ->check(up_to(kMostThreads))
      ->group("Protocol");
  command->add_option("--out", options->out, "Folder of the run (default: runs/DATASET-MODEL)")
      ->type_name("FOLDER")
      ->group("Run");
  command
      ->add_option("--resume", options->resume,
                   "Continue the run in this folder; with --epochs, a finished one, too")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory)
      ->group("Run");
  command
      ->add_option("--checkpoint-seconds", options->checkpoint_seconds,
                   "Minimum time between checkpoints")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group("Run");
  command->add_flag("--json", options->json, "Print one JSON object instead of text")->group("Run");
  command->add_flag("--quiet", options->quiet, "Do not show progress")->group("Run");
  std::string models;
  for (const std::string& name : model_names()) models += (models.empty() ? "" : ", ") + name;
  command->footer(
      "Models ('hgnet models' tells more):\n  " + wrapped(models, 100, 2) + "\n\nDefaults of " +
      kDefaultModel + " in each preset ('hgnet models " + kDefaultModel + "' shows all):\n" +
      defaults_table(kDefaultModel, {"epochs", "batch", "lr", "weight-decay", "hidden", "levels",
                                     "norm", "dropout"}) +
      "\nExamples:\n"
      "  hgnet train --dataset cora\n"
      "  hgnet train --dataset ENZYMES --model gin --folds 10 --jobs 2\n"
      "  hgnet train --dataset cora --model gcn --preset kipf --seeds 10\n"
      "  hgnet train --dataset ./my_graphs --model gcn,gin,hgnet-edgepool\n"
      "  hgnet train --dataset ./my_graph --model hgnet --coarsening louvain --levels 2 --out run\n"
      "  hgnet train --resume run\n"
      "  hgnet train --resume run --epochs 400\n"
      "  hgnet train --dataset ./more_graphs --init-from run --lr 0.0001");
  command->callback([options, command] {
    if (!options->resume.empty()) check_resume(*command);
    run(*options);
  });
}

}  // namespace hgnet::app
