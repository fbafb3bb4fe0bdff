// hgnet selfcheck: compares every kernel, forward and backward, with its naive form on this

#include <memory>

#include "commands.hpp"
#include "requests.hpp"

namespace hgnet::app {

void add_selfcheck(CLI::App& program) {
  auto options = std::make_shared<SelfcheckRequest>();
  CLI::App* command = program.add_subcommand(
      "selfcheck", "Check every kernel and its gradient against a naive form on this machine");
  command->group(kToolGroup);
  command->add_option("--seed", options->seed, "Seed of the random graph and inputs")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Number of threads")
      ->check(up_to(kMostThreads))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer("Example:\n  hgnet selfcheck --threads 2");
  command->callback([options] { run_selfcheck(*options); });
}

}  // namespace hgnet::app
