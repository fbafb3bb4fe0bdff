#include "hgnet/paper/settings.hpp"

#include <algorithm>
#include <array>

#include "core/field_json.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/data/color_dataset.hpp"
#include "hgnet/data/registry.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "hgnet/settings/reading.hpp"
#include "records/json_tree.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

const char* preset_of(const std::string& dataset) {
  if (dataset.starts_with("cc-")) return "color-connectivity";
  if (dataset.starts_with("ogbg-")) return "molecules";
  return paper_catalogue().data(dataset)->split == "public" ? "citation" : "tu";
}

/// Settings in which fits of the same kind differ, that follow from the data, or that have a place
/// of their own in a record.
constexpr std::array<std::string_view, 20> kNoVariant{
    "dataset",     "root",       "split",   "fold",     "split-seed", "reading",
    "model",       "seed",       "epochs",  "metric",   "max-hours",  "threads",
    "task",        "inputs",     "outputs", "molecule", "targets",    "coarsening-seed",
    "recalibrate", "edge-inputs"};

/// A list of the settings that the record has and that are others than these: "norm batch".
std::string other_settings(const FitRecord& record, const TrainConfig& expected) {
  std::string text;
  for_each_train_field(expected, [&](const std::string& name, const auto& field, const char*) {
    const auto found = record.config.find(name);
    if (found == record.config.end() ||
        std::find(kNoVariant.begin(), kNoVariant.end(), name) != kNoVariant.end() ||
        found->second == json_value(value_to_json(field)))
      return;
    const std::string value = found->second.plain_text();
    append(text, ", ", value.empty() ? "no " + name : name + " " + value);
  });
  return text;
}

/// Of a fold of a data set whose size is known; 0: not known.
std::int64_t samples_of_fold(const std::string& dataset, const std::string& split) {
  if (split != "folds:10") return 0;
  if (const auto crossing = crossing_ground(dataset)) return crossing->num_samples / 10;
  return known_dataset(dataset.substr(0, dataset.find(':'))).graphs / 10;
}

const PaperTable* named_table(const std::string& id) {
  for (const PaperTable& table : paper_tables()) {
    if (table.layout.id == id) return &table;
  }
  return nullptr;
}

}  // namespace

TrainConfig paper_settings(const std::string& model, int depth, const std::string& dataset,
                           const std::string& split, Reading reading, const PaperTable* table) {
  TrainConfig config;
  config.dataset = dataset;
  config.model = model;
  config.network = model_defaults(model);
  const std::string preset = preset_of(dataset);
  apply_preset(config, preset);
  config.epochs = paper_catalogue().data(dataset)->epochs;
  config.network.molecule = preset == "molecules";
  if (table != nullptr && table->norm) config.network.norm = *table->norm;
  read_settings(config, reading);
  (is_hierarchical(model) ? config.network.levels : config.network.layers) = depth;
  if (!config.network.keep.empty()) config.network.keep.resize(depth, config.network.keep.back());
  config.split = split;
  read_names(config, reading);
  return config;
}

void fill_in(FitRecord& record) {
  const bool as_run = record.reading == enum_name(Reading::kAsRun);
  if (as_run) record.dataset = dataset_as_written(record.dataset);
  if (as_run) record.split = split_as_written(record.split);
  record.dataset = canonical_dataset(record.dataset);
  const Catalogue::Data* data = paper_catalogue().data(record.dataset);
  if (data == nullptr || find_model(record.model) == nullptr) return;
  if (record.split.empty()) record.split = data->split;
  if (const std::int64_t count = samples_of_fold(record.dataset, record.split);
      record.samples.empty() && count > 0)
    record.samples["test"] = count;
  const bool has_depth = record.depth() >= least_depth(record.model);
  const int depth = has_depth ? record.depth() : paper_depth(record.model, record.dataset);
  const TrainConfig expected =
      paper_settings(record.model, depth, record.dataset, record.split,
                     as_run ? Reading::kAsRun : Reading::kAsWritten, named_table(record.table));
  if (record.reading.empty())
    record.reading = readings_differ(expected) ? enum_name(Reading::kAsWritten) : "both";
  record.variant = other_settings(record, expected);
  if (record.metric != data->metric && record.metrics.at("test").contains(data->metric)) {
    append(record.variant, ", ", "metric " + record.metric);
    record.metric = data->metric;
  }
}

}  // namespace hgnet
