#include "hgnet/records/fit_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/json_checksum.hpp"
#include "core/nested_text.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/core/error.hpp"
#include "records/json_tree.hpp"
#include "records/record_fields.hpp"

namespace hgnet {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A rule of the format is broken; the caller knows where.
struct BrokenRecord {
  std::string what;
};

Json parse_json(std::string_view text) {
  if (is_nested_deeply(text)) throw BrokenRecord{"nested too deeply"};
  return Json::parse(text);
}

std::string type_name(const Json& value) { return value.is_null() ? "nothing" : value.type_name(); }

double number_of(const Json& value, const std::string& field) {
  if (value.is_null()) return kNaN;
  if (!value.is_number())
    throw BrokenRecord{"'" + field + "': expected a number, got " + type_name(value)};
  return value.get<double>();
}

template <class T>
T whole_of(const Json& value, const std::string& field) {
  const bool fits =
      value.is_number_unsigned() || (value.is_number_integer() && std::is_signed_v<T>);
  if (!fits) throw BrokenRecord{"'" + field + "': expected an integer"};
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
    throw BrokenRecord{"'" + field + "': the number is too large"};
  if (!value.is_number_unsigned() &&
      value.get<std::int64_t>() < static_cast<std::int64_t>(std::numeric_limits<T>::min()))
    throw BrokenRecord{"'" + field + "': the number is too small"};
  return value.get<T>();
}

const Json& object_of(const Json& value, const std::string& field) {
  if (!value.is_object()) throw BrokenRecord{"'" + field + "': expected an object"};
  return value;
}

// read(value, field, target) for every type that a record's fields have.

void read(const Json& value, const std::string& field, std::string& target) {
  if (!value.is_string()) throw BrokenRecord{"'" + field + "': expected a string"};
  target = value.get<std::string>();
}

void read(const Json& value, const std::string& field, bool& target) {
  if (!value.is_boolean()) throw BrokenRecord{"'" + field + "': expected true or false"};
  target = value.get<bool>();
}

void read(const Json& value, const std::string& field, double& target) {
  target = number_of(value, field);
}

template <class T>
requires std::is_integral_v<T>
void read(const Json& value, const std::string& field, T& target) {
  target = whole_of<T>(value, field);
}

void read(const Json& value, const std::string& field, std::vector<double>& target) {
  if (!value.is_array()) throw BrokenRecord{"'" + field + "': expected a list of numbers"};
  target.clear();
  for (const Json& item : value) target.push_back(number_of(item, field));
}

template <class T>
void read(const Json& value, const std::string& field, std::map<std::string, T>& target) {
  target.clear();
  for (const auto& [name, item] : object_of(value, field).items())
    read(item, field + "." + name, target[name]);
}

void read(const Json& value, const std::string& field, JsonFields& target) {
  target.clear();
  for (const auto& [name, item] : object_of(value, field).items()) target[name] = json_value(item);
}

/// Removes the named field from the object and reads it.
template <class T>
void take(Json& json, const char* name, T& target, bool required) {
  const auto found = json.find(name);
  const bool missing = found == json.end() || found->is_null();
  if (missing && required) throw BrokenRecord{"'" + std::string(name) + "' is missing"};
  if (!missing) read(*found, name, target);
  if (found != json.end()) json.erase(found);
}

/// The text that the configuration has under this name, if any.
std::string text_option(const Json& record, const char* name) {
  const auto config = record.find("config");
  if (config == record.end() || !config->is_object()) return {};
  const auto found = config->find(name);
  return found != config->end() && found->is_string() ? found->get<std::string>() : std::string();
}

FitRecord fit_of(Json json) {
  try {
    take_json_checksum(json);  // records of version 0.1 have none
  } catch (const Error& error) {
    throw BrokenRecord{error.what()};
  }
  FitRecord record;
  const std::string coarsening = text_option(json, "coarsening");
  for_each_record_field(record, [&](const char* name, auto& field, bool required) {
    take(json, name, field, required);
  });
  if (!record.metrics.contains("test")) throw BrokenRecord{"'metrics.test' is missing"};
  read(json, "record", record.other);
  record.model = record_model(record.model, coarsening);
  return record;
}

ProbeRecord probe_of(Json json) {
  ProbeRecord record;
  for_each_probe_field(record, [&](const char* name, auto& field, bool required) {
    take(json, name, field, required);
  });
  if (record.influence.size() != record.distance.size())
    throw BrokenRecord{"'influence' and 'distance' differ in length"};
  return record;
}

/// False for an object that is about something else.
bool add_record(const Json& json, Records& records) {
  if (!json.is_object()) throw BrokenRecord{"expected an object, got " + type_name(json)};
  const auto kind = json.find("kind");
  if (kind != json.end() && *kind == "probe") {
    records.probes.push_back(probe_of(json));
    return true;
  }
  if (kind != json.end() ? *kind != "run" : !json.contains("model")) return false;
  records.fits.push_back(fit_of(json));
  return true;
}

std::int64_t line_of(std::string_view text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return 1 + std::count(text.begin(), end, '\n');
}

void parse_whole(std::string_view text, const std::string& name, Records& records) {
  try {
    if (!add_record(parse_json(text), records))
      records.notes.push_back(name + ": skipped, because it is not the record of a fit");
  } catch (const nlohmann::json::parse_error& error) {
    throw InvalidFile(name, line_of(text, error.byte), "not JSON: " + json_fault(error));
  } catch (const nlohmann::json::exception& error) {
    throw InvalidFile(name, 1, "not the record of a fit: " + json_fault(error));
  } catch (const BrokenRecord& broken) {
    throw InvalidFile(name, 1, "not the record of a fit: " + broken.what);
  }
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

void parse_lines(std::string_view text, const std::string& name, Records& records) {
  std::int64_t number = 0;
  std::int64_t others = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    const bool complete = end != std::string_view::npos;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(complete ? end + 1 : text.size());
    if (is_blank(line)) continue;
    try {
      if (!add_record(parse_json(line), records)) ++others;
    } catch (const nlohmann::json::exception& error) {
      if (complete) throw InvalidFile(name, number, "not JSON: " + json_fault(error));
      records.notes.push_back(name + ":" + std::to_string(number) +
                              ": the last line is incomplete and was skipped");
    } catch (const BrokenRecord& broken) {
      throw InvalidFile(name, number, "not the record of a fit: " + broken.what);
    }
  }
  if (others > 0)
    records.notes.push_back(name + ": skipped " + std::to_string(others) +
                            (others == 1 ? " line that is not a record of a fit"
                                         : " lines that are not records of fits"));
}

double score_in(const std::map<std::string, Metrics>& metrics, const std::string& part,
                const std::string& metric) {
  const auto scores = metrics.find(part);
  if (scores == metrics.end()) return kNaN;
  const auto found = scores->second.find(metric);
  return found == scores->second.end() ? kNaN : found->second;
}

}  // namespace

std::int64_t FitRecord::option_number(const std::string& option) const {
  const auto found = config.find(option);
  if (found == config.end()) return 0;
  const Json& value = tree_of(found->second);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

int FitRecord::depth() const {
  return static_cast<int>(option_number(is_hierarchical(model) ? "levels" : "layers"));
}

double FitRecord::score(const std::string& part) const { return score_in(metrics, part, metric); }

double FitRecord::baseline_score(const std::string& part) const {
  return score_in(baseline, part, metric);
}

double FitRecord::recalibrated_score(const std::string& part) const {
  return score_in(recalibrated, part, metric);
}

bool is_hierarchical(std::string_view model) {
  const ModelRow* row = find_model(model);
  return row != nullptr && row->hierarchical();
}

const char* depth_unit(std::string_view model) {
  const ModelRow* row = find_model(model);
  if (row != nullptr && row->frame == Frame::kWl) return "round";
  return is_hierarchical(model) ? "level" : "layer";
}

int least_depth(std::string_view model) {
  const ModelRow* row = find_model(model);
  return row != nullptr ? row->least_depth() : 1;
}

std::string record_model(const std::string& model, std::string_view coarsening) {
  return model == "hgnet" && !coarsening.empty() ? model + "-" + std::string(coarsening) : model;
}

void parse_records(std::string_view text, const std::string& name, Records& records) {
  if (name.ends_with(".json")) {
    parse_whole(text, name, records);
  } else {
    parse_lines(text, name, records);
  }
}

FitRecord parse_fit_record(std::string_view text, const std::string& file) {
  Records records;
  parse_whole(text, file, records);
  if (records.fits.empty()) throw InvalidFile(file, 1, "not the record of a fit");
  return records.fits.front();
}

}  // namespace hgnet
