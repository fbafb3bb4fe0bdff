#include "settings/epoch_json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/nested_text.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

/// The shortest decimal that reads back as the same number.
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

/// Null stands for what is not finite.
double number_of(const nlohmann::json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

Metrics metrics_of(const nlohmann::json& values) {
  Metrics metrics;
  for (const auto& [name, value] : values.get_ref<const nlohmann::json::object_t&>())
    metrics[name] = number_of(value);
  return metrics;
}

}  // namespace

// Written by hand: on a small graph, building a tree of values takes a percent of the epoch. Metric
// names need no escaping.
std::string epoch_to_json(const EpochRecord& record) {
  std::string out = "{\"epoch\":";
  out += std::to_string(record.epoch);
  out += ",\"lr\":";
  append_number(out, record.lr);
  append_metrics(out, "train", record.train);
  append_metrics(out, "val", record.val);
  append_metrics(out, "test", record.test);
  if (!record.recalibrated.empty()) append_metrics(out, "recalibrated", record.recalibrated);
  out += ",\"seconds\":{\"train\":";
  append_number(out, record.train_seconds);
  out += ",\"evaluate\":";
  append_number(out, record.evaluate_seconds);
  return out += "}}";
}

EpochRecord epoch_from_json(const std::string& text, const std::string& file, std::int64_t line) {
  try {
    const auto json = parse_shallow_json(text);
    EpochRecord record;
    if (json.at("epoch") != line)
      throw InvalidFile(file, line,
                        "epoch " + json.at("epoch").dump() + "; expected " + std::to_string(line));
    record.epoch = line;
    record.lr = json.at("lr");
    record.train = metrics_of(json.at("train"));
    record.val = metrics_of(json.at("val"));
    record.test = metrics_of(json.at("test"));
    if (const auto found = json.find("recalibrated"); found != json.end())
      record.recalibrated = metrics_of(*found);
    record.train_seconds = json.at("seconds").at("train");
    record.evaluate_seconds = json.at("seconds").at("evaluate");
    return record;
  } catch (const nlohmann::json::exception& error) {
    throw InvalidFile(file, line, "not the record of an epoch: " + json_fault(error));
  }
}

}  // namespace hgnet
