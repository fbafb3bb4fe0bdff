// hgnet evaluate: prints the metrics of a trained model.

#include <memory>

#include "commands.hpp"
#include "requests.hpp"

namespace hgnet::app {

void add_evaluate(CLI::App& program) {
  auto options = std::make_shared<EvaluateRequest>();
  CLI::App* command =
      program.add_subcommand("evaluate", "Print the metrics of a trained model at its best epoch");
  command->group(kModelGroup);
  command->add_option("run", options->run, "Folder of a run")
      ->type_name("FOLDER")
      ->required()
      ->check(CLI::ExistingDirectory);
  command->add_option(kDatasetOption, options->dataset, "Data set to use instead of the run's")
      ->type_name("DATASET|FILE");
  command->add_option("--split", options->split, "Split to use instead of the run's")
      ->type_name("SPLIT|FILE");
  command->add_option("--fold", options->fold, "Test fold to use instead of the run's")
      ->check(not_negative());
  command->add_flag("--allow-training-samples", options->allow_training_samples,
                    "Score samples that the model was trained on, too; the results are marked");
  command->add_flag("--recalibrate", options->recalibrate,
                    "Also with the norms' running statistics recomputed over the training samples");
  options->use.add_to(*command);
  add_allow_nonfinite(*command, options->non_finite);
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  hgnet evaluate runs/cora-gcn\n"
      "  hgnet evaluate runs/cora-gcn --dataset ./newer_papers --json\n"
      "  hgnet evaluate runs/cc-grid16-gcn --recalibrate");
  command->callback([options] { run_evaluate(*options); });
}

}  // namespace hgnet::app
