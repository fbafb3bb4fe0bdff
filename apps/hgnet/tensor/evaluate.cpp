// hgnet evaluate: prints the metrics of a trained model.

#include <iostream>
#include <nlohmann/json.hpp>

#include "class_table.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/settings/search.hpp"
#include "hgnet/train/evaluation.hpp"
#include "hgnet/train/threads.hpp"
#include "notes.hpp"
#include "requests.hpp"

namespace hgnet::app {
namespace {

using nlohmann::ordered_json;

/// Errors name the options that they are about.
Evaluation evaluated(const FitFolder& fit, const EvaluationRequest& request) {
  if (!fit.config().memory.empty()) return_freed_memory();
  try {
    return evaluate_fit(fit, request);
  } catch (const SamplesUsed& error) {
    throw WrongUsage(std::string(error.what()) +
                     "; --allow-training-samples shows it, marked as such");
  } catch (const InvalidSettings& error) {
    throw WrongUsage(error.what());
  } catch (const NoRunningStatistics& error) {
    throw NoEffect(std::string("--recalibrate has no effect: ") + error.what());
  } catch (const NoTrainingSamples& error) {
    throw Error(std::string("--recalibrate: ") + error.what());
  }
}

ordered_json to_json(const std::vector<PartScores>& parts) {
  ordered_json json;
  for (const PartScores& part : parts) {
    ordered_json& scores = json[part.part];
    scores = part.metrics;
    scores["samples"] = part.samples;
    if (part.not_finite > 0) scores["not_finite"] = part.not_finite;
    if (part.used > 0) scores["training_samples"] = part.used;
  }
  return json;
}

ordered_json to_json(const Evaluation& evaluation) {
  const TrainConfig& config = evaluation.config;
  ordered_json json{{"folder", evaluation.fit.path().string()},
                    {"dataset", evaluation.dataset},
                    {"model", config.model},
                    {"split", config.split},
                    {"fold", config.fold < 0 ? ordered_json() : ordered_json(config.fold)},
                    {"seed", config.seed},
                    {"reading", enum_name(config.reading)},
                    {"metric", config.metric},
                    {"parameters", evaluation.parameters},
                    {"metrics", to_json(evaluation.parts)}};
  if (!evaluation.baseline.empty())
    json["baseline"] = {{"val", evaluation.baseline.at("val")},
                        {"test", evaluation.baseline.at("test")}};
  if (evaluation.test_classes) json.update(app::to_json(*evaluation.test_classes));
  if (!evaluation.recalibrated.empty()) json["recalibrated"] = to_json(evaluation.recalibrated);
  return json;
}

void print_metrics(const Metrics& metrics) {
  const char* before = " ";
  for (const auto& [name, value] : metrics) {
    std::cout << before << name << " " << score_with_unit(name, value);
    before = ", ";
  }
}

/// A line per part, and below it the part's baseline, if there is one.
void print_scores(const std::vector<PartScores>& parts,
                  const std::map<std::string, Metrics>& baseline) {
  for (const PartScores& part : parts) {
    std::cout << "  " << part.part << ":";
    print_metrics(part.metrics);
    std::cout << ", " << part.samples << " samples";
    if (part.used > 0) std::cout << ", " << part.used << " of them used in training";
    if (part.not_finite > 0)
      std::cout << "; left out " << part.not_finite << " whose answer is not finite";
    std::cout << "\n";
    const auto found = baseline.find(part.part);
    if (found == baseline.end() || found->second.empty()) continue;
    std::cout << "    baseline:";
    print_metrics(found->second);
    std::cout << "\n";
  }
}

void print(const Evaluation& evaluation) {
  std::cout << evaluation.config.model << " of " << evaluation.fit.path().string() << " on "
            << evaluation.dataset << "\n";
  print_scores(evaluation.parts, evaluation.baseline);
  if (evaluation.recalibrated.empty()) return;
  std::cout << "  with running statistics recomputed over the training samples:\n";
  print_scores(evaluation.recalibrated, {});
}

void print_classes(const std::vector<Evaluation>& fits) {
  const std::vector<TestClasses> tables = test_classes(fits);
  for (const TestClasses& table : tables) {
    const FitFolder& fit = table.first->fit;
    std::cout << (table.table.are_labels ? "by label on test, " : "by class on test, ")
              << fit.config().model;
    if (table.fits > 1) {
      std::cout << ", " << table.fits << " fits together";
    } else if (tables.size() > 1) {
      std::cout << " of " << fit.path().string();
    }
    if (table.used > 0) std::cout << ", " << table.used << " samples used in training";
    std::cout << ":\n" << to_text(table.table);
  }
}

}  // namespace

void run_evaluate(const EvaluateRequest& options) {
  EvaluationRequest request = options.evaluation;
  request.note = print_note;
  set_threads(request.use.threads);
  const auto [used, notes] = fits_to_use(options.run);
  print_notes(notes);
  std::vector<Evaluation> fits;
  for (const FitFolder& fit : used) {
    fits.push_back(evaluated(fit, request));
    if (!options.json) print(fits.back());
  }
  if (!options.json) return print_classes(fits);
  ordered_json results = ordered_json::array();
  for (const Evaluation& fit : fits) results.push_back(to_json(fit));
  const ordered_json all = results.size() == 1 ? results.front() : ordered_json{{"fits", results}};
  std::cout << all.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

}  // namespace hgnet::app
