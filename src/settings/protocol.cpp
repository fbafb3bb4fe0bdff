#include "hgnet/settings/protocol.hpp"

#include <algorithm>
#include <limits>

#include "settings/plan_json.hpp"

namespace hgnet {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string Protocol::to_json() const {
  ordered_json texts = ordered_json::array();
  for (const TrainConfig& config : configs) texts.push_back(to_toml(config));
  return with_checksum({{"seeds", seeds}, {"folds", folds}, {"configs", texts}});
}

std::string with_checksum(ordered_json plan) {
  plan[kJsonChecksum] = json_checksum(plan);
  return plan.dump(2);
}

void check_plan(std::size_t configs, std::size_t seeds, const std::vector<std::int64_t>& folds) {
  constexpr double kMostFits = 1e6;
  const double fits =
      static_cast<double>(configs) * static_cast<double>(seeds) * static_cast<double>(folds.size());
  if (fits < 1 || fits > kMostFits)
    throw Error(std::to_string(configs) + " configurations, " + std::to_string(seeds) +
                " seeds and " + std::to_string(folds.size()) +
                " folds; expected one of each at least, and a million fits at most");
  std::vector<std::int64_t> sorted = folds;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw Error("a fold is listed twice");
  for (const std::int64_t fold : folds) {
    if (fold < -1 || fold > std::numeric_limits<int>::max())
      throw Error("fold " + std::to_string(fold) + "; expected 0 or more");
  }
}

void Protocol::check() const { check_plan(configs.size(), seeds.size(), folds); }

Protocol Protocol::from_json(std::string_view text, const std::string& file) {
  return read_plan(text, file, [&](const nlohmann::json& json) {
    Protocol protocol;
    protocol.seeds = json.at("seeds").get<std::vector<std::uint64_t>>();
    protocol.folds = json.at("folds").get<std::vector<std::int64_t>>();
    for (const std::string config : json.at("configs"))
      protocol.configs.push_back(train_config_from_toml(config, file));
    for (const auto& seed : json.at("seeds")) {
      if (!seed.is_number_unsigned()) throw Error("seed " + seed.dump() + "; expected 0 or more");
    }
    protocol.check();
    return protocol;
  });
}

PlannedFit Protocol::fit(const TrainConfig& config, std::uint64_t seed, std::int64_t fold,
                         const fs::path& out) const {
  PlannedFit result;
  result.config = config;
  result.folder = configs.size() > 1 ? out / config.model : out;
  result.label = config.model;
  result.config.seed = seed;
  result.config.fold = static_cast<int>(fold);
  std::string name;
  const auto add = [&](const char* word, auto number) {
    const std::string text = std::to_string(number);
    name += std::string(name.empty() ? "" : "-") + word + "-" + text;
    result.label += std::string(" ") + word + " " + text;
  };
  if (seeds.size() > 1) add("seed", seed);
  if (folds.size() > 1) add("fold", fold);
  if (name.empty()) return result;
  const fs::path beside = out / (config.model + "-" + name);  // as version 0.1 had it
  result.folder = fs::exists(beside) ? beside : result.folder / name;
  return result;
}

std::vector<PlannedFit> Protocol::fits(const fs::path& out) const {
  std::vector<PlannedFit> result;
  for (const std::uint64_t seed : seeds) {
    for (const std::int64_t fold : folds) {
      for (const TrainConfig& config : configs) result.push_back(fit(config, seed, fold, out));
    }
  }
  return result;
}

}  // namespace hgnet
