#include "protocol.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet::app {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::vector<std::int64_t> numbers(const std::string& text, const std::string& option) {
  constexpr std::int64_t kMost = 100'000;
  std::vector<std::int64_t> result;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    std::size_t end = 0;
    std::int64_t number = -1;
    try {
      number = std::stoll(item, &end);
    } catch (const std::exception&) {
      end = 0;
    }
    if (end == 0 || end != item.size() || number < 0)
      throw CLI::ValidationError(
          option, "expected a count such as 10, or a list such as 0,3,4; got '" + text + "'");
    if (std::find(result.begin(), result.end(), number) != result.end())
      throw CLI::ValidationError(option, std::to_string(number) + " is there twice");
    result.push_back(number);
  }
  if (result.size() != 1 || text.find(',') != std::string::npos) return result;
  if (result.front() < 1 || result.front() > kMost)
    throw CLI::ValidationError(option, "a count of " + text + "; expected 1 to " +
                                           std::to_string(kMost) + ", or a list such as 0,3,4");
  result.resize(static_cast<std::size_t>(result.front()));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<std::int64_t>(i);
  return result;
}

std::string Protocol::to_json() const {
  ordered_json texts = ordered_json::array();
  for (const TrainConfig& config : configs) texts.push_back(to_toml(config));
  return ordered_json{{"seeds", seeds}, {"folds", folds}, {"configs", texts}}.dump(2);
}

Protocol Protocol::from_json(const fs::path& file) {
  try {
    const auto json = nlohmann::json::parse(read_whole(file));
    Protocol protocol;
    protocol.seeds = json.at("seeds").get<std::vector<std::int64_t>>();
    protocol.folds = json.at("folds").get<std::vector<std::int64_t>>();
    for (const std::string text : json.at("configs"))
      protocol.configs.push_back(train_config_from_toml(text, file.string()));
    return protocol;
  } catch (const nlohmann::json::exception& error) {
    throw InvalidFile(file.string(), 0, error.what());
  }
}

PlannedFit Protocol::fit(const TrainConfig& config, std::int64_t seed, std::int64_t fold,
                         const fs::path& out) const {
  PlannedFit result;
  result.config = config;
  result.folder = out;
  result.label = config.model;
  result.config.seed = static_cast<std::uint64_t>(seed);
  result.config.fold = static_cast<int>(fold);
  std::string name = configs.size() > 1 ? config.model : "";
  const auto add = [&](const std::string& word, std::int64_t number) {
    name += (name.empty() ? "" : "-") + word + "-" + std::to_string(number);
    result.label += " " + word + " " + std::to_string(number);
  };
  if (seeds.size() > 1) add("seed", seed);
  if (folds.size() > 1) add("fold", fold);
  if (!name.empty()) result.folder /= name;
  return result;
}

std::vector<PlannedFit> Protocol::fits(const fs::path& out) const {
  std::vector<PlannedFit> result;
  for (const std::int64_t seed : seeds) {
    for (const std::int64_t fold : folds) {
      for (const TrainConfig& config : configs) result.push_back(fit(config, seed, fold, out));
    }
  }
  return result;
}

}  // namespace hgnet::app
