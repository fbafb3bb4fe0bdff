// hgnet compare: in what runs differ, and which predicts better on their common samples.

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "fit_results.hpp"
#include "hgnet/records/paired_tests.hpp"
#include "hgnet/records/spread.hpp"
#include "hgnet/train/comparison.hpp"
#include "requests.hpp"

namespace hgnet::app {
namespace {

using nlohmann::ordered_json;

/// Why predictions are not compared; empty if they are.
std::string why_not(const PairedSamples& pair) {
  if (!pair.same_data) return "other data or targets";
  return pair.samples == 0 ? "no sample is tested by both" : "";
}

ordered_json to_json(const ComparedRun& run) {
  const Summary spread = summary_of(run.scores());
  const Summary baseline = summary_of(run.baselines());
  return {{"folder", run.folder.string()},
          {"metric", run.metric},
          {"fits", spread.count},
          {"mean", spread.count > 0 ? ordered_json(spread.mean) : ordered_json()},
          {"std", spread.count > 1 ? ordered_json(spread.deviation) : ordered_json()},
          {"baseline", baseline.count > 0 ? ordered_json(baseline.mean) : ordered_json()}};
}

ordered_json to_json(const PairedSamples& pair) {
  ordered_json json{{"samples", pair.samples}};
  if (const std::string note = why_not(pair); !note.empty()) {
    json["note"] = note;
    return json;
  }
  json["second_better"] = pair.better;
  json["first_better"] = pair.worse;
  json["mean_difference"] = pair.mean_difference;
  json["sign_test_p"] = pair.sign_test_p;
  json["t_test_p"] = pair.t_test_p;
  return json;
}

ordered_json to_json(const RunComparison& comparison) {
  ordered_json json{{"settings", comparison.settings},
                    {"pairs", ordered_json::array()},
                    {"runs", ordered_json::array()}};
  const std::string first = comparison.runs.front().folder.string();
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    ordered_json& pair = json["pairs"].emplace_back();
    pair["runs"] = {first, comparison.runs[i + 1].folder.string()};
    pair.update(to_json(comparison.pairs[i]));
  }
  for (const ComparedRun& run : comparison.runs) json["runs"].push_back(to_json(run));
  return json;
}

void print(const ComparedRun& run) {
  const Summary spread = summary_of(run.scores());
  std::cout << run.folder.string() << ": ";
  if (spread.count == 0) {
    std::cout << (run.records.empty() ? "no finished fit\n" : "no test score\n");
    return;
  }
  std::cout << "test " << run.metric << " " << summary_text(run.metric, spread) << ", "
            << spread.count << (spread.count == 1 ? " fit\n" : " fits\n");
  print_baseline(run.records);
}

void print(const PairedSamples& pair) {
  if (const std::string note = why_not(pair); !note.empty()) {
    std::cout << "predictions not compared, " << note << "\n";
    return;
  }
  char difference[32];
  std::snprintf(difference, sizeof difference, "%+.4f", pair.mean_difference);
  std::cout << "better on " << pair.better << ", worse on " << pair.worse << " of " << pair.samples
            << " common test samples; mean difference " << difference << ", sign test p "
            << p_text(pair.sign_test_p) << ", t-test p " << p_text(pair.t_test_p) << "\n";
}

void print(const RunComparison& comparison) {
  for (const ComparedRun& run : comparison.runs) print(run);
  std::cout << (comparison.settings.empty() ? "the settings are the same\n" : "settings:\n");
  for (const auto& [name, values] : comparison.settings) {
    std::cout << "  " << name << ":";
    const char* before = " ";
    for (const std::string& value : values) {
      std::cout << before << value;
      before = " | ";
    }
    std::cout << "\n";
  }
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    std::cout << comparison.runs[i + 1].folder.string() << " beside "
              << comparison.runs.front().folder.string() << ": ";
    print(comparison.pairs[i]);
  }
}

RunComparison compared(const CompareRequest& options) {
  try {
    return compare_runs(options.runs, options.use);
  } catch (const NoMean& error) {
    throw WrongUsage(error.what());
  }
}

}  // namespace

void run_compare(const CompareRequest& options) {
  const RunComparison comparison = compared(options);
  if (!options.json) return print(comparison);
  std::cout << to_json(comparison).dump(2, ' ', false, ordered_json::error_handler_t::replace)
            << "\n";
}

}  // namespace hgnet::app
