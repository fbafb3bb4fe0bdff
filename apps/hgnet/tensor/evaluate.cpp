// hgnet evaluate: prints the metrics of a trained model.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "class_table.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/records/metrics.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/settings/memory_plan.hpp"
#include "hgnet/settings/search.hpp"
#include "hgnet/train/data_use.hpp"
#include "hgnet/train/inputs.hpp"
#include "hgnet/train/recalibrate.hpp"
#include "hgnet/train/threads.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "notes.hpp"
#include "requests.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// What was measured of one fit.
struct Evaluated {
  FitFolder fit;
  ordered_json result = {};
  std::optional<ClassTable> test_classes = {};
  std::int64_t trained = 0;  // of the test samples
};

/// The fit's configuration, with another data set or split if requested.
TrainConfig changed(TrainConfig config, const EvaluateRequest& options) {
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

/// What the fit has learnt from.
struct Learnt {
  std::optional<Split> split;  // as samples of the data set that is scored; none if none is there
  torch::Tensor baseline;      // undefined if the fit's data cannot be read
};

Learnt learnt_by(const FitFolder& fit, const EvaluateRequest& options, const Dataset& dataset) {
  TrainConfig own = fit.config();
  if (!options.use.root.empty()) own.root = options.use.root;
  if (options.dataset.empty() && own.init_from.empty()) {
    const Split split = choose_split(dataset, own.split, own.split_seed, own.fold);
    return {split, Objective(dataset).constant_row(split.train)};
  }
  try {
    const FittedData fitted = fitted_data(fit, own);
    Learnt learnt{split_within(fit, own, fitted, dataset), {}};
    if (fitted.dataset.num_classes() == dataset.num_classes())
      learnt.baseline = Objective(fitted.dataset).constant_row(fitted.split.train);
    return learnt;
  } catch (const Error& error) {
    std::cerr << "note: the data set of the run cannot be read, so this cannot tell whether the "
                 "model was trained on samples of "
              << dataset.name << ": " << error.what() << "\n";
    return {};
  }
}

/// Another data set that comes without a split is a test as a whole, unless it is the run's own.
void choose_split_of_other(TrainConfig& config, const FitFolder& fit,
                           const EvaluateRequest& options, const Dataset& dataset) {
  const bool asked = !options.split.empty() || options.fold >= 0;
  if (options.dataset.empty() || asked || !dataset.splits.empty()) return;
  const TrainConfig& own = fit.config();
  std::error_code ignored;
  const bool same =
      own.dataset == options.dataset || fs::equivalent(own.dataset, options.dataset, ignored);
  config.split = same ? own.split : "random:0,0,1";
  config.fold = same ? own.fold : -1;
}

/// Throws WrongUsage if the scores would be of samples that the fit has used.
UsedSamples check_unused(const std::optional<Split>& own, const Split& scored,
                         const EvaluateRequest& options) {
  if (!own) return {};
  const UsedSamples used = used_samples(*own, scored);
  if (options.allow_training_samples || used.val + used.test == 0) return used;
  const bool test = used.test > 0;
  throw WrongUsage("the model was trained on, or its epoch was chosen by, " +
                   std::to_string(test ? used.test : used.val) + " of the " +
                   std::to_string(test ? scored.test.size() : scored.val.size()) +
                   (test ? " test" : " validation") + " samples" +
                   (options.dataset.empty() ? " of this split" : " or their equals") +
                   ", so their score says nothing about new samples; --allow-training-samples "
                   "shows it, marked as such");
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

/// None for numbers.
std::optional<ClassTable> class_table(const std::vector<std::string>& names,
                                      const Objective& objective, const torch::Tensor& logits,
                                      const std::vector<std::int64_t>& samples) {
  switch (objective.kind()) {
    case TargetKind::kClasses:
      return ClassTable{names, {objective.confusion(logits, samples)}, false};
    case TargetKind::kMultiLabel:
      return ClassTable{names, objective.label_confusions(logits, samples), true};
    case TargetKind::kRegression: break;
  }
  return std::nullopt;
}

Evaluated evaluate_fit(const FitFolder& fit, const EvaluateRequest& options) {
  TrainConfig config = changed(fit.config(), options);
  if (!config.memory.empty()) return_freed_memory();
  const auto dataset = dataset_for(fit, config);
  print_notes(dataset->notes);
  const std::vector<std::string> known = fit.columns().outputs;
  if (dataset->num_classes() > std::ssize(known))
    throw Mismatch(dataset->name + " has the class " + dataset->class_names[known.size()] +
                   ", which the model was not trained on");
  if (!any_labelled(*dataset)) throw Error(dataset->name + " has no labels to evaluate with");
  choose_split_of_other(config, fit, options, *dataset);
  check_usage(fit.path().string(), [&] { complete(config, *dataset); });
  const Split split = choose_split(*dataset, config.split, config.split_seed, config.fold);
  const Learnt learnt = learnt_by(fit, options, *dataset);
  const UsedSamples used = check_unused(learnt.split, split, options);
  const auto model = best_of(fit);
  check_weights(model->config(), *dataset);
  const FitInputs inputs(dataset, preparation_of(model->config()), options.use.threads, {},
                         scoring_memory(config, *dataset));
  const Objective& objective = inputs.objective();

  Evaluated evaluated{.fit = fit, .trained = used.test};
  const auto scores = [&] {
    ordered_json metrics;
    const auto add = [&](const char* part, std::vector<std::int64_t> samples,
                         std::int64_t trained) {
      if (samples.empty()) return;
      torch::Tensor logits = evaluate(*model, inputs, samples, config.batch, options.non_finite);
      const std::size_t left_out = drop_nonfinite(logits, samples);
      metrics[part] = objective.metrics(logits, samples);
      metrics[part]["samples"] = samples.size();
      if (left_out > 0) metrics[part]["not_finite"] = left_out;
      if (trained > 0) metrics[part]["training_samples"] = trained;
      if (part == std::string_view("test") && !evaluated.test_classes)
        evaluated.test_classes = class_table(known, objective, logits, samples);
    };
    add("train", split.train, 0);
    add("val", split.val, used.val);
    add("test", split.test, used.test);
    return metrics;
  };
  ordered_json& result = evaluated.result;
  result = {{"folder", fit.path().string()},
            {"dataset", dataset->name},
            {"model", config.model},
            {"split", config.split},
            {"fold", config.fold < 0 ? ordered_json() : ordered_json(config.fold)},
            {"seed", config.seed},
            {"reading", enum_name(config.reading)},
            {"metric", config.metric},
            {"parameters", model->num_parameters()},
            {"metrics", scores()}};
  if (learnt.baseline.defined())
    result["baseline"] = {{"val", objective.baseline(learnt.baseline, split.val)},
                          {"test", objective.baseline(learnt.baseline, split.test)}};
  if (evaluated.test_classes) result.update(to_json(*evaluated.test_classes));
  if (options.recalibrate) {
    if (!has_running_statistics(*model))
      throw NoEffect("--recalibrate has no effect: " + config.model + " of " + fit.path().string() +
                     " has no norm with running statistics");
    if (split.train.empty())
      throw Error("--recalibrate: split " + config.split + " has no training samples");
    recalibrate(*model, inputs, split.train, config.batch);
    result["recalibrated"] = scores();
  }
  return evaluated;
}

void print_metrics(const ordered_json& metrics) {
  const char* before = " ";
  for (const auto& [name, value] : metrics.items()) {
    if (name.ends_with("samples") || name == "not_finite") continue;
    std::cout << before << name << " " << score_with_unit(name, value.get<double>());
    before = ", ";
  }
}

/// A line per part, and below it the part's baseline, if there is one.
void print_scores(const ordered_json& scores, const ordered_json& baseline) {
  for (const auto& [part, metrics] : scores.items()) {
    std::cout << "  " << part << ":";
    print_metrics(metrics);
    std::cout << ", " << metrics.at("samples") << " samples";
    if (metrics.contains("training_samples"))
      std::cout << ", " << metrics.at("training_samples") << " of them used in training";
    if (metrics.contains("not_finite"))
      std::cout << "; left out " << metrics.at("not_finite") << " whose answer is not finite";
    std::cout << "\n";
    if (!baseline.contains(part) || baseline.at(part).empty()) continue;
    std::cout << "    baseline:";
    print_metrics(baseline.at(part));
    std::cout << "\n";
  }
}

void print(const ordered_json& result) {
  std::cout << result.at("model").get<std::string>() << " of "
            << result.at("folder").get<std::string>() << " on "
            << result.at("dataset").get<std::string>() << "\n";
  print_scores(result.at("metrics"), result.value("baseline", ordered_json::object()));
  if (!result.contains("recalibrated")) return;
  std::cout << "  with running statistics recomputed over the training samples:\n";
  print_scores(result.at("recalibrated"), ordered_json::object());
}

/// The test samples of fits that differ in seed and fold only, together.
struct ClassesOfFits {
  const Evaluated* first;
  ClassTable table;
  int fits = 1;
  std::int64_t trained = 0;  // samples used in training
};

/// One table for each model and its settings.
void print_classes(const std::vector<Evaluated>& fits) {
  std::vector<ClassesOfFits> tables;
  for (const Evaluated& fit : fits) {
    if (!fit.test_classes) continue;
    const auto same = std::find_if(tables.begin(), tables.end(), [&](const ClassesOfFits& table) {
      return first_difference(table.first->fit.config(), fit.fit.config(), kOfMember).empty();
    });
    if (same == tables.end()) {
      tables.push_back({&fit, *fit.test_classes, 1, fit.trained});
      continue;
    }
    same->table.add(*fit.test_classes);
    ++same->fits;
    same->trained += fit.trained;
  }
  for (const ClassesOfFits& table : tables) {
    const FitFolder& fit = table.first->fit;
    std::cout << (table.table.are_labels ? "by label on test, " : "by class on test, ")
              << fit.config().model;
    if (table.fits > 1) {
      std::cout << ", " << table.fits << " fits together";
    } else if (tables.size() > 1) {
      std::cout << " of " << fit.path().string();
    }
    if (table.trained > 0) std::cout << ", " << table.trained << " samples used in training";
    std::cout << ":\n" << to_text(table.table);
  }
}

}  // namespace

void run_evaluate(const EvaluateRequest& options) {
  set_threads(options.use.threads);
  std::vector<Evaluated> fits;
  const auto [used, notes] = fits_to_use(options.run);
  print_notes(notes);
  for (const FitFolder& fit : used) {
    fits.push_back(evaluate_fit(fit, options));
    if (!options.json) print(fits.back().result);
  }
  if (!options.json) return print_classes(fits);
  ordered_json results = ordered_json::array();
  for (const Evaluated& fit : fits) results.push_back(fit.result);
  const ordered_json all = results.size() == 1 ? results.front() : ordered_json{{"fits", results}};
  std::cout << all.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

}  // namespace hgnet::app
