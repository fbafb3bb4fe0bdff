#include "hgnet/train/input_store.hpp"

#include <algorithm>

#include "hgnet/data/load.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/settings/memory_plan.hpp"
#include "hgnet/train/inputs.hpp"
#include "train/stopwatch.hpp"

namespace hgnet {
namespace {

std::string dataset_key(const TrainConfig& config) {
  return config.root + "\n" + config.dataset + (config.node_attributes ? "\nwith attributes" : "") +
         "\n" + std::string(enum_name(config.edge_features)) + "\n" +
         std::string(enum_name(config.targets)) + "\n" + config.label_column + "\n" +
         config.categorical + "\n" + std::string(enum_name(config.directed));
}

/// Whether features or targets depend on the training part.
bool needs_encoding(const TrainConfig& config, const Dataset& dataset) {
  return std::holds_alternative<ColumnRows>(dataset.features) || config.network.edge_inputs > 0 ||
         (config.standardise && dataset.target_kind == TargetKind::kRegression);
}

std::string encoding_key(const TrainConfig& config) {
  return "\n" + config.split + "\n" + std::to_string(config.split_seed) + "\n" +
         std::to_string(config.fold) + "\n" + std::string(enum_name(config.missing)) +
         (config.standardise ? "\nstandardised" : "") +
         (config.network.edge_inputs > 0 ? "\nwith edges" : "");
}

Encoding encoding_of(const TrainConfig& config, const Dataset& dataset) {
  const Split split = choose_split(dataset, config.split, config.split_seed, config.fold);
  Encoding encoding = fit_encoding(dataset, split.train, {config.standardise, config.missing});
  // What is not read stays as it is, also with cells missing; so do bonds.
  if (config.network.edge_inputs == 0) encoding.edges.clear();
  return encoding;
}

}  // namespace

void InputStore::hold(std::shared_ptr<const void> item) {
  constexpr std::size_t kHeld = 4;
  if (std::find(recent_.begin(), recent_.end(), item) != recent_.end()) return;
  recent_.push_back(std::move(item));
  if (recent_.size() > kHeld) recent_.pop_front();
}

std::shared_ptr<const Dataset> InputStore::dataset(const TrainConfig& config) {
  const std::lock_guard lock(mutex_);
  auto& kept = datasets_[dataset_key(config)];
  std::shared_ptr<const Dataset> result = kept.lock();
  if (result == nullptr) {
    const Stopwatch watch;
    result = std::make_shared<const Dataset>(load_dataset(config.dataset, load_options(config)));
    load_seconds_[dataset_key(config)] = watch.seconds();
    kept = result;
    // Under the name that complete() gives the setting, too.
    TrainConfig settled = config;
    if (settled.edge_features == EdgeFeatures::kAuto)
      settled.edge_features = result->own ? EdgeFeatures::kUse : EdgeFeatures::kIgnore;
    datasets_[dataset_key(settled)] = result;
    load_seconds_[dataset_key(settled)] = load_seconds_[dataset_key(config)];
  }
  hold(result);
  return result;
}

double InputStore::load_seconds(const TrainConfig& config) {
  const std::lock_guard lock(mutex_);
  return load_seconds_[dataset_key(config)];
}

std::shared_ptr<const FitInputs> InputStore::inputs(const TrainConfig& config) {
  auto data = dataset(config);
  const std::lock_guard lock(mutex_);
  const Preparation preparation = preparation_of(config.network);
  const bool encodes = needs_encoding(config, *data);
  const NodeMemory memory = node_memory(config, *data);
  auto& kept =
      inputs_[{dataset_key(config) + (encodes ? encoding_key(config) : "") + "\nbatches " +
                   std::to_string(memory.batch_nodes) + " " + std::to_string(memory.at_a_time),
               preparation}];
  std::shared_ptr<const FitInputs> result = kept.lock();
  if (result == nullptr) {
    result = std::make_shared<const FitInputs>(data, preparation, config.threads,
                                               encodes ? encoding_of(config, *data) : Encoding(),
                                               memory);
    kept = result;
  }
  hold(result);
  return result;
}

}  // namespace hgnet
