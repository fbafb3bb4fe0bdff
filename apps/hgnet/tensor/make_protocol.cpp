#include "tensor/make_protocol.hpp"

#include <algorithm>
#include <iostream>
#include <numeric>
#include <set>
#include <sstream>

#include "commands.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/settings/reading.hpp"
#include "hgnet/train/split_warnings.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "models.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;

/// Built-in defaults of the model, then the preset, then the file, then the command line.
std::vector<TrainConfig> effective_configs(const TrainChoice& choice, InputStore& store) {
  TrainConfig named;  // enough to find the data set and the models
  named.edge_features = EdgeFeatures::kAuto;
  named.model = kDefaultModel;
  const std::string name = choice.config_file.string();
  const std::string file = name.empty() ? "" : read_whole(choice.config_file);
  if (!file.empty()) {
    named.model = model_in_toml(file, name).value_or(named.model);
    apply_toml(named, file, name);
  }
  choice.train.apply(named);
  if (named.dataset.empty()) throw CLI::RequiredError("--dataset");
  read_names(named, named.reading);
  if (!named.memory.empty()) return_freed_memory();
  const auto dataset = store.dataset(named);

  // With several models, each takes the settings that apply to it; a setting that applies to none
  // is an error.
  const auto useful = [&](TrainConfig config) {
    try {
      complete(config, *dataset);
      check(config.network);
    } catch (const NoEffect&) {
      return false;
    } catch (const Error&) {  // reported later, once all settings are set
    }
    return true;
  };
  // A model to begin with brings its own size; its task and widths follow the data.
  std::optional<TrainConfig> start;
  if (!named.init_from.empty() && choice.models.empty())
    check_usage("--init-from", [&] { start = fits_in(named.init_from).front().config(); });
  if (start) named.model = start->model;
  std::set<std::string> used;
  std::vector<TrainConfig> configs;
  for (const std::string& model :
       choice.models.empty() ? std::vector{named.model} : choice.models) {
    TrainConfig& config = configs.emplace_back();
    config = first_settings(model, *dataset, choice.preset, named.edge_features);
    config.dataset = named.dataset;
    if (start) {
      config.network = start->network;
      config.edge_features = start->edge_features;
    }
    read_settings(config, named.reading);
    if (!file.empty()) apply_toml(config, file, name);
    if (choice.models.size() > 1) {
      choice.train.apply_useful(config, useful, used);
    } else {
      choice.train.apply(config);
    }
    config.model = model;
    read_names(config, named.reading);
    // Without a slash at its end, so that the same data have one name.
    if (fs::exists(config.dataset))
      config.dataset =
          (fs::absolute(config.dataset) / "").lexically_normal().parent_path().string();
    if (!config.root.empty()) config.root = fs::absolute(config.root).string();
    if (!config.init_from.empty()) config.init_from = fs::absolute(config.init_from).string();
  }
  for (const std::string& option : choice.train.given()) {
    if (choice.models.size() > 1 && used.count(option) == 0)
      throw WrongUsage(option + " has no effect on any of the models");
  }
  return configs;
}

/// Refuses a reading that changes nothing, with the list of what it changes.
void check_reading(const std::vector<TrainConfig>& configs) {
  if (configs.front().reading == Reading::kAsWritten ||
      std::any_of(configs.begin(), configs.end(), readings_differ))
    return;
  std::string where;
  for (const auto effects : {reading_effects_on_names(), reading_effects_on_settings()}) {
    for (const ReadingEffect& effect : effects)
      if (effect.tells_apart) where += std::string("\n  ") + effect.where;
  }
  throw WrongUsage("--reading as-run has no effect here: for " + configs.front().model + " on " +
                   configs.front().dataset +
                   " the paper and its authors' program agree. They differ in" + where);
}

void check_folds(const std::vector<std::int64_t>& folds, const TrainConfig& config,
                 const Dataset& dataset) {
  const int there = num_folds(dataset, config.split);
  for (const std::int64_t fold : folds) {
    if (fold >= 0 && there == 0)
      throw WrongUsage("--fold: split " + config.split + " has no folds to choose from");
    if (fold >= there)
      throw WrongUsage("fold " + std::to_string(fold) + " of split " + config.split +
                       "; expected 0 to " + std::to_string(there - 1));
  }
}

template <class T>
void check_once(const std::string& option, std::vector<T> values) {
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice == values.end()) return;
  std::ostringstream text;
  text << option << ": " << *twice << " is given twice";
  throw WrongUsage(text.str());
}

/// The listed values, or else the first `count`.
template <class T>
std::vector<T> chosen(const std::vector<T>& listed, int count) {
  if (!listed.empty()) return listed;
  std::vector<T> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), T{0});
  return numbers;
}

}  // namespace

Protocol make_protocol(const TrainChoice& choice, InputStore& store) {
  constexpr int kFolds = 10;
  check_once("--model", choice.models);
  check_once("--seed", choice.seeds);
  check_once("--fold", choice.folds);
  Protocol protocol;
  protocol.configs = effective_configs(choice, store);
  protocol.seeds = chosen(choice.seeds, choice.seed_count);
  protocol.folds = chosen(choice.folds, choice.fold_count);
  for (TrainConfig& config : protocol.configs) {
    if (!protocol.folds.empty() && config.split.empty())
      config.split = "folds:" + std::to_string(choice.fold_count > 0 ? choice.fold_count : kFolds);
    check_usage(config.model, [&] { check(config); });
    check_usage(config.model, [&] {
      complete(config, *store.dataset(config));
      check(config.network);
    });
  }
  check_reading(protocol.configs);
  const TrainConfig& first = protocol.configs.front();
  if (protocol.seeds.empty()) protocol.seeds = {first.seed};
  if (protocol.folds.empty()) protocol.folds = {first.fold};
  for (const TrainConfig& config : protocol.configs) {
    const auto dataset = store.dataset(config);
    check_folds(protocol.folds, config, *dataset);
    if (config.init_from.empty()) continue;
    check_usage(config.model, [&] {
      const std::string note =
          check_start_is_new(first_weights(config, *dataset), config, *dataset, protocol.folds);
      if (!note.empty()) std::cerr << "note: " << note << "\n";
    });
  }
  check_usage("fits", [&] {
    protocol.check();
    for (const PlannedFit& fit : protocol.fits({})) check(fit.config);
  });
  return protocol;
}

void warn_of_splits(const Protocol& protocol, InputStore& store) {
  const TrainConfig& config = protocol.configs.front();  // all have the same data and split
  const auto dataset = store.dataset(config);
  std::vector<Split> splits;
  for (const std::int64_t fold : protocol.folds)
    splits.push_back(
        choose_split(*dataset, config.split, config.split_seed, static_cast<int>(fold)));
  for (const std::string& warning : split_warnings(*dataset, splits))
    std::cerr << "warning: " << warning << "\n";
}

}  // namespace hgnet::app
