#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "hgnet/train/config.hpp"
#include "hgnet/train/inputs.hpp"

namespace hgnet {

/// Data sets and what fits are fed with, loaded and prepared once for all that ask. Thread-safe. Holds on to the few last ones.
class InputStore {
 public:
  /// The configuration says which, from where, and how it is read.
  std::shared_ptr<const Dataset> dataset(const TrainConfig& config);
  /// How long that took when it was loaded.
  double load_seconds(const TrainConfig& config);
  /// For a configuration that is complete().
  std::shared_ptr<const FitInputs> inputs(const TrainConfig& config);

 private:
  void hold(std::shared_ptr<const void> item);

  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const Dataset>> datasets_;
  std::map<std::string, double> load_seconds_;
  std::map<std::pair<std::string, Preparation>, std::weak_ptr<const FitInputs>> inputs_;
  std::deque<std::shared_ptr<const void>> recent_;
};

}  // namespace hgnet
