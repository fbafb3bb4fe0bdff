#include "train/epoch_json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/nested_text.hpp"

namespace hgnet {
namespace {

/// The shortest digits that read back as the same number.
void append_number(std::string& out, double value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out += std::isfinite(value) ? std::string_view(digits.data(), end) : "null";
}

void append_metrics(std::string& out, const char* part, const Metrics& metrics) {
  out.append(",\"").append(part).append("\":{");
  for (const auto& [name, value] : metrics) {
    if (out.back() != '{') out += ',';
    out.append("\"").append(name).append("\":");
    append_number(out, value);
  }
  out += '}';
}

}  // namespace

// Written by hand, since on a small graph a tree of values costs a percent of the epoch. Names of metrics need no escapes.
std::string epoch_to_json(const EpochRecord& record) {
  std::string out = "{\"epoch\":";
  out += std::to_string(record.epoch);
  out += ",\"lr\":";
  append_number(out, record.lr);
  append_metrics(out, "train", record.train);
  append_metrics(out, "val", record.val);
  append_metrics(out, "test", record.test);
  out += ",\"seconds\":{\"train\":";
  append_number(out, record.train_seconds);
  out += ",\"evaluate\":";
  append_number(out, record.evaluate_seconds);
  return out += "}}";
}

EpochRecord epoch_from_json(const std::string& text, const std::string& file, std::int64_t line) {
  try {
    const auto json = parse_json(text, file, line);
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
