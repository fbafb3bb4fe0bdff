// hgnet compare: in what runs differ, and which predicts better on their common samples.

#include <memory>

#include "commands.hpp"
#include "fit_use.hpp"
#include "requests.hpp"

namespace hgnet::app {

void add_compare(CLI::App& program) {
  auto options = std::make_shared<CompareRequest>();
  CLI::App* command = program.add_subcommand(
      "compare", "Show how runs differ: settings, scores, predictions with paired tests");
  command->group(kModelGroup);
  command
      ->add_option("runs", options->runs, "Folders of runs; the others are compared with the first")
      ->type_name("FOLDER")
      ->required()
      ->check(CLI::ExistingDirectory);
  add_fit_use(*command, options->use);
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer("Example:\n  hgnet compare runs/cora-gcn runs/cora-hgnet-edgepool");
  command->callback([options] {
    if (options->runs.size() < 2) throw WrongUsage("runs: expected two folders at least");
    run_compare(*options);
  });
}

}  // namespace hgnet::app
