// hgnet models: the models, and a model's settings with their defaults.

#include "models.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "commands.hpp"
#include "help.hpp"
#include "hgnet/config/edge_use.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/settings/config.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "text_columns.hpp"
#include "train_options.hpp"

namespace hgnet::app {
namespace {

struct ModelsArguments {
  std::string model;
  bool json = false;
};

std::string kind_of(const ModelRow& row) {
  switch (row.frame) {
    case Frame::kFlat:
      return std::string("flat, ") + std::string(enum_name(row.layer)) + " layers" +
             (row.virtual_node ? " and a virtual node" : "");
    case Frame::kGUnet: return "hierarchical, keeps the best nodes";
    case Frame::kHgnet:
      return row.coarsening ? "hierarchical, coarsening " + std::string(enum_name(*row.coarsening))
                            : "hierarchical, any coarsening";
    case Frame::kWl: return "yardstick, counts of colours";
    case Frame::kRows: return "yardstick, no edges";
  }
  return "";
}

/// The configurations that a model can have, as far as that decides which settings are read.
std::vector<ModelConfig> variants_of(const std::string& model) {
  std::vector<ModelConfig> variants;
  for (const Task task : {Task::kNode, Task::kGraph}) {
    for (const auto& [layer, name] : EnumNames<LayerKind>::values) {
      ModelConfig config = model_defaults(model);
      config.task = task;
      if (read_by::kHgnet.include(config)) config.layer = layer;
      if (read_by::kGraphLayers.include(config)) config.norm = Norm::kBatch;
      if (read_by::kFlatModels.include(config)) config.residual = true;
      variants.push_back(config);
    }
  }
  return variants;
}

/// Settings of the network that the model reads, for some choice of the others.
std::vector<std::string> settings_of(const std::string& model) {
  static const std::set<std::string> kFollowTheData{"model", "task", "inputs", "outputs",
                                                    "molecule"};
  const std::vector<ModelConfig> variants = variants_of(model);
  const ModelRow& row = model_row(model);
  std::vector<std::string> names;
  ModelConfig any;
  for_each_field(any, [&](const std::string& name, const auto&, const char*, const Readers& who) {
    const bool fixed = name == "coarsening" && row.coarsening.has_value();
    const bool read = std::any_of(variants.begin(), variants.end(),
                                  [&](const auto& c) { return who.include(c); });
    if (read && !fixed && kFollowTheData.count(name) == 0) names.push_back(name);
  });
  return names;
}

/// Settings that all models with graph layers read.
std::vector<std::string> common_settings() {
  std::vector<std::string> common = settings_of("gcn");
  for (const ModelRow& row : model_table()) {
    if (row.yardstick()) continue;
    const std::vector<std::string> theirs = settings_of(std::string(row.name));
    std::erase_if(common, [&](const std::string& name) {
      return std::find(theirs.begin(), theirs.end(), name) == theirs.end();
    });
  }
  return common;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string edges_of(const std::string& model) {
  const ModelConfig config = model_defaults(model);
  std::string use = reads_edge_weights(config) ? "weights" : "";
  if (takes_edge_rows(config)) use += std::string(use.empty() ? "" : ", ") + "features";
  return use.empty() ? "no" : use;
}

void print_row(const std::string& name, const std::string& kind, const std::string& edges,
               const std::string& settings) {
  const auto padded = [](std::string text, std::size_t width) {
    text.resize(std::max(text.size() + 1, width), ' ');
    return text;
  };
  std::cout << padded(name, 18) << padded(kind, 36) << edges << "\n"
            << std::string(4, ' ') << wrapped(settings, kHelpWidth, 4) << "\n";
}

void print_models() {
  const std::vector<std::string> common = common_settings();
  print_row("name", "kind", "what it reads of edges", "settings, besides those of all models");
  std::cout << "\n";
  for (const ModelRow& row : model_table()) {
    const std::string name(row.name);
    std::vector<std::string> own = settings_of(name);
    if (!row.yardstick()) {
      std::erase_if(own, [&](const std::string& setting) {
        return std::find(common.begin(), common.end(), setting) != common.end();
      });
    }
    print_row(name, kind_of(row), edges_of(name), listed(own));
  }
  std::cout << "\n"
            << wrapped("of all models but yardsticks: " + listed(common), kHelpWidth, 4)
            << "\n\n'hgnet models MODEL' shows a model's settings and their defaults.\n";
}

void print_json(const std::vector<std::string>& models) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::string& name : models) {
    list.push_back({{"name", name},
                    {"kind", kind_of(model_row(name))},
                    {"edges", edges_of(name)},
                    {"settings", settings_of(name)}});
  }
  std::cout << list.dump(2) << "\n";
}

void run_models(const ModelsArguments& options) {
  if (options.json) {
    print_json(options.model.empty() ? model_names() : std::vector{options.model});
  } else if (options.model.empty()) {
    print_models();
  } else {
    std::cout << options.model << ": " << kind_of(model_row(options.model))
              << "; reads of edges: " << edges_of(options.model) << "\n\n"
              << defaults_table(options.model);
  }
}

}  // namespace

std::string defaults_table(const std::string& model, const std::vector<std::string>& only) {
  static const std::set<std::string> kTraining{"epochs",       "batch",          "lr",
                                               "weight-decay", "decay-on",       "lr-decay",
                                               "patience",     "lr-decay-every", "clip"};
  const std::vector<std::string> rows = settings_of(model);
  std::vector<std::vector<std::string>> table{{""}};
  for (const std::string& preset : preset_names()) {
    TrainConfig config;
    config.model = model;
    config.network = model_defaults(model);
    apply_preset(config, preset);
    const JsonFields values = recorded_settings(config);
    table[0].push_back(preset);
    std::size_t row = 0;
    for_each_train_field(config, [&](const std::string& name, const auto&, const char*) {
      const bool read =
          kTraining.count(name) > 0 || std::find(rows.begin(), rows.end(), name) != rows.end();
      if (!read || (!only.empty() && std::find(only.begin(), only.end(), name) == only.end()))
        return;
      if (++row == table.size()) table.push_back({name});
      table[row].push_back(values.at(name).plain_text());
    });
  }
  std::string text;
  for (const std::string& line : in_columns(table)) text += "  " + line + "\n";
  return text;
}

void add_models(CLI::App& program) {
  auto options = std::make_shared<ModelsArguments>();
  CLI::App* command = program.add_subcommand(
      "models", "List the models: kind, settings, what they read of edges; a model's defaults");
  command->group(kModelGroup);
  command->add_option("model", options->model, "Show this model's settings and their defaults")
      ->type_name("MODEL")
      ->transform(model_name());
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer("Examples:\n  hgnet models\n  hgnet models gat");
  command->callback([options] { run_models(*options); });
}

}  // namespace hgnet::app
