#include "hgnet/train/summary.hpp"

#include <nlohmann/json.hpp>

#include "hgnet/records/spread.hpp"

namespace hgnet {
namespace {

using nlohmann::ordered_json;

ordered_json spread(const std::vector<double>& values) {
  const Summary summary = summary_of(values);
  return {{"mean", summary.mean}, {"std", summary.deviation}, {"values", values}};
}

}  // namespace

std::string summarise(const std::vector<FitOutcome>& outcomes) {
  ordered_json result;
  ordered_json runs = ordered_json::array();
  std::map<std::string, std::map<std::string, std::vector<double>>> values;  // by part and metric
  int failed = 0;
  for (const FitOutcome& outcome : outcomes) {
    failed += outcome.kind == FitOutcome::Kind::kFailed ? 1 : 0;
    if (outcome.kind != FitOutcome::Kind::kDone) continue;
    const auto run = ordered_json::parse(outcome.result);
    for (const auto& [part, metrics] : run.at("metrics").items()) {
      for (const auto& [metric, value] : metrics.items())
        values[part][metric].push_back(value.get<double>());
    }
    for (const char* name : {"dataset", "model", "split", "metric", "parameters"})
      result[name] = run.at(name);
    runs.push_back({{"seed", run.at("seed")},
                    {"fold", run.at("fold")},
                    {"best_epoch", run.at("best_epoch")},
                    {"epochs", run.at("epochs")},
                    {"metrics", run.at("metrics")},
                    {"seconds", run.at("seconds")}});
  }
  result["fits"] = outcomes.size();
  result["done"] = runs.size();
  result["failed"] = failed;
  ordered_json metrics = ordered_json::object();
  for (const char* part : {"train", "val", "test"}) {
    metrics[part] = ordered_json::object();
    for (const auto& [metric, all] : values[part]) metrics[part][metric] = spread(all);
  }
  result["metrics"] = metrics;
  result["runs"] = runs;
  return result.dump();
}

}  // namespace hgnet
