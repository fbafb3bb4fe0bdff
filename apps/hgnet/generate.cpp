// hgnet generate: draws color-connectivity samples on a graph, or a large graph with beacons.

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "generate_beacons.hpp"
#include "generate_svg.hpp"
#include "graph_argument.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/interrupt.hpp"
#include "hgnet/data/color_connectivity.hpp"
#include "hgnet/data/color_dataset.hpp"
#include "hgnet/data/matched.hpp"
#include "hgnet/data/registry.hpp"
#include "hgnet/data/tu_writer.hpp"
#include "hgnet/settings/judge_name.hpp"
#include "hgnet/settings/reading.hpp"
#include "requests.hpp"
#include "suggest.hpp"
#include "svg.hpp"

namespace hgnet::app {
namespace {

const std::map<std::string, ColorStarts> kStarts = {{"anywhere", ColorStarts::kAnywhere},
                                                    {"nearby", ColorStarts::kNearby},
                                                    {"wrapped", ColorStarts::kWrapped},
                                                    {"fixed", ColorStarts::kFixed}};
const std::map<std::string, ColorTask> kTasks = {{"islands", ColorTask::kIslands},
                                                 {"rings", ColorTask::kRings},
                                                 {"crossing", ColorTask::kCrossing}};

constexpr const char* kBeacons = "beacons";  // a task without colourings: one large graph

std::vector<std::string> task_names() {
  std::vector<std::string> names{kBeacons};
  for (const auto& [name, task] : kTasks) names.push_back(name);
  return names;
}

template <class T>
std::vector<std::string> names_in(const std::map<std::string, T>& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

std::string starts_name(ColorStarts starts) {
  for (const auto& [name, value] : kStarts) {
    if (value == starts) return name;
  }
  return {};
}

struct GenerateArguments {
  std::string graph;
  std::string task = "islands";
  std::string starts;  // empty: as the graph and the reading need
  std::string reading = "as-written";
  ColorConnectivityOptions drawing;
  BeaconOptions beacons;
  std::string judge;  // empty: not matched
  std::string out;
  std::string name;
  std::string svg;
  std::filesystem::path root;
  bool json = false;
};

/// The graph, and the settings that follow from it.
struct Ground {
  Subject subject;
  ColorStarts starts = ColorStarts::kAnywhere;
  std::string name;
  std::string set;  // of the paper: what its name begins with, see ColorVariant; or empty
};

std::string name_of(const std::string& graph) {
  if (graph.rfind("grid:", 0) != 0 && graph.rfind("path:", 0) != 0) {
    std::string name = std::filesystem::path(graph).stem().string();
    std::replace(name.begin(), name.end(), ':', '-');
    return "cc-" + name;
  }
  const std::string kind = graph.substr(0, 4);
  const std::string size = graph.substr(5);
  const std::size_t cross = size.find('x');
  const bool square = cross != std::string::npos && size.substr(0, cross) == size.substr(cross + 1);
  return "cc-" + kind + (square ? size.substr(0, cross) : size);
}

Ground ground_of(const GenerateArguments& options) {
  const std::string& text = options.graph;
  if (const auto road = road_of(text, options.root)) {
    const std::string name = "cc-" + text.substr(0, text.find(':'));
    return {{road->graph, std::nullopt}, road->starts, name, name};
  }
  return {subject_of(text, options.root, !options.svg.empty()), ColorStarts::kAnywhere,
          name_of(text), text.starts_with("grid:") ? "cc-grid" : ""};
}

/// Where walkers start as run; throws WrongUsage where that is as written.
ColorStarts starts_as_run(const Ground& ground, const GenerateArguments& options) {
  const bool walks = options.task != "crossing";  // its strands start nowhere
  for (const ColorVariant& variant : color_variants()) {
    if (walks && ground.set == variant.sets && variant.starts) return *variant.starts;
  }
  std::string where;
  for (const ReadingEffect& effect : reading_effects_on_names()) {
    if (std::string_view(effect.where).starts_with("color-connectivity"))
      where += std::string("\n  ") + effect.where + ": " + effect.as_run;
  }
  throw WrongUsage("--reading as-run has no effect on " + (walks ? options.graph : "crossings") +
                   ". It is about" + where);
}

ColorStarts starts_of(const GenerateArguments& options, const Ground& ground) {
  if (!options.starts.empty()) return kStarts.at(options.starts);
  const bool as_run = enum_value<Reading>(options.reading) == Reading::kAsRun;
  return as_run ? starts_as_run(ground, options) : ground.starts;
}

/// Tells on stderr how far the work is, once that takes more than a moment: redrawn on a terminal,
/// else by a line now and then. Ends the work when the user does.
class SampleProgressLine {
 public:
  SampleProgressLine(const char* doing, const InterruptGuard& interrupt)
      : doing_(doing), interrupt_(interrupt) {}
  ~SampleProgressLine() {
    if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
  }
  SampleProgressLine(const SampleProgressLine&) = delete;
  SampleProgressLine& operator=(const SampleProgressLine&) = delete;

  void show(std::int64_t done, std::int64_t total) {
    if (interrupt_.requested()) throw Stopped("interrupted; nothing is kept");
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::seconds(terminal_ || !shown_ ? 1 : 10)) return;
    last_ = now;
    shown_ = true;
    std::fprintf(stderr, "%s%s: %lld%%%s", terminal_ ? "\r\033[K" : "", doing_,
                 static_cast<long long>(100 * done / total), terminal_ ? "" : "\n");
  }

 private:
  const char* doing_;
  const InterruptGuard& interrupt_;
  const bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Calls work(progress), which tells how far it is.
template <class Work>
auto with_progress(const char* doing, const Work& work) {
  const InterruptGuard interrupt;
  SampleProgressLine line(doing, interrupt);
  return work([&](std::int64_t done, std::int64_t total) { line.show(done, total); });
}

nlohmann::json to_json(const ColorConnectivity& samples, const GenerateArguments& options,
                       const std::string& name, double seconds) {
  std::vector<std::int64_t> label_counts(samples.num_classes(), 0);
  for (const int label : samples.labels) ++label_counts[label];
  std::int64_t red = 0;
  for (const std::uint64_t word : samples.red_words(0)) red += std::popcount(word);
  return {{"name", name},
          {"graph", options.graph},
          {"task", options.task},
          {"starts", starts_name(samples.options.starts)},
          {"seed", samples.options.seed},
          {"threads", samples.options.num_threads},
          {"nodes", samples.graph.num_nodes()},
          {"edges", samples.graph.num_undirected_edges()},
          {"red_nodes", red},
          {"samples", samples.num_samples()},
          {"label_counts", label_counts},
          {"attempts", samples.num_attempts},
          {"seconds", seconds},
          {"samples_per_second", static_cast<double>(samples.num_samples()) / seconds}};
}

void print_text(const nlohmann::json& report) {
  std::cout << report["name"].get<std::string>() << ": " << report["samples"] << " samples of "
            << report["nodes"] << " nodes (" << report["red_nodes"] << " red) and "
            << report["edges"] << " edges\n";
  for (std::size_t label = 0; label < report["label_counts"].size(); ++label) {
    std::cout << "label " << label << "  " << report["label_counts"][label] << "\n";
  }
  std::cout << report["attempts"] << " attempts, " << std::fixed << std::setprecision(2)
            << report["seconds"].get<double>() << " s, " << std::setprecision(0)
            << report["samples_per_second"].get<double>() << " samples/s\n";
  if (!report.contains("judge")) return;
  std::cout << "judge " << report["judge"].get<std::string>() << ": " << std::setprecision(1)
            << 100 * report["judge_accuracy"].get<double>() << " % right, after "
            << report["rounds"] << " rounds; on " << report["candidates"] << " candidates "
            << 100 * report["judge_accuracy_on_candidates"].get<double>() << " %\n";
}

/// None if samples need not be matched.
std::optional<Judge> chosen_judge(const GenerateArguments& options) {
  if (options.judge.empty()) return std::nullopt;
  JudgeName name;
  check_usage("--matched", [&] { name = judge_name(options.judge); });
  const int threads = options.drawing.num_threads;
  return name.counts_colours ? wl_judge(name.layers, threads) : model_judge(options.judge, threads);
}

/// Drawn as the paper does or, with a judge, matched. Throws InvalidGraph if the options do not fit
/// the graph.
MatchedColourings draw(const Graph& graph, const ColorConnectivityOptions& drawing,
                       const std::optional<Judge>& judge, const SampleProgress& progress) {
  if (judge) return match_colourings(graph, drawing, *judge, progress);
  MatchedColourings result;
  result.samples = generate_color_connectivity(graph, drawing, progress);
  return result;
}

void run_large_graph(const GenerateArguments& options) {
  if (!options.graph.empty() || !options.judge.empty() || !options.svg.empty() ||
      !options.starts.empty())
    throw WrongUsage(
        "--task beacons makes its own graph: --graph, --matched, --starts and --svg "
        "are for color-connectivity");
  BeaconOptions beacons = options.beacons;
  beacons.seed = options.drawing.seed;
  beacons.threads = options.drawing.num_threads;
  with_progress("writing files", [&](const SampleProgress& progress) {
    run_beacons(beacons, options.out, options.name, options.json, progress);
  });
}

void run_generate(const GenerateArguments& options) {
  if (options.task == kBeacons) return run_large_graph(options);
  if (options.graph.empty()) throw WrongUsage("--graph is required");
  const std::optional<Judge> judge = chosen_judge(options);
  const Ground ground = ground_of(options);
  ColorConnectivityOptions drawing = options.drawing;
  drawing.task = kTasks.at(options.task);
  drawing.starts = starts_of(options, ground);
  const std::string name = options.name.empty() ? ground.name : options.name;

  const auto begin = std::chrono::steady_clock::now();
  const MatchedColourings drawn =
      with_progress("drawing samples", [&](const SampleProgress& progress) {
        try {
          return draw(ground.subject.graph, drawing, judge, progress);
        } catch (const InvalidGraph& error) {
          throw WrongUsage(std::string("--graph: ") + error.what());
        }
      });
  const ColorConnectivity& samples = drawn.samples;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

  if (!options.out.empty()) {
    const std::filesystem::path folder =
        with_progress("writing files", [&](const SampleProgress& progress) {
          return write_tu(samples, options.out, name, progress);
        });
    std::cerr << "wrote " << folder.string() << "\n";
  }
  if (!options.svg.empty()) {
    write_svg(options.svg, examples_svg(samples, layout_of(ground.subject, drawing.seed), name));
    std::cerr << "wrote " << options.svg << "\n";
  }
  nlohmann::json report = to_json(samples, options, name, elapsed.count());
  if (!options.judge.empty()) {
    report["judge"] = drawn.judge;
    report["judge_accuracy"] = drawn.accuracy;
    report["judge_accuracy_on_candidates"] = drawn.accuracy_before;
    report["candidates"] = drawn.candidates;
    report["rounds"] = drawn.rounds;
  }
  if (options.json) {
    std::cout << report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  } else {
    print_text(report);
  }
}

void add_drawing_options(CLI::App& command, GenerateArguments& options) {
  ColorConnectivityOptions& drawing = options.drawing;
  command.add_option("--samples", drawing.num_samples, "Number of samples")
      ->check(at_least_one())
      ->capture_default_str();
  command.add_option("--seed", drawing.seed, "Random seed")
      ->check(not_negative())
      ->capture_default_str();
  command
      .add_option("--threads", drawing.num_threads,
                  "Number of threads; the result does not depend on it")
      ->check(up_to(kMostThreads))
      ->capture_default_str();
  command.add_option("--task", options.task, "What the label means")
      ->check(one_of(task_names()))
      ->capture_default_str();
  command
      .add_option("--matched", options.judge,
                  "Keep samples that this judge cannot tell apart: wl:ROUNDS, or a flat model with "
                  "its layers such as gin:4; wl:2 if none is named")
      ->expected(0, 1)
      ->default_str("wl:2")
      ->type_name("JUDGE");
  command
      .add_option("--starts", options.starts, "Where walkers start (default: depends on the graph)")
      ->check(one_of(names_in(kStarts)));
  command
      .add_option("--reading", options.reading,
                  "Walkers start as the paper writes, or as in its authors' program")
      ->check(one_of(names_of<Reading>()))
      ->capture_default_str()
      ->excludes("--starts");
  command
      .add_option("--islands", drawing.max_islands,
                  "Maximum number of islands, one class per number")
      ->check(CLI::Range(2, 5))
      ->capture_default_str();
  command.add_option("--min-ring", drawing.min_ring, "Nodes of the shortest ring")
      ->check(CLI::Range(3, 1 << 30))
      ->capture_default_str();
  command.add_option("--radius", drawing.radius, "Crossings: hops within which labels look alike")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command.add_option("--windows", drawing.windows, "Crossings: places that decide about the label")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  command.add_option("--palette", drawing.num_colours, "Number of colours, including red")
      ->check(CLI::Range(2, 12))
      ->capture_default_str();
  command.add_option("--noise", drawing.noise_features, "Random features per node")
      ->check(CLI::Range(0, 1 << 16))
      ->capture_default_str();
}

}  // namespace

void add_generate(CLI::App& program) {
  auto options = std::make_shared<GenerateArguments>();
  CLI::App* command = program.add_subcommand(
      "generate", "Draw color-connectivity samples on a graph, or a large graph with beacons");
  command->group(kDataGroup);
  command
      ->add_option("--graph", options->graph,
                   std::string(kGraphHelp) + ", also with their own file: euroroad:FILE")
      ->type_name("GRAPH");
  add_drawing_options(*command, *options);
  add_beacon_options(*command, options->beacons);
  command->add_option("--root", options->root, "Folder of the data sets (HGNET_DATA)")
      ->type_name("FOLDER");
  command
      ->add_option("--out", options->out,
                   "Write a folder in TU format (beacons: nodes.csv, edges.csv) below this one")
      ->type_name("FOLDER");
  command->add_option("--name", options->name, "Name of that folder and its files")
      ->type_name("NAME");
  command->add_option("--svg", options->svg, "Draw two examples of each label to this file")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  hgnet generate --graph grid:16x16 --samples 15000 --seed 1 --out data --svg examples.svg\n"
      "  hgnet generate --graph minnesota --samples 6000 --out data\n"
      "  hgnet generate --graph grid:24x24 --task rings --palette 4 --noise 8 --out data\n"
      "  hgnet generate --graph grid:32x32 --task crossing --radius 4 --samples 8000 --out data\n"
      "  hgnet generate --graph grid:16x16 --matched wl:2 --samples 15000 --threads 2 --out data\n"
      "  hgnet generate --task beacons --nodes 100000 --out data");
  command->callback([options] { run_generate(*options); });
}

}  // namespace hgnet::app
