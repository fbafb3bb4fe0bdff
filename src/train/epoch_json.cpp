#include "train/epoch_json.hpp"

#include <nlohmann/json.hpp>

namespace hgnet {

std::string epoch_to_json(const EpochRecord& record) {
  const nlohmann::ordered_json json{
      {"epoch", record.epoch},
      {"lr", record.lr},
      {"train", record.train},
      {"val", record.val},
      {"test", record.test},
      {"seconds", {{"train", record.train_seconds}, {"evaluate", record.evaluate_seconds}}}};
  return json.dump();
}

EpochRecord epoch_from_json(const std::string& text, const std::string& file, std::int64_t line) {
  try {
    const auto json = nlohmann::json::parse(text);
    EpochRecord record;
    record.epoch = json.at("epoch");
    record.lr = json.at("lr");
    record.train = json.at("train").get<Metrics>();
    record.val = json.at("val").get<Metrics>();
    record.test = json.at("test").get<Metrics>();
    record.train_seconds = json.at("seconds").at("train");
    record.evaluate_seconds = json.at("seconds").at("evaluate");
    return record;
  } catch (const nlohmann::json::exception& error) {
    throw InvalidFile(file, line, std::string("not the record of an epoch: ") + error.what());
  }
}

}  // namespace hgnet
