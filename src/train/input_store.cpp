#include "hgnet/train/input_store.hpp"

#include <algorithm>

#include "hgnet/data/load.hpp"
#include "hgnet/train/inputs.hpp"
#include "train/stopwatch.hpp"

namespace hgnet {
namespace {

std::string dataset_key(const TrainConfig& config) {
  return config.root + "\n" + config.dataset + (config.node_attributes ? "\nwith attributes" : "") +
         "\n" + std::string(enum_name(config.targets));
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
    const LoadOptions options{
        .root = config.root, .node_attributes = config.node_attributes, .targets = config.targets};
    const Stopwatch watch;
    result = std::make_shared<const Dataset>(load_dataset(config.dataset, options));
    load_seconds_[dataset_key(config)] = watch.seconds();
    kept = result;
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
  auto& kept = inputs_[{dataset_key(config), preparation}];
  std::shared_ptr<const FitInputs> result = kept.lock();
  if (result == nullptr) {
    result = std::make_shared<const FitInputs>(data, preparation, config.threads);
    kept = result;
  }
  hold(result);
  return result;
}

}  // namespace hgnet
