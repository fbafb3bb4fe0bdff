#include "hgnet/train/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/field_json.hpp"
#include "hgnet/data/fingerprint.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/records/paired_tests.hpp"
#include "hgnet/records/spread.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/train/predictor.hpp"
#include "hgnet/train/trained_fit.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

/// By name: the values of a run's fits.
using Values = std::map<std::string, std::set<std::string>>;

/// See ComparedRun::by_sample. NaN without a target.
double sample_score(const Predictions& predictions, const Dataset& dataset, std::int64_t sample) {
  if (predictions.kind == TargetKind::kClasses) {
    const std::int32_t truth = dataset.classes[sample];
    if (truth == kUnlabelled) return NAN;
    return predictions.class_of(sample) == dataset.class_names[truth] ? 1 : 0;
  }
  const std::span<const float> row = predictions.row(sample);
  double sum = 0;
  double count = 0;
  for (std::size_t t = 0; t < row.size(); ++t) {
    const float target = dataset.targets[static_cast<std::size_t>(sample) * row.size() + t];
    if (std::isnan(target)) continue;
    const bool label = predictions.kind == TargetKind::kMultiLabel;
    sum += label ? ((row[t] > 0.5F) == (target > 0.5F) ? 1 : 0) : -std::abs(row[t] - target);
    ++count;
  }
  return sum / count;
}

void predict_samples(ComparedRun& run, const std::vector<FitFolder>& fits, const FitUse& use) {
  std::map<std::int64_t, std::pair<double, int>> sums;
  for (const FitFolder& fit : fits) {
    TrainConfig config = fit.config();
    if (!use.root.empty()) config.root = use.root;
    const Dataset dataset = load_named(config);
    const auto checksums = fingerprint(dataset);
    run.data = checksums.at("graphs") + checksums.at("targets");
    const Predictions predictions = Predictor(fit.path(), use.threads).predict(dataset);
    const Split split = choose_split(dataset, config.split, config.split_seed, config.fold);
    for (const std::int64_t sample : split.test) {
      const double score = sample_score(predictions, dataset, sample);
      if (std::isnan(score)) continue;
      sums[sample].first += score;
      ++sums[sample].second;
    }
  }
  for (const auto& [sample, sum] : sums) run.by_sample[sample] = sum.first / sum.second;
}

void check_alike(const std::vector<FitFolder>& fits, const fs::path& run) {
  const FitFolder& first = fits.front();
  for (const FitFolder& fit : fits) {
    const std::string difference = first_difference(first.config(), fit.config(), kOfMember);
    if (!difference.empty())
      throw NoMean(run.string() + " holds fits that have no mean (" + difference +
                   "); name the folder of one model and its settings, such as " +
                   folder_of_model(first, run).string());
  }
}

Values settings_of(const std::vector<FitFolder>& fits) {
  Values values;
  for (const FitFolder& fit : fits) {
    for_each_train_field(fit.config(), [&](const std::string& name, const auto& field, auto&&...) {
      if (name != "root" && name != "threads") values[name].insert(value_to_json(field).dump());
    });
  }
  return values;
}

ComparedRun read_run(const fs::path& folder, const std::vector<FitFolder>& fits,
                     const FitUse& use) {
  ComparedRun run{folder, fits.back().config().metric};
  for (const FitFolder& fit : fits) {
    if (auto record = fit.result()) run.records.push_back(*std::move(record));
  }
  predict_samples(run, fits, use);
  return run;
}

std::string joined(const std::set<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : " ") + value;
  return text;
}

std::map<std::string, std::vector<std::string>> differing(const std::vector<Values>& runs) {
  std::map<std::string, std::vector<std::string>> result;
  if (runs.empty()) return result;
  for (const auto& [name, values] : runs.front()) {
    const bool same = std::all_of(
        runs.begin(), runs.end(),
        [&name = name, &values = values](const Values& run) { return run.at(name) == values; });
    if (same) continue;
    for (const Values& run : runs) result[name].push_back(joined(run.at(name)));
  }
  return result;
}

}  // namespace

std::vector<double> ComparedRun::scores() const {
  std::vector<double> result;
  for (const FitRecord& record : records) result.push_back(record.score("test"));
  return result;
}

std::vector<double> ComparedRun::baselines() const {
  std::vector<double> result;
  for (const FitRecord& record : records) result.push_back(record.baseline_score("test"));
  return result;
}

PairedSamples compare_samples(const ComparedRun& first, const ComparedRun& second) {
  PairedSamples result;
  result.same_data = first.data == second.data;
  if (!result.same_data) return result;
  std::vector<double> differences;
  for (const auto& [sample, score] : first.by_sample) {
    const auto other = second.by_sample.find(sample);
    if (other == second.by_sample.end()) continue;
    differences.push_back(other->second - score);
    result.better += differences.back() > 0 ? 1 : 0;
    result.worse += differences.back() < 0 ? 1 : 0;
  }
  result.samples = std::ssize(differences);
  result.mean_difference = summary_of(differences).mean;
  result.sign_test_p = sign_test(result.better, result.worse).p;
  result.t_test_p = paired_t(differences).p;
  return result;
}

RunComparison compare_runs(std::span<const fs::path> folders, const FitUse& use) {
  RunComparison result;
  std::vector<Values> settings;
  for (const fs::path& folder : folders) {
    const std::vector<FitFolder> fits = fits_in(folder);
    check_alike(fits, folder);
    settings.push_back(settings_of(fits));
    result.runs.push_back(read_run(folder, fits, use));
  }
  result.settings = differing(settings);
  for (std::size_t i = 1; i < result.runs.size(); ++i)
    result.pairs.push_back(compare_samples(result.runs.front(), result.runs[i]));
  return result;
}

}  // namespace hgnet
