// hgnet reproduce: runs the fits of the paper's tables that are not done yet.

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "commands.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/interrupt.hpp"
#include "hgnet/data/registry.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/claims.hpp"
#include "hgnet/paper/plan.hpp"
#include "hgnet/report/writers.hpp"
#include "hgnet/train/schedule.hpp"
#include "outlook.hpp"
#include "progress.hpp"
#include "shard.hpp"
#include "suggest.hpp"
#include "train_options.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string table;
  PaperPlanOptions plan;
  Shard shard;
  int jobs = 0;
  bool only_plan = false;
  bool json = false;
  bool quiet = false;
  Invocation invocation;
};

/// Adds to the message of each finished fit how much is left.
class OutlookProgress : public ProgressSink {
 public:
  OutlookProgress(ProgressSink& to, Outlook outlook, int jobs)
      : to_(to), outlook_(std::move(outlook)), jobs_(jobs) {}

  void update(int fit, const FitProgress& progress) override {
    begin(fit);
    to_.update(fit, progress);
  }
  void epoch(int fit, const FitProgress& progress) override {
    begin(fit);
    to_.epoch(fit, progress);
  }
  void finished(int fit, const FitProgress& progress, const std::string& summary) override {
    begin(fit);  // a fit that lacks only its result gets here at once
    const std::string left = count(fit);
    to_.finished(fit, progress, summary + "; " + left);
  }
  void message(const std::string& line) override { to_.message(line); }
  void failure(const std::string& line) override { to_.failure(line); }

 private:
  using Clock = std::chrono::steady_clock;

  void begin(int fit) {
    const std::lock_guard lock(mutex_);
    begun_.try_emplace(fit, Clock::now());
  }

  std::string count(int fit) {
    const std::lock_guard lock(mutex_);
    outlook_.count(outlook_.left().at(fit),
                   std::chrono::duration<double>(Clock::now() - begun_.at(fit)).count());
    return outlook_.text(jobs_);
  }

  ProgressSink& to_;
  Outlook outlook_;
  int jobs_;
  std::mutex mutex_;
  std::map<int, Clock::time_point> begun_;
};

void print_plan(const Outlook& outlook, int jobs) {
  for (const Outlook::Kind& kind : outlook.kinds()) {
    std::cout << kind.name << ": " << kind.done << " of " << kind.fits << " fits done";
    if (kind.done > 0) std::cout << ", " << duration_text(kind.seconds / kind.done) << " each";
    std::cout << "\n";
  }
  std::cout << outlook.text(jobs) << "\n";
}

void print_plan_json(const Outlook& outlook, int jobs) {
  nlohmann::ordered_json kinds = nlohmann::ordered_json::array();
  for (const Outlook::Kind& kind : outlook.kinds()) {
    kinds.push_back({{"name", kind.name}, {"fits", kind.fits}, {"done", kind.done}});
    if (kind.done > 0) kinds.back()["seconds_each"] = kind.seconds / kind.done;
  }
  const nlohmann::ordered_json plan{{"fits", outlook.fits()},
                                    {"done", outlook.done()},
                                    {"jobs", jobs},
                                    {"kinds", kinds},
                                    {"seconds_left", outlook.seconds_left() / jobs},
                                    {"kinds_estimated", outlook.kinds_estimated()}};
  std::cout << plan.dump(2) << "\n";
}

/// Writes the tables of all records below the folder to that folder.
void write_tables(const Options& options) {
  const std::vector<fs::path> places{options.plan.out};
  const Results results = paper_results(read_records(places));
  const std::vector<ResultTable> tables = result_tables(results);
  const std::vector<Claim> claims = check_result_claims(results);
  const fs::path file = options.plan.out / "tables.md";
  write_atomically(file, to_markdown(tables, claims, "The paper's tables"));
  if (options.json) {
    std::cout << to_json(results, tables, claims) << "\n";
  } else {
    std::cout << "Tables: " << file.string() << "\nThe whole report: hgnet report "
              << options.plan.out.string() << "\n";
  }
}

/// How to fetch the data sets that are not on this machine, if any.
std::string fetch_hint(const std::vector<PlannedFit>& fits) {
  const std::string& chosen = fits.front().config.root;
  const fs::path root = chosen.empty() ? default_data_root() : fs::path(chosen);
  std::set<std::string> missing;
  for (const PlannedFit& fit : fits) {
    const KnownDataset& known = known_dataset(fit.config.dataset);
    if (!on_disk(known, root)) missing.insert(known.name);
  }
  if (missing.empty()) return "";
  std::string names;
  for (const std::string& name : missing) names += " " + name;
  return ". To get the missing data sets: hgnet download" + names + " --root " +
         shell_word(root.string());
}

void run(const Options& options) {
  PaperPlanOptions plan = options.plan;
  if (options.table != "all") plan.tables = {options.table};
  const std::vector<PlannedFit> fits = fits_of(options.shard, plan_tables(plan));
  if (fits.empty()) {
    std::cerr << "Part " << options.shard.text() << " has no fits.\n";
    return;
  }
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int jobs = options.jobs > 0 ? options.jobs : cores;
  const Outlook outlook(fits);
  if (options.only_plan && options.json) return print_plan_json(outlook, jobs);
  if (options.only_plan) return print_plan(outlook, jobs);

  const InterruptGuard interrupt;
  const auto screen = make_progress(static_cast<int>(outlook.left().size()), options.quiet);
  screen->message(outlook.text(jobs));
  OutlookProgress sink(*screen, outlook, jobs);
  FitRunOptions how;
  how.checkpoint_seconds = 30;
  how.command = options.invocation.command;
  how.program_begin = options.invocation.begin;
  how.sink = &sink;
  how.stop = [&] { return interrupt.requested(); };
  InputStore store;
  const std::vector<FitOutcome> outcomes = run_fits(outlook.left(), jobs, store, how);
  const auto count = [&](FitOutcome::Kind kind) {
    return static_cast<int>(
        std::count_if(outcomes.begin(), outcomes.end(),
                      [&](const FitOutcome& outcome) { return outcome.kind == kind; }));
  };
  const int failed = count(FitOutcome::Kind::kFailed);
  const int stopped = count(FitOutcome::Kind::kStopped);
  const int busy = count(FitOutcome::Kind::kBusy);
  if (outlook.done() + count(FitOutcome::Kind::kDone) > 0) write_tables(options);
  if (busy > 0) sink.message("another process is running " + std::to_string(busy) + " of the fits");
  if (stopped > 0)
    throw Stopped("stopped with " + std::to_string(stopped) +
                  " fits left; everything is saved. Run the same command to continue");
  if (failed > 0 && outcomes.size() == 1)  // run_fits leaves reporting a single fit to its caller
    throw Error("1 fit failed: " + outcomes.front().error + fetch_hint(fits));
  if (failed > 0)
    throw Error(std::to_string(failed) + " fits failed; see above" + fetch_hint(fits));
}

}  // namespace

void add_reproduce(CLI::App& program, const Invocation& invocation) {
  auto options = std::make_shared<Options>();
  options->invocation = invocation;
  PaperPlanOptions& plan = options->plan;
  plan.out = "reproduction";
  CLI::App* command = program.add_subcommand(
      "reproduce", "Run the fits of the paper's tables that are not done yet");
  command->group(kModelGroup);
  std::vector<std::string> tables;
  for (const PaperTable& table : paper_tables()) tables.push_back(table.layout.id);
  tables.emplace_back("all");
  command
      ->add_option("table", options->table,
                   "table1 to table4, all (these four), or Table 1's graph classification with the "
                   "same norm in all models: tu-batch-norm, tu-no-norm; range: all models where "
                   "local counts "
                   "say nothing")
      ->required()
      ->check(one_of(tables));
  command->add_flag("--quick", plan.quick,
                    "A small version: 2 seeds or folds, few epochs; marked as quick");
  command
      ->add_option_function<std::string>(
          "--reading",
          [options](const std::string& name) { options->plan.reading = enum_value<Reading>(name); },
          "As the paper is written (default), or as its authors' program runs; see train --help")
      ->check(one_of({"as-written", "as-run"}));
  add_list(*command, "--dataset", plan.datasets, "Only these data sets")->type_name("DATASET");
  add_list(*command, "--model", plan.models, "Only these models")->type_name("MODEL");
  add_list(*command, "--depth", plan.depths, "Only these numbers of layers or levels");
  add_list(*command, "--fold", plan.folds, "Only these folds, or seeds if a table has no folds");
  command->add_option("--epochs", plan.epochs, "Number of epochs (default: the paper's)")
      ->check(at_least_one());
  command->add_option("--jobs", options->jobs, "Fits at the same time (default: one per core)")
      ->check(up_to(kMostThreads));
  add_shard(*command, options->shard);
  command->add_option("--root", plan.root, "Folder of the data sets (HGNET_DATA)")
      ->type_name("FOLDER");
  command->add_option("--out", plan.out, "Folder of the run")
      ->type_name("FOLDER")
      ->capture_default_str();
  command->add_flag("--plan", options->only_plan, "Only show what is done and what is left");
  command->add_flag("--json", options->json, "Print tables and claims as one JSON object");
  command->add_flag("--quiet", options->quiet, "Do not show progress");
  command->footer(
      "Examples:\n"
      "  hgnet reproduce table1 --quick\n"
      "  hgnet reproduce table2 --dataset cora --model gcn,hgnet-edgepool\n"
      "  hgnet reproduce all --shard 3/8\n"
      "  hgnet reproduce all --plan");
  command->callback([options] { run(*options); });
}

}  // namespace hgnet::app
