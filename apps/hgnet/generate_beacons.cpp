// hgnet generate --task beacons: one large graph whose nodes have the labels.

#include "generate_beacons.hpp"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.hpp"

namespace hgnet::app {

void add_beacon_options(CLI::App& command, BeaconOptions& options) {
  command.add_option("--nodes", options.num_nodes, "Beacons: nodes of the graph")
      ->check(at_least_one())
      ->capture_default_str();
  command.add_option("--community", options.community, "Beacons: nodes of a community, about")
      ->check(at_least_one())
      ->capture_default_str();
  command.add_option("--degree", options.degree, "Beacons: edges of a node, about; even")
      ->check(at_least_one())
      ->capture_default_str();
  command.add_option("--mixing", options.mixing, "Beacons: share of edges that lead anywhere")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
}

void run_beacons(const BeaconOptions& options, const std::string& out, std::string name, bool json,
                 const SampleProgress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  const Beacons beacons = generate_beacons(options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (name.empty()) name = "beacons-" + std::to_string(options.num_nodes);
  if (!out.empty())
    std::cerr << "wrote " << write_beacons(beacons, out, name, progress).string() << "\n";
  const std::int64_t shown = std::count_if(beacons.colour.begin(), beacons.colour.end(),
                                           [](std::int8_t colour) { return colour != 0; });
  const nlohmann::json report{{"name", name},
                              {"task", "beacons"},
                              {"seed", options.seed},
                              {"nodes", beacons.graph.num_nodes()},
                              {"edges", beacons.graph.num_undirected_edges()},
                              {"communities", beacons.num_communities()},
                              {"beacons", shown},
                              {"seconds", elapsed.count()}};
  if (json) {
    std::cout << report.dump(2) << "\n";
    return;
  }
  std::cout << name << ": " << report["nodes"] << " nodes in " << report["communities"]
            << " communities, " << report["edges"] << " edges, " << shown << " beacons, "
            << std::fixed << std::setprecision(2) << elapsed.count() << " s\n";
}

}  // namespace hgnet::app
