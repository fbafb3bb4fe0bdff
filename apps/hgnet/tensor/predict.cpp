// hgnet predict: writes a trained model's predictions for data, labelled or not.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/settings/search.hpp"
#include "hgnet/train/predictor.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "notes.hpp"
#include "prediction_files.hpp"
#include "requests.hpp"

namespace hgnet::app {
namespace {

/// How many of the samples a fit of the run was trained on or chosen by.
std::int64_t num_used(const std::vector<FitFolder>& fits, const Dataset& dataset,
                      const PredictRequest& options) {
  std::vector<bool> used(static_cast<std::size_t>(dataset.num_samples()));
  for (const FitFolder& fit : fits) {
    TrainConfig own = fit.config();
    if (!options.use.root.empty()) own.root = options.use.root;
    Dataset matched = dataset;
    match_to_fit(matched, fit);
    const std::optional<Split> split = split_within(fit, own, fitted_data(fit, own), matched);
    if (!split) continue;
    for (const auto* part : {&split->train, &split->val}) {
      for (const std::int64_t sample : *part) used[static_cast<std::size_t>(sample)] = true;
    }
  }
  return std::count(used.begin(), used.end(), true);
}

/// Says how many were used and returns it, because the labels beside such predictions look like a
/// good score.
std::int64_t note_used(const std::vector<FitFolder>& fits, const Dataset& dataset,
                       const PredictRequest& options) {
  try {
    const std::int64_t used = num_used(fits, dataset, options);
    if (used > 0 && !options.quiet)
      std::cerr << "note: the run was trained on, or its epoch was chosen by, " << used
                << " of the " << dataset.num_samples()
                << " samples or their equals: these predictions are no test of it\n";
    return used;
  } catch (const Error&) {  // the run's data are gone; predictions need only the model
    return 0;
  }
}

}  // namespace

void run_predict(const PredictRequest& options) {
  const auto [fits, notes] = fits_to_use(options.run);
  print_notes(notes);
  TrainConfig config = fits.front().config();
  config.dataset = options.dataset;
  if (!options.use.root.empty()) config.root = options.use.root;
  if (!config.memory.empty()) return_freed_memory();
  const Predictor predictor(options.run, options.use.threads);
  const Dataset dataset = load_named(config);
  const Predictions predictions = predictor.predict(dataset, options.non_finite);
  print_notes(predictions.notes);
  if (!options.embeddings.empty())
    write_rows(predictor.embed(dataset), dataset, options.embeddings);
  const std::string csv = to_csv(predictions, dataset);
  const std::int64_t used = note_used(fits, dataset, options);
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
        {"columns", predictions.outputs}, {"training_samples", used}};
    if (!options.embeddings.empty()) result["embeddings"] = options.embeddings.string();
    std::cout << result.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
              << "\n";
  } else if (!options.quiet) {
    std::cerr << predictions.num_samples() << " predictions"
              << (predictor.num_models() > 1
                      ? ", means of " + std::to_string(predictor.num_models()) + " models,"
                      : "")
              << " written to " << options.out.string() << "\n";
  }
}

}  // namespace hgnet::app
