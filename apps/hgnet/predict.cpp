// hgnet predict: writes a trained model's predictions for data, labelled or not.

#include <memory>

#include "commands.hpp"
#include "fit_use.hpp"
#include "requests.hpp"

namespace hgnet::app {

void add_predict(CLI::App& program) {
  auto options = std::make_shared<PredictRequest>();
  CLI::App* command =
      program.add_subcommand("predict", "Write a trained model's predictions for data");
  command->group(kModelGroup);
  command
      ->add_option(
          "run", options->run,
          "Folder of a run; with several seeds or folds, the mean of their models predicts")
      ->type_name("FOLDER")
      ->required()
      ->check(CLI::ExistingDirectory);
  command->add_option(kDatasetOption, options->dataset, "Name or path of the data set")
      ->type_name("DATASET|FILE")
      ->required();
  command->add_option("--out", options->out, "CSV file, one line per node or graph; - for stdout")
      ->type_name("FILE")
      ->required();
  command->add_option("--embeddings", options->embeddings,
                      "File for the nodes' rows before the readout: .npy or .csv");
  add_fit_use(*command, options->use);
  add_allow_nonfinite(*command, options->non_finite);
  command->add_flag("--json", options->json, "Print one JSON object about the predictions");
  command->add_flag("--quiet", options->quiet, "Do not show progress");
  command->footer(
      "Examples:\n"
      "  hgnet predict runs/cora-gcn --dataset cora --out predictions.csv\n"
      "  hgnet predict run --dataset ./my_graphs --out predictions.csv --embeddings rows.npy");
  command->callback([options] {
    if (options->json && options->out == "-")
      throw WrongUsage("--json and --out -: both would go to stdout");
    const std::string kind = options->embeddings.extension().string();
    if (!options->embeddings.empty() && kind != ".npy" && kind != ".csv")
      throw WrongUsage("--embeddings " + options->embeddings.string() +
                       ": expected a name that ends in .npy or .csv");
    run_predict(*options);
  });
}

}  // namespace hgnet::app
