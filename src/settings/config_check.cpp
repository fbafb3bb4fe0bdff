// Which settings of a fit are refused, and in what two differ.

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/field_json.hpp"
#include "hgnet/config/limits.hpp"
#include "hgnet/settings/config.hpp"
#include "hgnet/settings/memory_plan.hpp"

namespace hgnet {
namespace {

using nlohmann::json;

void require(bool holds, const std::string& rule) {
  if (!holds) throw Error("training: " + rule);
}

// check_field(name, field) refuses what config.toml cannot hold, before training instead of after
// it, and sizes beyond limits.hpp.

void check_field(const std::string& name, const std::string& text) {
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  const auto found = std::find_if(text.begin(), text.end(), control);
  require(found == text.end(), name + " has a control character at place " +
                                   std::to_string(found - text.begin() + 1) +
                                   "; expected plain text");
  try {
    json(text).dump();
  } catch (const json::exception&) {
    require(false, name + " is not UTF-8 text");
  }
}

void check_field(const std::string&, bool) {}

void check_field(const std::string& name, double number) {
  require(std::isfinite(number), name + " is not a finite number");
}

void check_field(const std::string& name, const std::vector<double>& numbers) {
  for (const double number : numbers) check_field(name, number);
}

template <class T>
requires std::is_integral_v<T>
void check_field(const std::string& name, T number) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  require(std::in_range<std::int64_t>(number),
          name + " is " + std::to_string(number) + "; expected at most " + std::to_string(kMost));
  check_limit(name, static_cast<std::int64_t>(number));
}

template <class E>
requires std::is_enum_v<E>
void check_field(const std::string&, E) {}

}  // namespace

void check(const TrainConfig& c) {
  require(!c.dataset.empty(), "no data set given");
  require(c.epochs > 0, "epochs must be positive");
  require(c.batch > 0, "batch must be positive");
  require(c.batch_nodes >= 0, "batch-nodes must not be negative");
  if (!c.memory.empty()) memory_bytes(c.memory);
  require(c.lr > 0 && std::isfinite(c.lr), "lr must be positive");
  require(c.weight_decay >= 0, "weight-decay must not be negative");
  require(c.lr_decay > 0 && c.lr_decay <= 1, "lr-decay must be above 0 and at most 1");
  require(c.lr_decay_every >= 0, "lr-decay-every must not be negative");
  require(c.lr_decay_every > 0 || c.lr_decay == 1, "lr-decay needs lr-decay-every");
  require(c.patience >= 0, "patience must not be negative");
  require(c.max_hours >= 0, "max-hours must not be negative");
  require(c.clip >= 0, "clip must not be negative");
  require(c.threads > 0, "threads must be positive");
  require(c.fold >= -1, "fold is " + std::to_string(c.fold) + "; expected 0 or more");
  for_each_train_field(
      c, [](const std::string& name, const auto& field, const char*) { check_field(name, field); });
}

std::string first_difference(const TrainConfig& a, const TrainConfig& b,
                             std::span<const std::string_view> ignored) {
  json theirs;
  for_each_train_field(b, [&](const std::string& name, const auto& field, const char*) {
    theirs[name] = value_to_json(field);
  });
  std::string result;
  for_each_train_field(a, [&](const std::string& name, const auto& field, const char*) {
    const json ours = value_to_json(field);
    const bool counts = std::find(ignored.begin(), ignored.end(), name) == ignored.end();
    if (result.empty() && counts && ours != theirs.at(name))
      result = name + " is " + ours.dump() + " and " + theirs.at(name).dump();
  });
  return result;
}

}  // namespace hgnet
