#include "hgnet/train/trained_fit.hpp"

#include <algorithm>
#include <iterator>

#include "core/checksum.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/data/fingerprint.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/data/sample_keys.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/models/archive.hpp"
#include "records/json_tree.hpp"

namespace hgnet {
namespace fs = std::filesystem;
namespace {

/// Numbers the classes as in `names`. A class that is not in `names` gets the next number after
/// them.
void order_classes(Dataset& dataset, std::vector<std::string> names) {
  std::vector<std::int32_t> number;
  for (const std::string& name : dataset.class_names) {
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) found = names.insert(names.end(), name);
    number.push_back(static_cast<std::int32_t>(found - names.begin()));
  }
  for (std::int32_t& label : dataset.classes) {
    if (label != kUnlabelled) label = number[label];
  }
  dataset.class_names = std::move(names);
}

/// Without targets, a data set says nothing about their kind.
bool has_targets(const Dataset& dataset) {
  return dataset.num_tasks > 0 || dataset.num_classes() > 0;
}

/// Of two ascending lists.
std::int64_t num_common(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return std::ssize(common);
}

std::vector<std::int64_t> united(const std::vector<std::int64_t>& a,
                                 const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

Split split_within(const FittedData& fitted, const Dataset& dataset) {
  const auto ours = fingerprint(fitted.dataset);
  const auto theirs = fingerprint(dataset);
  const bool same =
      ours.at("graphs") == theirs.at("graphs") && ours.at("features") == theirs.at("features");
  return same ? fitted.split : recognised(dataset, fitted.dataset, fitted.split);
}

FittedData data_of(const TrainConfig& config, const FitFolder& fit) {
  FittedData fitted{load_named(config), {}};
  fitted.split = choose_split(fitted.dataset, config.split, config.split_seed, config.fold);
  match_to_fit(fitted.dataset, fit);
  return fitted;
}

/// What the fit of `config` began with; none if there is nothing, or it is gone.
std::optional<TrainConfig> start_of(const TrainConfig& config, const std::string& root) {
  if (config.init_from.empty() || !fs::exists(config.init_from)) return std::nullopt;
  TrainConfig start = fits_in(config.init_from).front().config();
  if (!root.empty()) start.root = root;
  return start;
}

}  // namespace

Dataset load_named(const TrainConfig& config) {
  return load_dataset(config.dataset, load_options(config));
}

void match_to_fit(Dataset& dataset, const FitFolder& fit) {
  const Task task = fit.config().network.task;
  if (dataset.task != task) {
    throw Mismatch(dataset.name + " has a " + std::string(enum_name(dataset.task)) +
                   " task; the model was trained for a " + std::string(enum_name(task)) + " task");
  }
  const ColumnNames columns = fit.columns();
  if (dataset.target_kind != columns.kind && has_targets(dataset)) {
    throw Mismatch("the targets of " + dataset.name + " are " +
                   std::string(enum_name(dataset.target_kind)) + "; the model was trained on " +
                   std::string(enum_name(columns.kind)));
  }
  const bool atoms = columns.features.kind == kAtoms;
  try {
    dataset = encoded(dataset, columns.encoding_for(dataset));
    if (std::holds_alternative<DenseRows>(dataset.features))
      dataset.columns.names = columns.features.names;
    align_features(dataset, atoms ? dataset.num_features() : fit.config().network.inputs,
                   columns.features);
  } catch (const MissingCell&) {
    throw;
  } catch (const InvalidDataset& error) {
    throw Mismatch(error.what());
  }
  if (columns.kind == TargetKind::kClasses) {
    order_classes(dataset, columns.outputs);
  } else if (has_targets(dataset) && dataset.num_tasks != std::ssize(columns.outputs)) {
    throw Mismatch(dataset.name + " has " + std::to_string(dataset.num_tasks) +
                   " targets; the model was trained on " + std::to_string(columns.outputs.size()));
  }
}

std::shared_ptr<const Dataset> dataset_for(const FitFolder& fit, const TrainConfig& config) {
  auto dataset = std::make_shared<Dataset>(load_named(config));
  match_to_fit(*dataset, fit);
  return dataset;
}

std::string best_checksum(const FitFolder& fit) {
  Checksum checksum;
  checksum.add(read_whole(fit.best_file()));
  return checksum.text();
}

std::shared_ptr<Model> best_of(const FitFolder& fit) {
  if (!fs::exists(fit.best_file()))
    throw Error("the fit in " + fit.path().string() + " has no best model yet");
  const std::optional<FitRecord> record = fit.result();  // throws if config.toml was edited since
  if (record && record->other.contains(kBestChecksum) &&
      record->other.at(kBestChecksum) != json_value(best_checksum(fit)))
    throw InvalidFile(fit.best_file().string(), 0, "not the model that result.json is about");
  auto model = load_model(fit.best_file());
  const std::string difference = first_difference(fit.config().network, model->config());
  if (!difference.empty())
    throw InvalidFile(fit.best_file().string(), 0,
                      "not the model in config.toml (there, and here): " + difference);
  return model;
}

void check_first_weights(const ModelConfig& ours, ModelConfig theirs) {
  theirs.outputs = ours.outputs;
  theirs.dropout = ours.dropout;
  theirs.classifier_dropout = ours.classifier_dropout;
  theirs.coarsening_seed = ours.coarsening_seed;
  const std::string difference = first_difference(ours, theirs);
  if (!difference.empty())
    throw Error("init-from: the models differ (of this fit, and there): " + difference);
}

FitFolder first_weights(const TrainConfig& config, const Dataset& dataset) {
  const std::vector<FitFolder> fits = fits_in(config.init_from);
  const FitFolder& start = fits.front();
  if (fits.size() > 1)
    throw Error("init-from: " + config.init_from + " holds " + std::to_string(fits.size()) +
                " fits; choose one of them, such as " + start.path().string());
  if (start.columns().features != ColumnNames::of(dataset).features)
    throw Error("init-from: the features of " + dataset.name + " are not those of the run in " +
                start.path().string() + ", or in another order");
  check_first_weights(config.network, start.config().network);
  return start;
}

std::string check_start_is_new(const FitFolder& start, const TrainConfig& config,
                               const Dataset& dataset, std::span<const std::int64_t> folds) {
  std::optional<Split> seen;
  try {
    TrainConfig theirs = start.config();
    if (!config.root.empty()) theirs.root = config.root;
    Dataset matched = dataset;
    match_to_fit(matched, start);
    seen = split_within(start, theirs, fitted_data(start, theirs), matched);
  } catch (const Mismatch&) {  // samples of another kind
    return "";
  } catch (const Error& error) {
    return "the data of " + start.path().string() +
           " cannot be read, so this cannot tell whether that model was trained on test samples: " +
           error.what();
  }
  for (const std::int64_t fold : folds) {
    if (!seen) break;
    const Split split =
        choose_split(dataset, config.split, config.split_seed, static_cast<int>(fold));
    const std::int64_t used = used_samples(*seen, split).test;
    if (used > 0)
      throw Mismatch("init-from: that model was trained on, or its epoch was chosen by, " +
                     std::to_string(used) + " of the " + std::to_string(split.test.size()) +
                     " test samples" + (fold >= 0 ? " of fold " + std::to_string(fold) : "") +
                     "; begin with a model of the same split and fold");
  }
  return "";
}

FittedData fitted_data(const FitFolder& fit, const TrainConfig& config) {
  return data_of(config, fit);
}

std::optional<Split> split_within(const FitFolder& fit, const TrainConfig& config,
                                  const FittedData& own, const Dataset& dataset) {
  constexpr int kMostFits = 100;  // a folder may be edited to begin with itself
  Split all = split_within(own, dataset);
  std::optional<TrainConfig> at = start_of(config, config.root);
  for (int i = 0; at && i < kMostFits; ++i) {
    try {
      const Split split = split_within(data_of(*at, fit), dataset);
      all.train = united(all.train, split.train);
      all.val = united(all.val, split.val);
      all.test = united(all.test, split.test);
    } catch (const Mismatch&) {  // of another kind: no sample can be the same
    }
    at = start_of(*at, config.root);
  }
  return all == Split() ? std::nullopt : std::optional(all);
}

UsedSamples used_samples(const Split& fitted, const Split& scored) {
  return {num_common(fitted.train, scored.val),
          num_common(united(fitted.train, fitted.val), scored.test)};
}

}  // namespace hgnet
