#include "fit_results.hpp"

#include <cstdio>
#include <iostream>
#include <string>
#include <utility>

#include "hgnet/train/summary.hpp"

namespace hgnet::app {

using nlohmann::ordered_json;

namespace {

std::string percent_or_number(const std::string& metric, double value) {
  char text[32];
  const bool share = metric != "loss" && metric != "rmse" && metric != "mae";
  std::snprintf(text, sizeof text, share ? "%.2f %%" : "%.4f", share ? 100 * value : value);
  return text;
}

}  // namespace

void print_fit(const ordered_json& result) {
  const std::string metric = result.at("metric");
  std::cout << result.at("model").get<std::string>() << " on "
            << result.at("dataset").get<std::string>();
  if (result.at("fold") >= 0)
    std::cout << ", fold " << result.at("fold") << " of " << result.at("split").get<std::string>();
  const char* before = ": ";
  for (const char* part : {"test", "val"}) {
    const auto& metrics = result.at("metrics").at(part);
    if (!metrics.contains(metric)) continue;
    std::cout << before << (std::string(part) == "test" ? "test " : "validation ") << metric << " "
              << percent_or_number(metric, metrics.at(metric));
    before = ", ";
  }
  std::cout << " (best epoch " << result.at("best_epoch") << " of " << result.at("epochs") << ", "
            << result.at("parameters") << " parameters)\n";
}

void print_summary(const ordered_json& summary) {
  if (summary.at("fits") == 1) {
    ordered_json only = summary.at("runs").front();
    only.update(summary);
    only["metrics"] = summary.at("runs").front().at("metrics");
    return print_fit(only);
  }
  const std::string metric = summary.at("metric");
  const auto& test = summary.at("metrics").at("test");
  std::cout << summary.at("model").get<std::string>() << " on "
            << summary.at("dataset").get<std::string>() << ", " << summary.at("done") << " of "
            << summary.at("fits") << " fits: ";
  if (!test.contains(metric)) {
    std::cout << "no test " << metric << "\n";
    return;
  }
  std::cout << "test " << metric << " " << percent_or_number(metric, test.at(metric).at("mean"))
            << ", standard deviation " << percent_or_number(metric, test.at(metric).at("std"))
            << "\n ";
  for (const double value : test.at(metric).at("values"))
    std::cout << " " << percent_or_number(metric, value);
  std::cout << "\n";
}

std::vector<ordered_json> summaries(const std::vector<FitOutcome>& outcomes, std::size_t models) {
  std::vector<ordered_json> result;
  for (std::size_t m = 0; m < models; ++m) {
    std::vector<FitOutcome> own;
    for (std::size_t i = m; i < outcomes.size(); i += models) own.push_back(outcomes[i]);
    ordered_json summary = ordered_json::parse(summarise(own));
    if (summary.at("done") > 0) result.push_back(std::move(summary));
  }
  return result;
}

}  // namespace hgnet::app
