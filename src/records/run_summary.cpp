#include "hgnet/records/run_summary.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "hgnet/records/spread.hpp"
#include "records/json_tree.hpp"

namespace hgnet {
namespace {

using Json = nlohmann::ordered_json;

Json spread(const std::vector<double>& values) {
  const Summary summary = summary_of(values);
  return {{"mean", summary.count > 0 ? Json(summary.mean) : Json()},
          {"std", summary.count > 1 ? Json(summary.deviation) : Json()},
          {"values", values}};
}

Json spreads(const RunSummary& summary, const std::string& part) {
  std::set<std::string> names;
  for (const FitRecord& fit : summary.done) {
    const auto found = fit.metrics.find(part);
    if (found == fit.metrics.end()) continue;
    for (const auto& [name, value] : found->second) names.insert(name);
  }
  Json result = Json::object();
  for (const std::string& name : names) result[name] = spread(summary.values(part, name));
  return result;
}

Json object_of(const RunSummary& summary) {
  Json json{{"model", summary.model}};
  Json fits = Json::array();
  for (const FitRecord& fit : summary.done) {
    json["dataset"] = fit.dataset;
    json["split"] = fit.split;
    json["metric"] = fit.metric;
    json["parameters"] = fit.parameters;
    fits.push_back({{"seed", fit.seed},
                    {"fold", fit.fold < 0 ? Json() : Json(fit.fold)},
                    {"best_epoch", fit.best_epoch},
                    {"epochs", fit.epochs},
                    {"metrics", fit.metrics},
                    {"baseline", fit.baseline},
                    {"seconds", fit.seconds}});
  }
  json["planned"] = summary.fits;
  json["done"] = summary.done.size();
  json["failed"] = summary.failed;
  for (const char* part : {"train", "val", "test"}) json["metrics"][part] = spreads(summary, part);
  json["fits"] = std::move(fits);
  return json;
}

}  // namespace

std::vector<double> RunSummary::values(const std::string& part, const std::string& metric) const {
  std::vector<double> result;
  for (const FitRecord& fit : done) {
    const auto metrics = fit.metrics.find(part);
    if (metrics == fit.metrics.end()) continue;
    const auto found = metrics->second.find(metric);
    if (found != metrics->second.end()) result.push_back(found->second);
  }
  return result;
}

std::string to_json(std::span<const RunSummary> models, const std::string& folder) {
  Json json = Json::object();
  if (models.size() == 1) json = object_of(models.front());
  for (std::size_t i = 0; models.size() > 1 && i < models.size(); ++i)
    json["models"].push_back(object_of(models[i]));
  if (!folder.empty()) json["folder"] = folder;
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string to_json(FitRecord record, const std::string& folder) {
  record.curve.clear();
  record.other["folder"] = json_value(folder);
  return to_json(record);
}

}  // namespace hgnet
