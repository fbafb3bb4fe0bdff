// hgnet predict: writes a trained model's predictions for data, labelled or not.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "fit_use.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/train/predictor.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "notes.hpp"
#include "prediction_files.hpp"

namespace hgnet::app {
namespace {

struct Options {
  std::filesystem::path run;
  std::string dataset;
  FitUse use;
  std::filesystem::path out;
  std::filesystem::path embeddings;
  NonFinite non_finite = NonFinite::kRefuse;
  bool json = false;
  bool quiet = false;
};

/// How many of the samples a fit of the run was trained on or chosen by.
std::int64_t num_used(const std::vector<FitFolder>& fits, const Dataset& dataset,
                      const Options& options) {
  std::vector<bool> used(static_cast<std::size_t>(dataset.num_samples()));
  for (const FitFolder& fit : fits) {
    TrainConfig own = fit.config();
    if (!options.use.root.empty()) own.root = options.use.root;
    Dataset matched = dataset;
    match_to_fit(matched, fit);
    const std::optional<Split> split = fitted_split(fit, own, matched);
    if (!split) return 0;
    for (const auto* part : {&split->train, &split->val}) {
      for (const std::int64_t sample : *part) used[static_cast<std::size_t>(sample)] = true;
    }
  }
  return std::count(used.begin(), used.end(), true);
}

/// Says so, because the labels beside such predictions look like a good score.
void note_used(const std::vector<FitFolder>& fits, const Dataset& dataset, const Options& options) {
  try {
    const std::int64_t used = num_used(fits, dataset, options);
    if (used > 0)
      std::cerr << "note: the run was trained on, or its epoch was chosen by, " << used
                << " of the " << dataset.num_samples()
                << " samples: these predictions are no test of it\n";
  } catch (const Error&) {  // the run's data are gone; predictions need only the model
  }
}

void run(const Options& options) {
  const std::vector<FitFolder> fits = fits_in(options.run);
  TrainConfig config = fits.front().config();
  config.dataset = options.dataset;
  if (!options.use.root.empty()) config.root = options.use.root;
  const Predictor predictor(options.run, options.use.threads);
  const Dataset dataset = load_named(config);
  const Predictions predictions = predictor.predict(dataset, options.non_finite);
  print_notes(predictions.notes);
  if (!options.embeddings.empty())
    write_rows(predictor.embed(dataset), dataset, options.embeddings);
  const std::string csv = to_csv(predictions, dataset);
  if (options.out == "-") {
    std::cout << csv;
    return;
  }
  write_atomically(options.out, csv);
  if (options.json) {
    nlohmann::ordered_json result{
        {"folder", options.run.string()}, {"dataset", dataset.name},
        {"model", config.model},          {"models", predictor.num_models()},
        {"out", options.out.string()},    {"predictions", predictions.num_samples()},
        {"columns", predictions.outputs}};
    if (!options.embeddings.empty()) result["embeddings"] = options.embeddings.string();
    std::cout << result.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
              << "\n";
  } else if (!options.quiet) {
    std::cerr << predictions.num_samples() << " predictions"
              << (predictor.num_models() > 1
                      ? ", means of " + std::to_string(predictor.num_models()) + " models,"
                      : "")
              << " written to " << options.out.string() << "\n";
    note_used(fits, dataset, options);
  }
}

}  // namespace

void add_predict(CLI::App& program) {
  auto options = std::make_shared<Options>();
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
  options->use.add_to(*command);
  add_allow_nonfinite(*command, options->non_finite);
  command->add_flag("--json", options->json, "Print one JSON object about the predictions");
  command->add_flag("--quiet", options->quiet, "Print nothing");
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
    run(*options);
  });
}

}  // namespace hgnet::app
