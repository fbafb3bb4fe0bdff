// hgnet reproduce: runs the fits of the paper's tables that are not done yet.

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "commands.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "outlook.hpp"
#include "progress.hpp"
#include "requests.hpp"
#include "suggest.hpp"
#include "train_options.hpp"

namespace hgnet::app {
namespace {

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

void run_reproduce(ReproduceRequest options) {
  PaperPlanOptions plan = options.plan;
  if (options.table != "all") plan.tables = {options.table};
  const std::vector<PlannedFit> fits = fits_of(options.shard, plan_tables(plan));
  if (fits.empty()) {
    std::cerr << "Part " << options.shard.text() << " has no fits.\n";
    return;
  }
  if (options.jobs == 0)
    options.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (!options.only_plan) return run_reproduce(options, fits);
  const Outlook outlook(fits);
  if (options.json) return print_plan_json(outlook, options.jobs);
  print_plan(outlook, options.jobs);
}

}  // namespace

void add_reproduce(CLI::App& program, const Invocation& invocation) {
  auto options = std::make_shared<ReproduceRequest>();
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
                   "The paper's table1 to table4, all (these four), or Table 1's graph "
                   "classification with the "
                   "same norm in all models: tu-batch-norm, tu-no-norm; range: all models where "
                   "local counts say nothing")
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
  add_list(*command, "--dataset", plan.datasets, "Only these data sets")->type_name("DATASET,...");
  add_list(*command, "--model", plan.models, "Only these models")->type_name("MODEL,...");
  add_list(*command, "--depth", plan.depths, "Only these numbers of layers or levels")
      ->type_name("NUMBER,...");
  CLI::Option* fold = add_list(*command, "--fold", plan.folds,
                               "Only these folds, or seeds if a table has no folds: 0,3")
                          ->type_name("NUMBER,...");
  command
      ->add_option_function<int>(
          "--folds",
          [&plan](int count) {
            plan.folds.resize(count);
            std::iota(plan.folds.begin(), plan.folds.end(), 0);
          },
          "Number of folds or seeds, starting from 0")
      ->check(CLI::Range(1, 1000))
      ->excludes(fold);
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
  command->callback([options] { run_reproduce(*options); });
}

}  // namespace hgnet::app
