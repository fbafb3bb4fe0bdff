#include "hgnet/settings/search_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "hgnet/core/nearest_name.hpp"
#include "hgnet/settings/config.hpp"
#include "settings/toml_values.hpp"

namespace hgnet {
namespace {

constexpr const char* kStandard = R"toml(
lr = [0.0005, 0.001, 0.003, 0.01]
hidden = [16, 32, 64, 128]
dropout = [0.0, 0.2, 0.5]
weight-decay = [0.0, 0.0005]
[flat]
layers = [1, 2, 3, 4]
[hierarchical]
levels = [1, 2, 3]
)toml";

constexpr std::int64_t kReduction = 3;  // of the trials, and factor of the epochs, in each round

[[noreturn]] void refuse(const std::string& file, const toml::node& node, const std::string& what) {
  throw InvalidFile(file, node.source().begin.line, what);
}

/// What a search may not vary: it decides what the scores are of.
void check_searchable(const std::string& name, const toml::node& node, const std::string& file) {
  static const std::set<std::string> kFixed{
      "dataset",     "root",     "node-attributes", "targets",    "split",    "fold",
      "split-seed",  "reading",  "model",           "seed",       "epochs",   "metric",
      "threads",     "task",     "inputs",          "outputs",    "molecule", "label-column",
      "categorical", "directed", "edge-features",   "edge-inputs"};
  std::vector<std::string> names;
  TrainConfig config;
  for_each_train_field(config, [&](const std::string& candidate, auto&, const char*) {
    if (!kFixed.contains(candidate)) names.push_back(candidate);
  });
  if (kFixed.contains(name)) refuse(file, node, name + " is fixed in a search");
  if (std::find(names.begin(), names.end(), name) == names.end())
    refuse(file, node, unknown_name("setting", name, names));
}

/// Throws InvalidFile for a value that the setting cannot have.
void check_value(const std::string& name, const toml::node& node, const std::string& file) {
  const toml::value<double>* number = node.as_floating_point();
  if (number != nullptr && !std::isfinite(number->get()))
    refuse(file, node, name + " is not a finite number");
  TrainConfig config;
  set_field(config, name, node, file);
}

bool is_range(const toml::node& node) {
  return node.is_table() && node.as_table()->contains("min");
}

double bound_of(const toml::table& range, const char* name, const std::string& file) {
  const toml::node* node = range.get(name);
  const std::optional<double> number =
      node != nullptr && node->is_number() ? node->value<double>() : std::nullopt;
  if (!number || !std::isfinite(*number))  // a double holds no integers beyond 2^53
    refuse(file, range, std::string("a range needs the number ") + name + ", of a usual size");
  return *number;
}

std::string number_text(double value, bool whole) {
  if (whole) return std::to_string(std::llround(value));
  // Two digits are enough to tell settings apart, and readable.
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  const bool plain = std::string_view(text).find_first_of(".e") == std::string_view::npos;
  return plain ? std::string(text) + ".0" : std::string(text);
}

}  // namespace

std::string SearchSpace::Values::draw(Generator& generator) const {
  if (!listed.empty()) return listed[generator.below(listed.size())];
  const double share = generator.uniform();
  if (logarithmic)
    return number_text(std::exp(std::log(min) + share * (std::log(max) - std::log(min))), whole);
  return number_text(whole ? std::floor(min + share * (max - min + 1)) : min + share * (max - min),
                     whole);
}

SearchSpace SearchSpace::standard() { return from_toml(kStandard, "the standard space"); }

SearchSpace SearchSpace::from_toml(std::string_view text, const std::string& file) {
  const toml::table document = parse_toml(text, file);
  const std::vector<std::string> groups = all_tables();
  SearchSpace space;
  const auto add = [&](const std::string& table, const std::string& name, const toml::node& node) {
    check_searchable(name, node, file);
    Values& values = space.tables_[table][name];
    if (is_range(node)) {
      const toml::table& range = *node.as_table();
      values.min = bound_of(range, "min", file);
      values.max = bound_of(range, "max", file);
      values.logarithmic = range["log"].value_or(false);
      values.whole = range["min"].is_integer() && range["max"].is_integer();
      if (!(values.min < values.max) || (values.logarithmic && values.min <= 0))
        refuse(file, node, name + ": expected min below max, and both positive with log");
      check_value(name, *range.get("min"), file);
      check_value(name, *range.get("max"), file);
      return;
    }
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty())
      refuse(file, node, name + ": expected a list of values, or {min = ..., max = ...}");
    for (const toml::node& item : *list) {
      check_value(name, item, file);
      values.listed.push_back(toml_value(item, file).dump());
    }
  };
  for (const auto& [key, node] : document) {
    const std::string name(key.str());
    if (!node.is_table() || is_range(node)) {
      add("", name, node);
      continue;
    }
    if (std::find(groups.begin(), groups.end(), name) == groups.end())
      refuse(file, node, unknown_name("table", name, groups));
    for (const auto& [inner, item] : *node.as_table()) add(name, std::string(inner.str()), item);
  }
  return space;
}

SearchSpace::Table SearchSpace::values_for(const std::string& model) const {
  Table result;
  std::vector<std::string> names = tables_of(model);
  names.insert(names.begin(), "");
  for (const std::string& name : names) {
    const auto table = tables_.find(name);
    if (table == tables_.end()) continue;
    for (const auto& [setting, values] : table->second) result[setting] = values;
  }
  return result;
}

std::vector<Settings> SearchSpace::grid(const std::string& model, std::size_t most) const {
  std::vector<Settings> all{{}};
  for (const auto& [name, values] : values_for(model)) {
    if (values.listed.empty())
      throw Error("a grid has no place for the range of " + name + "; list its values");
    std::vector<Settings> more;
    for (const Settings& settings : all) {
      for (const std::string& value : values.listed) {
        more.push_back(settings);
        more.back()[name] = value;
      }
      if (more.size() > most)
        throw Error("the grid for " + model + " has more than " + std::to_string(most) +
                    " combinations; raise the number of trials, or shorten the lists");
    }
    all = std::move(more);
  }
  return all;
}

std::vector<Settings> SearchSpace::draw(const std::string& model, std::size_t count,
                                        Generator& generator) const {
  constexpr int kAttempts = 100;  // in a row, without a new one
  const Table values = values_for(model);
  std::set<Settings> drawn;
  std::vector<Settings> result;
  for (int attempts = 0; result.size() < count && attempts < kAttempts; ++attempts) {
    Settings settings;
    for (const auto& [name, choices] : values) settings[name] = choices.draw(generator);
    if (!drawn.insert(settings).second) continue;
    result.push_back(std::move(settings));
    attempts = 0;
  }
  return result;
}

std::vector<SearchRound> halving_rounds(std::size_t trials, std::int64_t epochs) {
  std::vector<SearchRound> rounds{{epochs, 1}};
  std::vector<std::size_t> left{trials};
  std::int64_t shortest = epochs;
  while (left.back() > kReduction && shortest >= kReduction * kReduction) {
    left.push_back((left.back() + kReduction - 1) / kReduction);
    shortest /= kReduction;
    rounds.insert(rounds.begin(), {shortest, 0});
  }
  for (std::size_t r = 0; r + 1 < rounds.size(); ++r) rounds[r].keep = left[r + 1];
  return rounds;
}

std::vector<std::size_t> best_of_round(const std::vector<std::optional<double>>& scores,
                                       std::size_t keep, bool lower_is_better) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (!scores[a] || !scores[b]) return scores[a].has_value() && !scores[b].has_value();
    return lower_is_better ? *scores[a] < *scores[b] : *scores[a] > *scores[b];
  });
  std::erase_if(order, [&](std::size_t i) { return !scores[i]; });
  order.resize(std::min(order.size(), keep));
  return order;
}

}  // namespace hgnet
