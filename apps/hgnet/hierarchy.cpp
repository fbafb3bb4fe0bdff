// hgnet hierarchy: coarsens a graph and reports the levels.

#include <charconv>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "graph_argument.hpp"
#include "hgnet/coarsening/louvain.hpp"
#include "hgnet/coarsening/measures.hpp"
#include "hgnet/coarsening/methods.hpp"
#include "hierarchy_svg.hpp"
#include "stacked_svg.hpp"
#include "suggest.hpp"
#include "svg.hpp"

namespace hgnet::app {
namespace {

struct HierarchyArguments {
  std::string graph;
  std::string coarsening = "edgepool";
  std::string levels = "full";
  std::uint64_t seed = 0;
  bool json = false;
  std::string svg;
  std::filesystem::path root;
  bool stacked = false;
};

int levels_of(const std::string& text) {
  if (text == "full") return kFullDepth;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    throw CLI::ValidationError("--levels",
                               "'" + text + "' is neither a number of levels nor 'full'");
  }
  return value;
}

/// A hub merges with one neighbour per level, and levels that hardly shrink would fill the memory.
constexpr double kLeastCoarsening = 0.02;

/// Whether there are fewer levels than asked for, although there are edges left to contract.
bool ends_early(const Hierarchy& hierarchy, int max_levels) {
  const Graph& top = hierarchy.graph(hierarchy.num_levels());
  if (hierarchy.num_levels() >= max_levels) return false;
  for (NodeId v = 0; v < top.num_nodes(); ++v) {
    for (const NodeId u : top.neighbours(v)) {
      if (u != v) return true;
    }
  }
  return false;
}

/// Modularity in G_l of the communities that make up G_{l+1}, for each level but the last.
std::vector<double> modularities(const Hierarchy& hierarchy) {
  std::vector<double> result;
  for (int l = 0; l < hierarchy.num_levels(); ++l) {
    result.push_back(modularity(hierarchy.graph(l), hierarchy.parent(l)));
  }
  return result;
}

nlohmann::json to_json(const Bounds& bounds) {
  return bounds.exact() ? nlohmann::json(bounds.low)
                        : nlohmann::json{{"low", bounds.low}, {"high", bounds.high}};
}

nlohmann::json to_json(const HierarchyMeasures& report, const std::vector<double>& modularity,
                       const HierarchyArguments& options) {
  nlohmann::json levels = nlohmann::json::array();
  for (std::size_t l = 0; l < report.levels.size(); ++l) {
    const LevelMeasures& level = report.levels[l];
    levels.push_back({{"nodes", level.nodes},
                      {"edges", level.edges},
                      {"matched_fraction", level.matched_fraction}});
    if (l < modularity.size()) levels.back()["modularity"] = modularity[l];
  }
  return {{"graph", options.graph},
          {"coarsening", options.coarsening},
          {"seed", options.seed},
          {"levels", levels},
          {"total_nodes", report.total_nodes},
          {"total_edges", report.total_edges},
          {"parent_edges", report.parent_edges},
          {"longest_path", to_json(report.longest_path)},
          {"diameter", to_json(report.diameter)}};
}

std::string to_text(const Bounds& bounds) {
  if (bounds.exact()) return std::to_string(bounds.low);
  return std::to_string(bounds.low) + " to " + std::to_string(bounds.high) +
         " (bounds; the search was cut short)";
}

void print_text(const HierarchyMeasures& report, const std::vector<double>& modularity) {
  std::cout << "level       nodes       edges   matched"
            << (modularity.empty() ? "" : "  modularity") << "\n";
  for (std::size_t l = 0; l < report.levels.size(); ++l) {
    const LevelMeasures& level = report.levels[l];
    std::cout << std::setw(5) << l << std::setw(12) << level.nodes << std::setw(12) << level.edges
              << std::fixed;
    if (l + 1 < report.levels.size()) {
      std::cout << std::setw(9) << std::setprecision(1) << 100 * level.matched_fraction << "%";
    }
    if (l < modularity.size()) std::cout << std::setw(12) << std::setprecision(4) << modularity[l];
    std::cout << "\n";
  }
  const double n = std::max<double>(1, report.levels.front().nodes);
  std::cout << std::setprecision(2) << "\nnodes in all levels  " << report.total_nodes << " ("
            << static_cast<double>(report.total_nodes) / n << " times the input's)\n"
            << "edges inside levels  " << report.total_edges << "\n"
            << "longest path         " << to_text(report.longest_path);
  if (n > 2) std::cout << " (" << report.longest_path.high / std::log2(n) << " log2 N)";
  std::cout << "\ndiameter of input    " << to_text(report.diameter) << "\n";
}

void run_hierarchy(const HierarchyArguments& options) {
  const Coarsening method = enum_value<Coarsening>(options.coarsening);
  const int max_levels = levels_of(options.levels);
  const Subject subject = subject_of(options.graph, options.root, !options.svg.empty());
  const Hierarchy hierarchy = build_hierarchy(
      subject.graph, max_levels, coarsen_step(method, {.seed = options.seed}), kLeastCoarsening);
  if (ends_early(hierarchy, max_levels)) {
    std::cerr << "note: the levels end here, because the next one would be smaller by less than "
              << 100 * kLeastCoarsening << "%\n";
  }
  const HierarchyMeasures result = measure(hierarchy);
  const auto modularity =
      method == Coarsening::kLouvain ? modularities(hierarchy) : std::vector<double>();
  if (options.json) {
    std::cout << to_json(result, modularity, options).dump(2) << "\n";
  } else {
    print_text(result, modularity);
  }
  if (!options.svg.empty()) {
    const auto picture = options.stacked ? stacked_svg : hierarchy_svg;
    const std::string name = std::filesystem::path(options.graph).filename().string();
    write_svg(options.svg, picture(hierarchy, layout_of(subject, options.seed),
                                   name + ", " + options.coarsening));
    std::cerr << "wrote " << options.svg << "\n";
  }
}

}  // namespace

void add_hierarchy(CLI::App& program) {
  auto options = std::make_shared<HierarchyArguments>();
  CLI::App* command = program.add_subcommand(
      "hierarchy", "Coarsen a graph; report its levels and the longest path through them");
  command->group(kModelGroup);
  command->add_option("--graph", options->graph, kGraphHelp)->type_name("GRAPH")->required();
  command->add_option("--coarsening", options->coarsening, "How levels are made")
      ->check(one_of(graph_coarsenings()))
      ->capture_default_str();
  command
      ->add_option("--levels", options->levels,
                   "Maximum number of levels, or 'full': until nothing merges, or hardly anything")
      ->type_name("N|full")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Random seed")
      ->check(not_negative())
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->add_option("--root", options->root, "Folder of the data sets (HGNET_DATA)")
      ->type_name("FOLDER");
  CLI::Option* svg =
      command->add_option("--svg,--out", options->svg, "Draw the levels to this file")
          ->type_name("FILE");
  command
      ->add_flag("--stacked", options->stacked,
                 "Draw them above each other, with the edges to parents and the two passes")
      ->needs(svg);
  command->footer(
      "Examples:\n"
      "  hgnet hierarchy --graph grid:16x16 --svg levels.svg\n"
      "  hgnet hierarchy --graph grid:4x3 --levels 2 --svg stacked.svg --stacked\n"
      "  hgnet hierarchy --graph ENZYMES:17 --coarsening louvain --svg levels.svg\n"
      "  hgnet hierarchy --graph cora --coarsening louvain --levels 3 --json");
  command->callback([options] { run_hierarchy(*options); });
}

}  // namespace hgnet::app
