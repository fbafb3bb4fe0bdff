// hgnet train: fits a model, over several seeds and folds if requested.

#include <algorithm>
#include <iostream>
#include <optional>
#include <thread>

#include "fit_results.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error_text.hpp"
#include "hgnet/core/interrupt.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/ranks/ranks.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/train/data_use.hpp"
#include "hgnet/train/schedule.hpp"
#include "notes.hpp"
#include "progress.hpp"
#include "requests.hpp"
#include "tensor/make_protocol.hpp"
#include "workers.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;

/// runs/cora-gcn, or the same with the first free number added.
fs::path free_folder(const std::vector<TrainConfig>& configs) {
  std::string name = fs::path(configs.front().dataset).stem().string();
  for (const TrainConfig& config : configs) name += "-" + config.model;
  fs::path folder = fs::path("runs") / name;
  for (int number = 2; fs::exists(folder); ++number)
    folder = fs::path("runs") / (name + "-" + std::to_string(number));
  return folder;
}

void report(const TrainRequest& options, const std::vector<FitOutcome>& outcomes,
            const std::vector<std::string>& models, const fs::path& out) {
  const std::vector<RunSummary> parts = summaries(outcomes, models);
  const bool single = outcomes.size() == 1;
  // Of all fits, if these are a part: a resumed run writes it once all are there.
  if (!single && options.shard.is_all())
    write_atomically(out / "summary.json", to_json(parts) + "\n");
  if (options.json) {
    std::cout << (single ? to_json(outcomes.front().record, out.string())
                         : to_json(parts, out.string()))
              << "\n";
    return;
  }
  for (const RunSummary& part : parts) print_summary(part);
  if (!options.quiet) std::cout << "Run folder: " << out.string() << "\n";
}

/// `out` is empty on a rank that does not lead: the folder is elsewhere.
void fail_if_any(const std::vector<FitOutcome>& outcomes, const std::vector<PlannedFit>& fits,
                 const fs::path& out) {
  const std::string resume = out.empty() ? "rank 0's command with --resume and its run folder"
                                         : "hgnet train --resume " + shell_word(out.string());
  const auto count = [&](FitOutcome::Kind kind) {
    return std::count_if(outcomes.begin(), outcomes.end(),
                         [&](const FitOutcome& outcome) { return outcome.kind == kind; });
  };
  const auto failed = count(FitOutcome::Kind::kFailed) + count(FitOutcome::Kind::kBusy);
  if (failed > 0 && fits.size() == 1) throw Error(outcomes.front().error);
  if (failed > 0)
    throw Error(std::to_string(failed) + " of " + std::to_string(fits.size()) +
                " fits failed; run " + resume + " to try them again");
  if (count(FitOutcome::Kind::kStopped) > 0)
    throw Stopped("stopped; everything is saved. Continue with: " + resume);
}

/// Of the run in the folder, which only the rank that leads has.
Protocol resumed(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw WrongUsage((fs::exists(folder) ? "--resume: expected a folder, not the file "
                                         : "--resume: there is no folder ") +
                     folder.string());
  const fs::path plan = folder / kPlanFile;
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
    if (config.epochs < epochs)
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

/// Throws Error, with what differs, unless all ranks were asked for the same fits.
void check_same(const Protocol& own, const Ranks& ranks) {
  const std::vector<std::string> all = ranks.of_all(own.to_json());
  const Protocol first = Protocol::from_json(all.front(), "rank 0");
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    const Protocol other = Protocol::from_json(all[rank], "rank " + std::to_string(rank));
    std::string difference;
    if (other.seeds != first.seeds || other.folds != first.folds ||
        other.configs.size() != first.configs.size())
      difference = "models, seeds or folds";
    for (std::size_t i = 0; difference.empty() && i < first.configs.size(); ++i)
      difference = first_difference(first.configs[i], other.configs[i], kOfMachine);
    if (!difference.empty())
      throw Error("rank 0 and rank " + std::to_string(rank) +
                  " were given different settings: " + difference);
  }
}

/// Throws Error unless all ranks begin a run or all resume one, before they exchange more.
void check_same_beginning(const TrainRequest& options, const Ranks& ranks) {
  const std::string with = " was started with --resume";
  const std::string without = " without it";
  const std::vector<std::string> all = ranks.of_all(options.resume.empty() ? without : with);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] != all[0])
      throw Error("rank " + std::to_string(all[0] == with ? 0 : rank) + with + ", rank " +
                  std::to_string(all[0] == with ? rank : 0) + without);
  }
}

/// The same on all ranks; only the first needs the folder of a run that is resumed.
Protocol agreed_protocol(const TrainRequest& options, InputStore& store, const Ranks& ranks) {
  check_same_beginning(options, ranks);
  if (options.resume.empty()) {
    Protocol protocol = make_protocol(options.choice, store);
    if (!ranks.is_alone()) {
      ranks.meet();  // all have read the data by then, however long that takes
      check_same(protocol, ranks);
    }
    return protocol;
  }
  const std::string first = ranks.of_first(
      ranks.leads() ? prolonged(resumed(options.resume), options.choice.train).to_json() : "");
  return Protocol::from_json(first, (options.resume / kPlanFile).string());
}

/// The folder of the run, ready for its fits.
fs::path open_run(const TrainRequest& options, const Protocol& protocol) {
  const bool resuming = !options.resume.empty();
  const fs::path out = resuming              ? options.resume
                       : options.out.empty() ? free_folder(protocol.configs)
                                             : options.out;
  const bool of_parts = !options.shard.is_all() && fs::exists(out / kPlanFile);
  if (of_parts && read_whole(out / kPlanFile) != protocol.to_json() + "\n")
    throw Error("the folder " + out.string() + " holds parts of another run");
  if (!resuming && !of_parts && !FitFolder::is_free(out))
    throw Error("the folder " + out.string() +
                " is not empty; use --resume to continue a run, or --out to choose another folder");
  if ((!resuming || options.prolongs()) && protocol.fits(out).size() > 1) {
    std::error_code failure;
    fs::create_directories(out, failure);
    if (failure) throw Error("cannot create the folder " + out.string() + ": " + failure.message());
    write_atomically(out / kPlanFile, protocol.to_json() + "\n");
  }
  return out;
}

/// Puts the plan of a run back that was to be prolonged, if all its fits have refused.
void restore_plan(const fs::path& out, const std::string& plan,
                  const std::vector<PlannedFit>& fits) {
  const bool went_on = std::any_of(fits.begin(), fits.end(), [](const PlannedFit& fit) {
    return FitFolder::is_fit(fit.folder) &&
           FitFolder::open(fit.folder).config().epochs == fit.config.epochs;
  });
  if (!went_on) write_atomically(out / kPlanFile, plan);
}

std::vector<FitOutcome> run_all(const TrainRequest& options, const std::vector<PlannedFit>& fits,
                                InputStore& store, const Ranks& ranks) {
  const InterruptGuard interrupt;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int jobs =
      options.jobs > 0 ? options.jobs : std::max(1, cores / fits.front().config.threads);
  FitRunOptions how;
  how.checkpoint_seconds = options.checkpoint_seconds;
  how.command = options.invocation.command;
  how.program_begin = options.invocation.begin;
  const auto sink =
      ranks.leads() ? make_progress(static_cast<int>(fits.size()), options.quiet) : nullptr;
  how.sink = sink.get();
  how.stop = [&] { return interrupt.requested(); };
  how.ranks = &ranks;
  ranks.meet();  // the first may have read the data of a run that is resumed, for its notes
  return run_fits(fits, jobs, store, how);
}

/// Before processes are started that have nothing to do.
void check_can_share(const TrainRequest& options, InputStore& store) {
  const Protocol protocol =
      options.resume.empty() ? make_protocol(options.choice, store) : resumed(options.resume);
  const TrainConfig& config = protocol.configs.front();  // all have the same data
  if (store.dataset(config)->task == Task::kNode)
    throw WrongUsage("--workers: the samples of " + config.dataset +
                     " are nodes of one graph, which processes cannot share; use --threads, or "
                     "--jobs for several fits");
}

void train(const TrainRequest& options, InputStore& store, const Ranks& ranks) {
  const Protocol protocol = agreed_protocol(options, store, ranks);
  if (!ranks.leads()) {
    const std::vector<PlannedFit> fits = protocol.fits({});
    return fail_if_any(run_all(options, fits, store, ranks), fits, {});
  }
  if (!options.quiet) print_data_notes(protocol.configs, store);
  const fs::path plan = options.resume / kPlanFile;
  const std::string before = options.prolongs() && fs::exists(plan) ? read_whole(plan) : "";
  const fs::path out = open_run(options, protocol);
  std::vector<PlannedFit> fits = fits_of(options.shard, protocol.fits(out));
  if (fits.empty()) {
    std::cerr << "Part " << options.shard.text() << " has no fits.\n";
    return;
  }
  for (PlannedFit& fit : fits) fit.go_on = !options.resume.empty();
  if (options.resume.empty()) warn_of_splits(protocol, store);
  const std::vector<FitOutcome> outcomes = run_all(options, fits, store, ranks);
  if (!before.empty()) restore_plan(out, before, fits);
  const bool any = std::any_of(outcomes.begin(), outcomes.end(), [](const FitOutcome& outcome) {
    return outcome.kind == FitOutcome::Kind::kDone;
  });
  std::vector<std::string> models;
  for (const TrainConfig& config : protocol.configs) models.push_back(config.model);
  if (any) report(options, outcomes, models, out);
  fail_if_any(outcomes, fits, out);
}

/// How this process trains with others, if it does: as its starter says, or as the first of
/// `workers`.
Launch chosen_launch(const TrainRequest& options, Workers& workers) {
  const std::optional<Launch> told = launch_from(environment());
  if (told && options.workers > 0)
    throw WrongUsage(
        "--workers: this process is already one of " + std::to_string(told->size) +
        " ranks, as its environment says (RANK, OMPI_COMM_WORLD_RANK or SLURM_PROCID)");
  Launch launch = told.value_or(Launch());
  launch.timeout = options.rank_timeout;
  if (options.workers > 1) {
    launch.size = launch.local_size = options.workers;
    launch.port = 0;
    launch.listening = [&](std::uint16_t port) { workers.start(port); };
    launch.given_up = [&] { return workers.one_has_ended(); };
  }
  if (launch.size > 1 && !options.shard.is_all())
    throw WrongUsage("--shard: parts are for processes that run alone");
  if (launch.size > 1 && options.jobs > 1)
    throw WrongUsage("--jobs: several processes run one fit after the other, each together");
  return launch;
}

}  // namespace

void run_train(const TrainRequest& options) {
  InputStore store;
  if (options.workers > 1) check_can_share(options, store);
  Workers workers(options.workers, options.invocation.arguments);
  const Ranks ranks(chosen_launch(options, workers));
  try {
    train(options, store, ranks);
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    ranks.report(error_text(error));
    throw;
  }
}

}  // namespace hgnet::app
