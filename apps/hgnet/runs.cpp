// hgnet runs: lists runs with their state and score.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/records/spread.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "protocol.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Options {
  fs::path folder = "runs";
  bool json = false;
};

struct RunLine {
  std::string folder;
  std::string state;  // "done", "running", "stopped", "broken"
  std::size_t done = 0;
  std::size_t fits = 0;
  std::string model;
  std::string dataset;
  std::string metric;
  std::vector<double> scores;
  double seconds = 0;
  std::string error;
};

bool is_run(const fs::path& folder) {
  return fs::exists(folder / "plan.json") || fs::exists(folder / "tune.json") ||
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

std::size_t planned_fits(const fs::path& run, std::size_t there) {
  const fs::path plan = run / "plan.json";
  if (!fs::exists(plan)) return there;
  return Protocol::from_json(read_whole(plan), plan.string()).fits(run).size();
}

void read_run(RunLine& line, const fs::path& run) {
  bool locked = false;
  const std::vector<FitFolder> fits = fits_in(run);
  line.fits = planned_fits(run, fits.size());
  for (const FitFolder& fit : fits) {
    if (line.model.find(fit.config().model) == std::string::npos)
      line.model += (line.model.empty() ? "" : ",") + fit.config().model;
    line.dataset = fs::path(fit.config().dataset).filename().string();
    line.metric = fit.config().metric;
    locked = locked || FitFolder::is_locked(fit.path());
    const auto record = fit.result();
    if (!record) continue;
    ++line.done;
    line.scores.push_back(record->score("test"));
    if (const auto total = record->seconds.find("total"); total != record->seconds.end())
      line.seconds += total->second;
  }
  line.state = locked ? "running" : line.done == line.fits ? "done" : "stopped";
}

RunLine line_of(const fs::path& run) {
  RunLine line;
  line.folder = run.string();
  try {
    read_run(line, run);
  } catch (const std::exception& error) {
    line.state = "broken";
    line.error = error.what();
  }
  return line;
}

ordered_json to_json(const RunLine& line) {
  const Summary spread = summary_of(line.scores);
  ordered_json json{{"folder", line.folder}, {"state", line.state},    {"done", line.done},
                    {"fits", line.fits},     {"model", line.model},    {"dataset", line.dataset},
                    {"metric", line.metric}, {"seconds", line.seconds}};
  json["mean"] = spread.count > 0 ? ordered_json(spread.mean) : ordered_json();
  json["std"] = spread.count > 1 ? ordered_json(spread.deviation) : ordered_json();
  if (!line.error.empty()) json["error"] = line.error;
  return json;
}

std::string score_of(const RunLine& line) {
  const Summary spread = summary_of(line.scores);
  if (spread.count == 0) return "-";
  std::string text = line.metric + " " + score_with_unit(line.metric, spread.mean);
  if (spread.count > 1) text += " +- " + score_with_unit(line.metric, spread.deviation);
  return text;
}

void print(const std::vector<RunLine>& lines) {
  std::vector<std::vector<std::string>> rows{
      {"run", "state", "fits", "model", "data", "test", "seconds"}};
  for (const RunLine& line : lines) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.0f", line.seconds);
    rows.push_back({line.folder, line.state,
                    std::to_string(line.done) + "/" + std::to_string(line.fits), line.model,
                    line.dataset, score_of(line), seconds});
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      std::size_t width = 0;
      for (const auto& row : rows) width = std::max(width, row[c].size());
      std::cout << (c == 0 ? "" : "  ") << rows[r][c];
      if (c + 1 < rows[r].size()) std::cout << std::string(width - rows[r][c].size(), ' ');
    }
    std::cout << "\n";
    if (r > 0 && !lines[r - 1].error.empty()) std::cout << "  " << lines[r - 1].error << "\n";
  }
}

void run(const Options& options) {
  if (!fs::is_directory(options.folder))
    throw Error("there is no folder " + options.folder.string());
  std::vector<fs::path> runs;
  find_runs(options.folder, runs);
  std::vector<RunLine> lines;
  for (const fs::path& place : runs) lines.push_back(line_of(place));
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
