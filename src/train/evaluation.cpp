#include "hgnet/train/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "hgnet/data/split_choice.hpp"
#include "hgnet/settings/memory_plan.hpp"
#include "hgnet/train/data_use.hpp"
#include "hgnet/train/inputs.hpp"
#include "hgnet/train/recalibrate.hpp"
#include "hgnet/train/trained_fit.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

/// The fit's configuration, with another data set or split if requested.
TrainConfig changed(TrainConfig config, const EvaluationRequest& request) {
  if (!request.dataset.empty()) config.dataset = request.dataset;
  if (!request.use.root.empty()) config.root = request.use.root;
  if (!request.dataset.empty() || !request.split.empty()) {
    config.split = request.split;
    config.fold = -1;
  }
  if (request.fold >= 0) config.fold = request.fold;
  config.threads = request.use.threads;
  return config;
}

bool any_labelled(const Dataset& dataset) {
  const auto& classes = dataset.classes;
  const auto& targets = dataset.targets;
  return std::any_of(classes.begin(), classes.end(), [](auto c) { return c != kUnlabelled; }) ||
         std::any_of(targets.begin(), targets.end(), [](float t) { return !std::isnan(t); });
}

void check_labels(const Dataset& dataset, const std::vector<std::string>& known) {
  if (dataset.num_classes() > std::ssize(known))
    throw Mismatch(dataset.name + " has the class " + dataset.class_names[known.size()] +
                   ", which the model was not trained on");
  if (!any_labelled(dataset)) throw Error(dataset.name + " has no labels to evaluate with");
}

/// Another data set that comes without a split is a test as a whole, unless it is the fit's own.
void choose_split_of_other(TrainConfig& config, const FitFolder& fit,
                           const EvaluationRequest& request, const Dataset& dataset) {
  const bool asked = !request.split.empty() || request.fold >= 0;
  if (request.dataset.empty() || asked || !dataset.splits.empty()) return;
  const TrainConfig& own = fit.config();
  std::error_code ignored;
  const bool same =
      own.dataset == request.dataset || fs::equivalent(own.dataset, request.dataset, ignored);
  config.split = same ? own.split : "random:0,0,1";
  config.fold = same ? own.fold : -1;
}

void complete_for(const FitFolder& fit, TrainConfig& config, const Dataset& dataset) {
  try {
    complete(config, dataset);
  } catch (const InvalidFile&) {
    throw;
  } catch (const InvalidDataset&) {
    throw;
  } catch (const Error& error) {
    throw InvalidSettings(fit.path().string() + ": " + error.what());
  }
}

/// What the fit has learnt from.
struct Learnt {
  std::optional<Split> split;  // as samples of the data set that is scored; none if none is there
  torch::Tensor baseline;      // undefined if the fit's data cannot be read
};

Learnt learnt_by(const FitFolder& fit, const EvaluationRequest& request, const Dataset& dataset) {
  TrainConfig own = fit.config();
  if (!request.use.root.empty()) own.root = request.use.root;
  if (request.dataset.empty() && own.init_from.empty()) {
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
    if (request.note)
      request.note(
          "the data set of the run cannot be read, so this cannot tell whether the model was "
          "trained on samples of " +
          dataset.name + ": " + error.what());
    return {};
  }
}

UsedSamples check_unused(const std::optional<Split>& own, const Split& scored,
                         const EvaluationRequest& request) {
  if (!own) return {};
  const UsedSamples used = used_samples(*own, scored);
  if (request.allow_used_samples || used.val + used.test == 0) return used;
  const bool test = used.test > 0;
  throw SamplesUsed("the model was trained on, or its epoch was chosen by, " +
                    std::to_string(test ? used.test : used.val) + " of the " +
                    std::to_string(test ? scored.test.size() : scored.val.size()) +
                    (test ? " test" : " validation") + " samples" +
                    (request.dataset.empty() ? " of this split" : " or their equals") +
                    ", so their score says nothing about new samples");
}

/// Leaves out the samples whose logits are not finite; returns how many there are.
std::int64_t drop_nonfinite(torch::Tensor& logits, std::vector<std::int64_t>& samples) {
  const torch::Tensor kept = logits.isfinite().all(1).nonzero().flatten();
  const std::int64_t before = std::ssize(samples);
  logits = logits.index_select(0, kept);
  std::vector<std::int64_t> finite;
  for (std::int64_t i = 0; i < kept.size(0); ++i)
    finite.push_back(samples[static_cast<std::size_t>(kept[i].item<std::int64_t>())]);
  samples = std::move(finite);
  return before - std::ssize(samples);
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

}  // namespace

const PartScores* Evaluation::part(std::string_view name) const {
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const PartScores& scores) { return scores.part == name; });
  return found == parts.end() ? nullptr : &*found;
}

Evaluation evaluate_fit(const FitFolder& fit, const EvaluationRequest& request) {
  TrainConfig config = changed(fit.config(), request);
  const auto dataset = dataset_for(fit, config);
  if (request.note) std::for_each(dataset->notes.begin(), dataset->notes.end(), request.note);
  const std::vector<std::string> known = fit.columns().outputs;
  check_labels(*dataset, known);
  choose_split_of_other(config, fit, request, *dataset);
  complete_for(fit, config, *dataset);
  const Split split = choose_split(*dataset, config.split, config.split_seed, config.fold);
  const Learnt learnt = learnt_by(fit, request, *dataset);
  const UsedSamples used = check_unused(learnt.split, split, request);
  const auto model = best_of(fit);
  check_weights(model->config(), *dataset);
  const FitInputs inputs(dataset, preparation_of(model->config()), request.use.threads, {},
                         scoring_memory(config, *dataset));
  const Objective& objective = inputs.objective();

  Evaluation result{fit, config, dataset->name, model->num_parameters()};
  const auto scores = [&] {
    std::vector<PartScores> parts;
    const auto add = [&](const char* part, std::vector<std::int64_t> samples,
                         std::int64_t num_used) {
      if (samples.empty()) return;
      torch::Tensor logits = evaluate(*model, inputs, samples, config.batch, request.non_finite);
      const std::int64_t left_out = drop_nonfinite(logits, samples);
      parts.push_back(
          {part, objective.metrics(logits, samples), std::ssize(samples), left_out, num_used});
      if (part == std::string_view("test") && !result.test_classes)
        result.test_classes = class_table(known, objective, logits, samples);
    };
    add("train", split.train, 0);
    add("val", split.val, used.val);
    add("test", split.test, used.test);
    return parts;
  };
  result.parts = scores();
  if (learnt.baseline.defined())
    result.baseline = {{"val", objective.baseline(learnt.baseline, split.val)},
                       {"test", objective.baseline(learnt.baseline, split.test)}};
  if (request.recalibrate) {
    if (!has_running_statistics(*model))
      throw NoRunningStatistics(config.model + " of " + fit.path().string() +
                                " has no norm with running statistics");
    if (split.train.empty())
      throw NoTrainingSamples("split " + config.split + " has no training samples");
    recalibrate(*model, inputs, split.train, config.batch);
    result.recalibrated = scores();
  }
  return result;
}

std::vector<TestClasses> test_classes(std::span<const Evaluation> fits) {
  std::vector<TestClasses> tables;
  for (const Evaluation& fit : fits) {
    if (!fit.test_classes) continue;
    const std::int64_t used = fit.part("test")->used;
    const auto same = std::find_if(tables.begin(), tables.end(), [&](const TestClasses& table) {
      return first_difference(table.first->fit.config(), fit.fit.config(), kOfMember).empty();
    });
    if (same == tables.end()) {
      tables.push_back({&fit, *fit.test_classes, 1, used});
      continue;
    }
    same->table.add(*fit.test_classes);
    ++same->fits;
    same->used += used;
  }
  return tables;
}

}  // namespace hgnet
