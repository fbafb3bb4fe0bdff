// hgnet tune: searches settings, chosen by validation alone.

#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "requests.hpp"
#include "suggest.hpp"
#include "train_options.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;

constexpr int kMostTrials = 10'000;

}  // namespace

void add_tune(CLI::App& program, const Invocation& invocation) {
  auto options = std::make_shared<TuneRequest>();
  options->invocation = invocation;
  CLI::App* command = program.add_subcommand("tune", "Search settings, chosen by validation alone");
  command->group(kModelGroup);
  options->choice.add_to(*command);
  command
      ->add_option("--space", options->space,
                   "TOML file with the values to try: lr = [0.01, 0.001], or lr = {min = 1e-4, max "
                   "= 1e-2, log = true}; or default")
      ->type_name("FILE|default")
      ->check(CLI::Validator(
          [](const std::string& name) {
            return name == "default" || fs::is_regular_file(name) ? std::string()
                                                                  : "File does not exist: " + name;
          },
          ""))
      ->capture_default_str()
      ->group("Search");
  command->add_option("--trials", options->trials, "Trials of each model; a grid may have no more")
      ->check(up_to(kMostTrials))
      ->capture_default_str()
      ->group("Search");
  command
      ->add_option("--method", options->method,
                   "halving: more epochs for fewer trials, round by round; grid: all combinations")
      ->check(one_of({"halving", "grid"}))
      ->capture_default_str()
      ->group("Search");
  command->add_option("--jobs", options->jobs, "Fits at the same time (default: one per core)")
      ->check(up_to(kMostThreads))
      ->group("Search");
  command->add_option("--out", options->out, "Folder of the search (default: runs/tune-DATASET)")
      ->type_name("FOLDER")
      ->group("Run");
  command->add_option("--resume", options->resume, "Continue the search in this folder")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory)
      ->group("Run");
  command->add_flag("--json", options->json, "Print one JSON object instead of text")->group("Run");
  command->add_flag("--quiet", options->quiet, "Do not show progress")->group("Run");
  command->footer(
      "Examples:\n"
      "  hgnet tune --dataset ./my_graph --model gcn,hgnet-edgepool\n"
      "  hgnet tune --dataset ENZYMES --model gin --folds 10 --trials 27 --out search\n"
      "  hgnet tune --dataset cora --model gcn --space space.toml --method grid\n"
      "  hgnet train --config search/best.toml --seeds 10");
  command->callback([options, command] {
    if (!options->resume.empty()) check_resume(*command, {}, "the search keeps its plan");
    run_tune(*options);
  });
}

}  // namespace hgnet::app
