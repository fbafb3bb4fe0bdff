#include "train/checkpoint.hpp"

#include <cmath>
#include <sstream>
#include <utility>

#include "core/nested_text.hpp"

namespace hgnet {
namespace {

using nlohmann::json;

constexpr const char* kFitEntry = "fit";
constexpr const char* kConfigEntry = "config";
constexpr const char* kDataEntry = "data";

std::string state_text(const Generator::State& state) {
  std::string text;
  for (const std::uint64_t word : state) text += std::to_string(word) + " ";
  return text;
}

Generator::State state_of(const std::string& text) {
  std::istringstream stream(text);
  Generator::State state{};
  for (std::uint64_t& word : state) stream >> word;
  if (!stream) throw Error("the state of a random generator is damaged");
  return state;
}

std::int64_t count_in(const json& numbers, const char* name, std::int64_t least,
                      std::int64_t most) {
  const json& value = numbers.at(name);
  const bool whole =
      value.is_number_integer() &&
      (!value.is_number_unsigned() || std::in_range<std::int64_t>(value.get<std::uint64_t>()));
  if (!whole || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most)
    throw Error(std::string(name) + " is " + value.dump() + "; expected " + std::to_string(least) +
                " to " + std::to_string(most));
  return value.get<std::int64_t>();
}

/// A sum or a time.
double amount_in(const json& numbers, const char* name) {
  const auto value = numbers.at(name).get<double>();
  if (!std::isfinite(value) || value < 0)
    throw Error(std::string(name) + " is " + numbers.at(name).dump() + "; expected 0 or more");
  return value;
}

std::string list_of(std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

const std::string& entry(const Metadata& metadata, const char* name) {
  const auto found = metadata.find(name);
  if (found == metadata.end()) throw Error(std::string("the entry ") + name + " is missing");
  return found->second;
}

CheckpointNumbers numbers_of(const json& all, std::int64_t batches) {
  constexpr std::int64_t kMostEpochs = 1'000'000'000;
  CheckpointNumbers result;
  FitCounters& c = result.counters;
  c.epoch = count_in(all, "epoch", 0, kMostEpochs);
  c.batch = count_in(all, "batch", 0, batches);
  c.best_epoch = count_in(all, "best_epoch", 0, c.epoch);
  c.best_value = all.at("best_value").get<double>();
  c.loss_sum = all.at("loss_sum").get<double>();
  c.targets = amount_in(all, "targets");
  c.train_seconds = amount_in(all, "train_seconds");
  c.evaluate_seconds = amount_in(all, "evaluate_seconds");
  const std::int64_t steps = c.epoch * batches + c.batch;
  result.history = all.value("history", "");
  result.adam_steps = count_in(all, "adam_steps", steps, steps);
  result.shuffle = state_of(all.at("shuffle").get<std::string>());
  result.dropout = state_of(all.at("dropout").get<std::string>());
  return result;
}

}  // namespace

Metadata to_metadata(const CheckpointNumbers& numbers, const FitOrigin& origin) {
  const FitCounters& c = numbers.counters;
  const json all{{"epoch", c.epoch},
                 {"batch", c.batch},
                 {"best_epoch", c.best_epoch},
                 {"best_value", c.best_value},
                 {"loss_sum", c.loss_sum},
                 {"targets", c.targets},
                 {"train_seconds", c.train_seconds},
                 {"evaluate_seconds", c.evaluate_seconds},
                 {"adam_steps", numbers.adam_steps},
                 {"history", numbers.history},
                 {"shuffle", state_text(numbers.shuffle)},
                 {"dropout", state_text(numbers.dropout)}};
  return {{kFitEntry, all.dump()},
          {kConfigEntry, to_toml(origin.config)},
          {kDataEntry, json(origin.data).dump()}};
}

CheckpointNumbers checkpoint_numbers(const Metadata& metadata, std::int64_t batches) {
  try {
    return numbers_of(parse_shallow_json(entry(metadata, kFitEntry)), batches);
  } catch (const json::exception& error) {
    throw Error("its numbers are damaged: " + json_fault(error));
  }
}

void check_origin(const Metadata& metadata, const FitOrigin& origin) {
  const TrainConfig theirs =
      train_config_from_toml(entry(metadata, kConfigEntry), "its configuration");
  const std::string setting = first_difference(origin.config, theirs, kMayChange);
  if (!setting.empty())
    throw Error("the settings have changed (now, and when it began): " + setting + "; only " +
                list_of(kMayChange) + " may change");
  if (!metadata.contains(kDataEntry))
    throw Error("it has no checksums of the data, as those of version 0.1; begin the fit anew");
  try {
    const json data = parse_shallow_json(entry(metadata, kDataEntry));
    std::string changed;
    for (const auto& [part, sum] : origin.data) {
      if (data.at(part) != sum) changed += (changed.empty() ? "" : ", ") + part;
    }
    if (!changed.empty())
      throw Error("the data have changed since it began: " + changed + " of " +
                  origin.config.dataset + " have other checksums");
  } catch (const json::exception& error) {
    throw Error("its checksums of the data are damaged: " + json_fault(error));
  }
}

}  // namespace hgnet
