// hgnet evaluate: prints the metrics of a trained model.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "fits.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/train/inputs.hpp"
#include "hgnet/train/recalibrate.hpp"
#include "hgnet/train/threads.hpp"

namespace hgnet::app {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::filesystem::path run;
  std::string dataset;
  FitUse use;
  std::string split;
  int fold = -1;
  bool recalibrate = false;
  NonFinite non_finite = NonFinite::kRefuse;
  bool json = false;
};

/// The fit's configuration, with another data set or split if requested.
TrainConfig changed(TrainConfig config, const Options& options) {
  if (!options.dataset.empty()) config.dataset = options.dataset;
  if (!options.use.root.empty()) config.root = options.use.root;
  if (!options.dataset.empty() || !options.split.empty()) {
    config.split = options.split;
    config.fold = -1;
  }
  if (options.fold >= 0) config.fold = options.fold;
  config.threads = options.use.threads;
  return config;
}

bool any_labelled(const Dataset& dataset) {
  const auto& classes = dataset.classes;
  const auto& targets = dataset.targets;
  return std::any_of(classes.begin(), classes.end(), [](auto c) { return c != kUnlabelled; }) ||
         std::any_of(targets.begin(), targets.end(), [](float t) { return !std::isnan(t); });
}

/// Leaves out the samples whose logits are not finite; returns how many there are.
std::size_t drop_nonfinite(torch::Tensor& logits, std::vector<std::int64_t>& samples) {
  const torch::Tensor kept = logits.isfinite().all(1).nonzero().flatten();
  const std::size_t before = samples.size();
  logits = logits.index_select(0, kept);
  std::vector<std::int64_t> finite;
  for (std::int64_t i = 0; i < kept.size(0); ++i)
    finite.push_back(samples[static_cast<std::size_t>(kept[i].item<std::int64_t>())]);
  samples = std::move(finite);
  return before - samples.size();
}

ordered_json evaluate_fit(const FitFolder& fit, const Options& options) {
  TrainConfig config = changed(fit.config(), options);
  const auto dataset = dataset_for(fit, config);
  const std::vector<std::string> known = fit.columns().outputs;
  if (dataset->num_classes() > std::ssize(known))
    throw Error(dataset->name + " has the class " + dataset->class_names[known.size()] +
                ", which the model was not trained on");
  if (!any_labelled(*dataset)) throw Error(dataset->name + " has no labels to evaluate with");
  complete(config, *dataset);
  const auto model = best_of(fit);
  const FitInputs inputs(dataset, preparation_of(model->config()), options.use.threads);
  const Split split = choose_split(*dataset, config.split, config.split_seed, config.fold);
  const auto scores = [&] {
    ordered_json metrics;
    const auto add = [&](const char* part, std::vector<std::int64_t> samples) {
      torch::Tensor logits = evaluate(*model, inputs, samples, config.batch, options.non_finite);
      const std::size_t left_out = drop_nonfinite(logits, samples);
      metrics[part] = inputs.objective().metrics(logits, samples);
      metrics[part]["samples"] = samples.size();
      if (left_out > 0) metrics[part]["not_finite"] = left_out;
    };
    add("train", split.train);
    add("val", split.val);
    add("test", split.test);
    return metrics;
  };
  ordered_json result{{"folder", fit.path().string()},
                      {"dataset", dataset->name},
                      {"model", config.model},
                      {"split", config.split},
                      {"fold", config.fold},
                      {"seed", config.seed},
                      {"reading", enum_name(config.reading)},
                      {"metric", config.metric},
                      {"parameters", model->num_parameters()},
                      {"metrics", scores()}};
  if (options.recalibrate) {
    if (!has_running_statistics(*model))
      throw Error("--recalibrate has no effect: " + config.model + " of " + fit.path().string() +
                  " has no norm with running statistics");
    if (split.train.empty())
      throw Error("--recalibrate: split " + config.split + " has no training samples");
    recalibrate(*model, inputs, split.train, config.batch);
    result["recalibrated"] = scores();
  }
  return result;
}

void print_scores(const ordered_json& scores) {
  for (const auto& [part, metrics] : scores.items()) {
    std::cout << "  " << part << ":";
    char text[64];
    for (const auto& [name, value] : metrics.items()) {
      if (name == "samples" || name == "not_finite") continue;
      std::snprintf(text, sizeof text, " %s %.4f,", name.c_str(), value.get<double>());
      std::cout << text;
    }
    std::cout << " " << metrics.at("samples") << " samples";
    if (metrics.contains("not_finite"))
      std::cout << "; left out " << metrics.at("not_finite") << " whose answer is not finite";
    std::cout << "\n";
  }
}

void print(const ordered_json& result) {
  std::cout << result.at("model").get<std::string>() << " of "
            << result.at("folder").get<std::string>() << " on "
            << result.at("dataset").get<std::string>() << "\n";
  print_scores(result.at("metrics"));
  if (!result.contains("recalibrated")) return;
  std::cout << "  with running statistics recomputed over the training samples:\n";
  print_scores(result.at("recalibrated"));
}

void run(const Options& options) {
  set_threads(options.use.threads);
  ordered_json results = ordered_json::array();
  for (const FitFolder& fit : fits_in(options.run)) {
    results.push_back(evaluate_fit(fit, options));
    if (!options.json) print(results.back());
  }
  if (!options.json) return;
  const ordered_json all = results.size() == 1 ? results.front() : ordered_json{{"fits", results}};
  std::cout << all.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

}  // namespace

void add_evaluate(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("evaluate", "Print the metrics of a trained model at its best epoch");
  command->group(kModelGroup);
  command->add_option("run", options->run, "Folder of a run")
      ->type_name("FOLDER")
      ->required()
      ->check(CLI::ExistingDirectory);
  command->add_option("--dataset", options->dataset, "Data set to use instead of the run's")
      ->type_name("DATASET|FILE");
  command->add_option("--split", options->split, "Split to use instead of the run's")
      ->type_name("SPLIT|FILE");
  command->add_option("--fold", options->fold, "Test fold to use instead of the run's")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--recalibrate", options->recalibrate,
                    "Also with the norms' running statistics recomputed over the training samples");
  options->use.add_to(*command);
  add_allow_nonfinite(*command, options->non_finite);
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  hgnet evaluate runs/cora-gcn\n"
      "  hgnet evaluate runs/cora-gcn --split sanitized:2 --json\n"
      "  hgnet evaluate runs/cc-grid16-gcn --recalibrate");
  command->callback([options] { run(*options); });
}

}  // namespace hgnet::app
