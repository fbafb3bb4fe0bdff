// hgnet compare: in what runs differ, and which predicts better on their common samples.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/field_json.hpp"
#include "fit_results.hpp"
#include "hgnet/data/fingerprint.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/records/paired_tests.hpp"
#include "hgnet/records/spread.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/train/predictor.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "report/number_text.hpp"
#include "requests.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// A run as far as it is compared.
struct Compared {
  fs::path folder;
  std::vector<FitFolder> fits;
  std::map<std::string, std::set<std::string>> settings;  // by name: the values of its fits
  std::string metric;
  std::vector<FitRecord> records;            // of the fits that are done
  std::vector<double> scores;                // their test scores
  std::string data;                          // checksums of graphs and targets
  std::map<std::int64_t, double> by_sample;  // how well its test samples are predicted
};

/// How well a sample is predicted: 1 or 0 for a class, the share of right labels, or minus the mean
/// absolute error. NaN without a target.
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

/// Predicts the test samples of every fit; where several fits test a sample, their mean counts.
void predict_samples(Compared& run, const FitUse& use) {
  std::map<std::int64_t, std::pair<double, int>> sums;
  for (const FitFolder& fit : run.fits) {
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

Compared read_run(const fs::path& folder, const FitUse& use) {
  Compared run;
  run.folder = folder;
  run.fits = fits_in(folder);
  const FitFolder& first = run.fits.front();
  for (const FitFolder& fit : run.fits) {
    const std::string difference = first_difference(first.config(), fit.config(), kOfMember);
    if (!difference.empty())
      throw WrongUsage(folder.string() + " holds fits that have no mean (" + difference +
                       "); name the folder of one model and its settings, such as " +
                       folder_of_model(first, folder).string());
  }
  for (const FitFolder& fit : run.fits) {
    for_each_train_field(fit.config(), [&](const std::string& name, const auto& field, auto&&...) {
      if (name != "root" && name != "threads")
        run.settings[name].insert(value_to_json(field).dump());
    });
    run.metric = fit.config().metric;
    if (auto record = fit.result()) {
      run.scores.push_back(record->score("test"));
      run.records.push_back(*std::move(record));
    }
  }
  predict_samples(run, use);
  return run;
}

std::string joined(const std::set<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : " ") + value;
  return text;
}

ordered_json differing_settings(const std::vector<Compared>& runs) {
  ordered_json result = ordered_json::object();
  for (const auto& [name, values] : runs.front().settings) {
    const bool same = std::all_of(runs.begin(), runs.end(),
                                  [&, &name = name, &values = values](const Compared& run) {
                                    return run.settings.at(name) == values;
                                  });
    if (same) continue;
    for (const Compared& run : runs) result[name].push_back(joined(run.settings.at(name)));
  }
  return result;
}

/// What the second run does on the samples that both test, beside the first.
ordered_json compared_samples(const Compared& a, const Compared& b) {
  ordered_json json{{"runs", {a.folder.string(), b.folder.string()}}};
  if (a.data != b.data) {
    json["samples"] = 0;
    json["note"] = "other data or targets";
    return json;
  }
  std::vector<double> differences;
  int wins = 0;
  int losses = 0;
  for (const auto& [sample, score] : a.by_sample) {
    const auto other = b.by_sample.find(sample);
    if (other == b.by_sample.end()) continue;
    differences.push_back(other->second - score);
    wins += differences.back() > 0 ? 1 : 0;
    losses += differences.back() < 0 ? 1 : 0;
  }
  json["samples"] = differences.size();
  if (differences.empty()) {
    json["note"] = "no sample is tested by both";
    return json;
  }
  json["second_better"] = wins;
  json["first_better"] = losses;
  json["mean_difference"] = summary_of(differences).mean;
  json["sign_test_p"] = sign_test(wins, losses).p;
  json["t_test_p"] = paired_t(differences).p;
  return json;
}

void print(const ordered_json& result, const std::vector<Compared>& runs) {
  for (const Compared& run : runs) {
    const Summary spread = summary_of(run.scores);
    std::cout << run.folder.string() << ": ";
    if (spread.count == 0) {
      std::cout << (run.records.empty() ? "no finished fit\n" : "no test score\n");
      continue;
    }
    std::cout << "test " << run.metric << " " << summary_text(run.metric, spread) << ", "
              << spread.count << (spread.count == 1 ? " fit\n" : " fits\n");
    print_baseline(run.records);
  }
  std::cout << (result.at("settings").empty() ? "the settings are the same\n" : "settings:\n");
  for (const auto& [name, values] : result.at("settings").items()) {
    std::cout << "  " << name << ":";
    const char* before = " ";
    for (const auto& value : values) {
      std::cout << before << value.get<std::string>();
      before = " | ";
    }
    std::cout << "\n";
  }
  for (const auto& pair : result.at("pairs")) {
    std::cout << pair.at("runs")[1].get<std::string>() << " beside "
              << pair.at("runs")[0].get<std::string>() << ": ";
    if (pair.contains("note")) {
      std::cout << "predictions not compared, " << pair.at("note").get<std::string>() << "\n";
      continue;
    }
    std::cout << "better on " << pair.at("second_better") << ", worse on "
              << pair.at("first_better") << " of " << pair.at("samples")
              << " common test samples; mean difference "
              << signed_fixed(pair.at("mean_difference").get<double>(), 4) << ", sign test p "
              << p_text(pair.at("sign_test_p").get<double>()) << ", t-test p "
              << p_text(pair.at("t_test_p").get<double>()) << "\n";
  }
}

}  // namespace

void run_compare(const CompareRequest& options) {
  std::vector<Compared> runs;
  for (const fs::path& folder : options.runs) runs.push_back(read_run(folder, options.use));
  ordered_json result{{"settings", differing_settings(runs)}, {"pairs", ordered_json::array()}};
  for (std::size_t i = 1; i < runs.size(); ++i)
    result["pairs"].push_back(compared_samples(runs.front(), runs[i]));
  if (!options.json) return print(result, runs);
  result["runs"] = ordered_json::array();
  for (const Compared& compared : runs) {
    const Summary spread = summary_of(compared.scores);
    std::vector<double> baselines;
    for (const FitRecord& record : compared.records)
      baselines.push_back(record.baseline_score("test"));
    const Summary baseline = summary_of(baselines);
    result["runs"].push_back(
        {{"folder", compared.folder.string()},
         {"metric", compared.metric},
         {"fits", spread.count},
         {"mean", spread.count > 0 ? ordered_json(spread.mean) : ordered_json()},
         {"std", spread.count > 1 ? ordered_json(spread.deviation) : ordered_json()},
         {"baseline", baseline.count > 0 ? ordered_json(baseline.mean) : ordered_json()}});
  }
  std::cout << result.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

}  // namespace hgnet::app
