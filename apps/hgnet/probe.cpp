// hgnet probe: measures how far a trained model looks.

#include <memory>

#include "commands.hpp"
#include "fit_use.hpp"
#include "requests.hpp"

namespace hgnet::app {

void add_probe(CLI::App& program) {
  auto options = std::make_shared<ProbeRequest>();
  CLI::App* command = program.add_subcommand(
      "probe", "Measure how a trained model's rows depend on distant inputs");
  command->group(kModelGroup);
  command->add_option("runs", options->runs, "Folders of runs; each fit gets a probe.jsonl")
      ->type_name("FOLDER")
      ->required()
      ->check(CLI::ExistingDirectory);
  command->add_option("--graphs", options->graphs, "Test graphs to measure on")
      ->check(at_least_one())
      ->capture_default_str();
  command->add_option("--rows", options->rows, "Nodes per graph whose rows are measured")
      ->check(at_least_one())
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the choice of graphs and nodes")
      ->capture_default_str();
  add_fit_use(*command, options->use);
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  hgnet probe runs/cc-grid16-gcn runs/cc-grid16-hgnet-edgepool\n"
      "  hgnet report runs      draws the curves");
  command->callback([options] { run_probe(*options); });
}

}  // namespace hgnet::app
