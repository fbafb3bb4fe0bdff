// hgnet runs: lists runs with their state and score.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/error_text.hpp"
#include "hgnet/records/spread.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/settings/protocol.hpp"
#include "hgnet/settings/search.hpp"
#include "text_columns.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Options {
  fs::path folder = "runs";
  bool json = false;
};

/// A model of a run, or a search.
struct RunLine {
  std::string folder;
  std::string state;  // "done", "running", "stopped", "broken"
  std::size_t done = 0;
  std::size_t fits = 0;
  std::string model;
  std::string dataset;
  std::string metric;
  std::vector<double> scores;
  std::vector<double> baselines;
  double seconds = 0;
  bool locked = false;
  std::string error;
};

bool is_run(const fs::path& folder) {
  return fs::exists(folder / kPlanFile) || fs::exists(folder / kSearchFile) ||
         FitFolder::is_fit(folder);
}

/// Runs at the folder or below it; what is inside a run is not another one.
void find_runs(const fs::path& folder, std::vector<fs::path>& runs) {
  if (is_run(folder)) return runs.push_back(folder);
  std::vector<fs::path> inside;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) inside.push_back(entry.path());
  }
  std::sort(inside.begin(), inside.end());
  for (const fs::path& next : inside) find_runs(next, runs);
}

/// The fits that are planned for each model; where there is no plan, those that exist.
std::map<std::string, std::size_t> planned_fits(const fs::path& run,
                                                const std::vector<FitFolder>& there) {
  std::map<std::string, std::size_t> counts;
  const fs::path plan = run / kPlanFile;
  if (fs::exists(plan)) {
    const Protocol protocol = Protocol::from_json(read_whole(plan), plan.string());
    for (const PlannedFit& fit : protocol.fits(run)) ++counts[fit.config.model];
  } else {
    for (const FitFolder& fit : there) ++counts[fit.config().model];
  }
  return counts;
}

void add_fit(RunLine& line, const FitFolder& fit) {
  line.dataset = fs::path(fit.config().dataset).filename().string();
  line.metric = fit.config().metric;
  line.locked = line.locked || FitFolder::is_locked(fit.path());
  const auto record = fit.result();
  if (!record) {
    line.seconds += fit.seconds_so_far();
    return;
  }
  ++line.done;
  line.scores.push_back(record->score("test"));
  line.baselines.push_back(record->baseline_score("test"));
  if (const auto total = record->seconds.find("total"); total != record->seconds.end())
    line.seconds += total->second;
}

/// A line for each model of a run: scores of different models have no mean.
std::vector<RunLine> lines_of_plan(const fs::path& run) {
  const std::vector<FitFolder> fits = fits_in(run);
  std::vector<RunLine> lines;
  for (const auto& [model, count] : planned_fits(run, fits)) {
    RunLine& line = lines.emplace_back();
    line.folder = run.string();
    line.model = model;
    line.fits = count;
    for (const FitFolder& fit : fits) {
      if (fit.config().model == model) add_fit(line, fit);
    }
    line.state = line.locked ? "running" : line.done == line.fits ? "done" : "stopped";
  }
  return lines;
}

/// A search has one line: its trials differ in their settings, so the score is that of its choice.
RunLine line_of_search(const fs::path& run) {
  const fs::path file = run / kSearchFile;
  const Search search = Search::from_json(read_whole(file), file.string());
  const std::size_t round = search.rounds_done();
  const bool done = round == search.rounds.size();
  RunLine line;
  for (const PlannedFit& fit : search.fits(0, run)) {
    if (FitFolder::is_fit(fit.folder)) add_fit(line, FitFolder::open(fit.folder));
  }
  line.folder = run.string();
  line.state = line.locked ? "running" : done ? "done" : "stopped";
  line.done = search.scores.size();
  line.fits = search.num_fits();
  for (const Trial& trial : search.trials) {
    if (("," + line.model + ",").find("," + trial.config.model + ",") == std::string::npos)
      line.model += (line.model.empty() ? "" : ",") + trial.config.model;
  }
  line.scores.clear();
  line.baselines.clear();
  if (done) {
    line.scores = search.test_scores();
    for (const fs::path& chosen : search.chosen_folders(run)) {
      if (const auto record = FitFolder::open(chosen).result())
        line.baselines.push_back(record->baseline_score("test"));
    }
  }
  if (const auto best = search.best(); done && best) line.model = search.trials[*best].config.model;
  return line;
}

std::vector<RunLine> lines_of(const fs::path& run) {
  try {
    if (fs::exists(run / kSearchFile)) return {line_of_search(run)};
    return lines_of_plan(run);
  } catch (const std::exception& error) {
    RunLine broken;
    broken.folder = run.string();
    broken.state = "broken";
    broken.error = error_text(error);
    return {broken};
  }
}

ordered_json to_json(const RunLine& line) {
  const Summary spread = summary_of(line.scores);
  ordered_json json{{"folder", line.folder}, {"state", line.state},    {"done", line.done},
                    {"fits", line.fits},     {"model", line.model},    {"dataset", line.dataset},
                    {"metric", line.metric}, {"seconds", line.seconds}};
  json["mean"] = spread.count > 0 ? ordered_json(spread.mean) : ordered_json();
  json["std"] = spread.count > 1 ? ordered_json(spread.deviation) : ordered_json();
  const Summary baseline = summary_of(line.baselines);
  json["baseline"] = baseline.count > 0 ? ordered_json(baseline.mean) : ordered_json();
  if (!line.error.empty()) json["error"] = line.error;
  return json;
}

std::string score_of(const RunLine& line) {
  const Summary spread = summary_of(line.scores);
  if (spread.count == 0) return "-";
  return line.metric + " " + summary_text(line.metric, spread);
}

std::string baseline_of(const RunLine& line) {
  const Summary spread = summary_of(line.baselines);
  return spread.count == 0 ? "-" : score_with_unit(line.metric, spread.mean);
}

void print(const std::vector<RunLine>& lines) {
  std::vector<std::vector<std::string>> rows{
      {"run", "state", "fits", "model", "data", "test", "baseline", "seconds"}};
  for (const RunLine& line : lines) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.0f", line.seconds);
    rows.push_back({line.folder, line.state,
                    std::to_string(line.done) + "/" + std::to_string(line.fits), line.model,
                    line.dataset, score_of(line), baseline_of(line), seconds});
  }
  const std::vector<std::string> text = in_columns(rows);
  for (std::size_t r = 0; r < text.size(); ++r) {
    std::cout << text[r] << "\n";
    if (r > 0 && !lines[r - 1].error.empty()) std::cout << "  " << lines[r - 1].error << "\n";
  }
}

void run(const Options& options) {
  if (!fs::is_directory(options.folder))
    throw WrongUsage("there is no folder " + options.folder.string());
  std::vector<fs::path> runs;
  find_runs(options.folder, runs);
  std::vector<RunLine> lines;
  for (const fs::path& place : runs) {
    for (RunLine& line : lines_of(place)) lines.push_back(std::move(line));
  }
  if (options.json) {
    ordered_json all = ordered_json::array();
    for (const RunLine& line : lines) all.push_back(to_json(line));
    std::cout << ordered_json{{"runs", all}}.dump(2, ' ', false,
                                                  ordered_json::error_handler_t::replace)
              << "\n";
  } else if (lines.empty()) {
    std::cout << "no run in " << options.folder.string() << "\n";
  } else {
    print(lines);
  }
}

}  // namespace

void add_runs(CLI::App& program) {
  auto options = std::make_shared<Options>();
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
  command->callback([options] { run(*options); });
}

}  // namespace hgnet::app
