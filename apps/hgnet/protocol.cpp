#include "protocol.hpp"

#include <nlohmann/json.hpp>

#include "core/nested_text.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet::app {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string Protocol::to_json() const {
  ordered_json texts = ordered_json::array();
  for (const TrainConfig& config : configs) texts.push_back(to_toml(config));
  return ordered_json{{"seeds", seeds}, {"folds", folds}, {"configs", texts}}.dump(2);
}

Protocol Protocol::from_json(const fs::path& file) {
  try {
    const auto json = parse_json(read_whole(file), file.string());
    Protocol protocol;
    protocol.seeds = json.at("seeds").get<std::vector<std::uint64_t>>();
    protocol.folds = json.at("folds").get<std::vector<std::int64_t>>();
    for (const std::string text : json.at("configs"))
      protocol.configs.push_back(train_config_from_toml(text, file.string()));
    return protocol;
  } catch (const nlohmann::json::exception& error) {
    throw InvalidFile(file.string(), 0, error.what());
  }
}

PlannedFit Protocol::fit(const TrainConfig& config, std::uint64_t seed, std::int64_t fold,
                         const fs::path& out) const {
  PlannedFit result;
  result.config = config;
  result.folder = out;
  result.label = config.model;
  result.config.seed = seed;
  result.config.fold = static_cast<int>(fold);
  std::string name = configs.size() > 1 ? config.model : "";
  const auto add = [&](const char* word, auto number) {
    const std::string text = std::to_string(number);
    name += std::string(name.empty() ? "" : "-") + word + "-" + text;
    result.label += std::string(" ") + word + " " + text;
  };
  if (seeds.size() > 1) add("seed", seed);
  if (folds.size() > 1) add("fold", fold);
  if (!name.empty()) result.folder /= name;
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

}  // namespace hgnet::app
