#include "hgnet/settings/config.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/field_json.hpp"
#include "core/nested_text.hpp"
#include "hgnet/config/edge_use.hpp"
#include "hgnet/config/limits.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/config/molecules.hpp"
#include "hgnet/core/nearest_name.hpp"
#include "hgnet/data/registry.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/settings/memory_plan.hpp"
#include "settings/preset_texts.hpp"
#include "settings/toml_values.hpp"

namespace hgnet {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& file, const toml::node& node, const std::string& what) {
  throw InvalidFile(file, node.source().begin.line, what);
}

std::int64_t input_width(const Dataset& dataset, Missing missing) {
  const auto* rows = std::get_if<CategoricalRows>(&dataset.features);
  if (rows == nullptr) return encoded_node_width(dataset, missing);
  return std::accumulate(rows->sizes.begin(), rows->sizes.end(), std::int64_t{0});
}

std::string default_metric(const Dataset& dataset) {
  switch (dataset.target_kind) {
    case TargetKind::kClasses: return "accuracy";
    case TargetKind::kRegression: return "rmse";
    case TargetKind::kMultiLabel: break;
  }
  for (const KnownDataset& known : known_datasets()) {
    if (known.name == dataset.name && known.metric == "average precision")
      return "average_precision";
  }
  return "roc_auc";
}

}  // namespace

void set_field(TrainConfig& config, const std::string& name, const toml::node& node,
               const std::string& file) {
  bool found = false;
  std::vector<std::string> names;
  for_each_train_field(config, [&](const std::string& candidate, auto& field, const char*) {
    names.push_back(candidate);
    if (candidate != name) return;
    found = true;
    try {
      value_from_json(toml_value(node, file), field);
    } catch (const json::exception&) {
      fail(file, node, name + " has a value of the wrong type");
    } catch (const InvalidFile&) {
      throw;
    } catch (const Error& error) {
      fail(file, node, name + ": " + error.what());
    }
  });
  if (!found) fail(file, node, unknown_name("setting", name, names));
}

toml::table parse_toml(std::string_view text, const std::string& file) {
  check_toml_nesting(text, file);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InvalidFile(file, error.source().begin.line, std::string(error.description()));
  }
}

json toml_value(const toml::node& node, const std::string& file) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* truth = node.as_boolean()) return truth->get();
  if (const auto* array = node.as_array()) {
    json result = json::array();
    for (const toml::node& item : *array) result.push_back(toml_value(item, file));
    return result;
  }
  fail(file, node, "expected text, a number, true, false or a list");
}

std::vector<std::string> tables_of(const std::string& model) {
  const ModelRow& row = model_row(model);
  if (row.yardstick()) return {model};
  std::vector<std::string> tables{row.hierarchical() ? "hierarchical" : "flat"};
  if (row.coarsening) tables.push_back(model_defaults(model).model);
  tables.push_back(model);
  return tables;
}

std::vector<std::string> all_tables() {
  std::vector<std::string> tables = model_names();
  tables.insert(tables.end(), {"flat", "hierarchical"});
  return tables;
}

LoadOptions load_options(const TrainConfig& config) {
  return {.root = config.root,
          .node_attributes = config.node_attributes,
          .edge_features = config.edge_features,
          .targets = config.targets,
          .label_column = config.label_column,
          .categorical = config.categorical,
          .directed = config.directed};
}

bool are_molecules(const Dataset& dataset) {
  const auto* atoms = std::get_if<CategoricalRows>(&dataset.features);
  return atoms != nullptr &&
         std::accumulate(atoms->sizes.begin(), atoms->sizes.end(), std::int64_t{0}) == kAtomWidth &&
         dataset.edge_columns.size() == kBondColumns.size();
}

std::string to_toml(const TrainConfig& config) {
  std::string text;
  for_each_train_field(config, [&](const std::string& name, const auto& field, const char*) {
    text += name + " = " + value_to_json(field).dump() + "\n";
  });
  return text;
}

void apply_toml(TrainConfig& config, std::string_view text, const std::string& file) {
  const toml::table document = parse_toml(text, file);
  const std::vector<std::string> tables = all_tables();
  for (const auto& [key, node] : document) {
    const std::string name(key.str());
    if (name == "model") continue;  // already chosen: see model_in_toml
    if (!node.is_table()) {
      set_field(config, name, node, file);
    } else if (std::find(tables.begin(), tables.end(), name) == tables.end()) {
      fail(file, node, unknown_name("table", name, tables));
    }
  }
  for (const std::string& name : tables_of(config.model)) {
    const toml::table* table = document[name].as_table();
    if (table == nullptr) continue;
    for (const auto& [key, node] : *table) set_field(config, std::string(key.str()), node, file);
  }
}

std::optional<std::string> model_in_toml(std::string_view text, const std::string& file) {
  const toml::table document = parse_toml(text, file);
  const toml::node* model = document.get("model");
  if (model == nullptr) return std::nullopt;
  if (!model->is_string()) fail(file, *model, "model: expected the name of a model");
  try {
    model_defaults(model->as_string()->get());
  } catch (const Error& error) {
    fail(file, *model, error.what());
  }
  return model->as_string()->get();
}

TrainConfig train_config_from_toml(std::string_view text, const std::string& file) {
  TrainConfig config;
  config.model = model_in_toml(text, file).value_or(config.model);
  config.network = model_defaults(config.model);
  apply_toml(config, text, file);
  try {
    check(config);
  } catch (const Error& error) {
    throw InvalidFile(file, 0, error.what());
  }
  return config;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const PresetText& preset : kPresetTexts) names.emplace_back(preset.name);
  return names;
}

void apply_preset(TrainConfig& config, const std::string& name) {
  for (const PresetText& preset : kPresetTexts) {
    if (preset.name == name) return apply_toml(config, preset.text, "configs/" + name + ".toml");
  }
  throw Error(unknown_name("preset", name, preset_names()));
}

}  // namespace hgnet
