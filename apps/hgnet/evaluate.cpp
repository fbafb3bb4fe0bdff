// hgnet evaluate: prints the metrics of a trained model.

#include <memory>

#include "commands.hpp"
#include "fit_use.hpp"
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
  command
      ->add_option(kDatasetOption, options->evaluation.dataset,
                   "Data set to use instead of the run's")
      ->type_name("DATASET|FILE");
  command->add_option("--split", options->evaluation.split, "Split to use instead of the run's")
      ->type_name("SPLIT|FILE");
  command->add_option("--fold", options->evaluation.fold, "Test fold to use instead of the run's")
      ->check(not_negative());
  command->add_flag("--allow-training-samples", options->evaluation.allow_used_samples,
                    "Score samples that the model was trained on, too; the results are marked");
  command->add_flag("--recalibrate", options->evaluation.recalibrate,
                    "Also with the norms' running statistics recomputed over the training samples");
  add_fit_use(*command, options->evaluation.use);
  add_allow_nonfinite(*command, options->evaluation.non_finite);
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  hgnet evaluate runs/cora-gcn\n"
      "  hgnet evaluate runs/cora-gcn --dataset ./newer_papers --json\n"
      "  hgnet evaluate runs/cc-grid16-gcn --recalibrate");
  command->callback([options] { run_evaluate(*options); });
}

}  // namespace hgnet::app
