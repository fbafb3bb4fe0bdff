// hgnet runs: lists runs with their state and score.

#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "hgnet/records/metrics.hpp"
#include "hgnet/records/spread.hpp"
#include "hgnet/settings/listed_runs.hpp"
#include "text_columns.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct RunsArguments {
  fs::path folder = "runs";
  bool json = false;
};

ordered_json to_json(const ListedRun& run) {
  const Summary spread = summary_of(run.scores);
  ordered_json json{{"folder", run.folder.string()},
                    {"state", enum_name(run.state)},
                    {"done", run.done},
                    {"fits", run.fits},
                    {"model", run.model},
                    {"dataset", run.dataset},
                    {"metric", run.metric},
                    {"seconds", run.seconds}};
  json["mean"] = spread.count > 0 ? ordered_json(spread.mean) : ordered_json();
  json["std"] = spread.count > 1 ? ordered_json(spread.deviation) : ordered_json();
  const Summary baseline = summary_of(run.baselines);
  json["baseline"] = baseline.count > 0 ? ordered_json(baseline.mean) : ordered_json();
  if (!run.error.empty()) json["error"] = run.error;
  return json;
}

std::string score_of(const ListedRun& run) {
  const Summary spread = summary_of(run.scores);
  if (spread.count == 0) return "-";
  return run.metric + " " + summary_text(run.metric, spread);
}

std::string baseline_of(const ListedRun& run) {
  const Summary spread = summary_of(run.baselines);
  return spread.count == 0 ? "-" : score_with_unit(run.metric, spread.mean);
}

void print(const std::vector<ListedRun>& runs) {
  std::vector<std::vector<std::string>> rows{
      {"run", "state", "fits", "model", "data", "test", "baseline", "seconds"}};
  for (const ListedRun& run : runs) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.0f", run.seconds);
    rows.push_back({run.folder.string(), std::string(enum_name(run.state)),
                    std::to_string(run.done) + "/" + std::to_string(run.fits), run.model,
                    run.dataset, score_of(run), baseline_of(run), seconds});
  }
  const std::vector<std::string> text = in_columns(rows);
  for (std::size_t r = 0; r < text.size(); ++r) {
    std::cout << text[r] << "\n";
    if (r > 0 && !runs[r - 1].error.empty()) std::cout << "  " << runs[r - 1].error << "\n";
  }
}

void run_runs(const RunsArguments& options) {
  if (!fs::is_directory(options.folder))
    throw WrongUsage("there is no folder " + options.folder.string());
  const std::vector<ListedRun> runs = list_runs(options.folder);
  if (options.json) {
    ordered_json all = ordered_json::array();
    for (const ListedRun& run : runs) all.push_back(to_json(run));
    std::cout << ordered_json{{"runs", all}}.dump(2, ' ', false,
                                                  ordered_json::error_handler_t::replace)
              << "\n";
  } else if (runs.empty()) {
    std::cout << "no run in " << options.folder.string() << "\n";
  } else {
    print(runs);
  }
}

}  // namespace

void add_runs(CLI::App& program) {
  auto options = std::make_shared<RunsArguments>();
  CLI::App* command = program.add_subcommand("runs", "List runs: state, model, data, score, time");
  command->group(kModelGroup);
  command->add_option("folder", options->folder, "Folder to look in")
      ->type_name("FOLDER")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  hgnet runs\n"
      "  hgnet runs search --json");
  command->callback([options] { run_runs(*options); });
}

}  // namespace hgnet::app
