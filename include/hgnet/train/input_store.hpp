#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "hgnet/config/preparation.hpp"
#include "hgnet/settings/config.hpp"

namespace hgnet {

class FitInputs;

/// Data sets and the inputs of fits, loaded and prepared once for all callers. Thread-safe. Keeps
/// the last few of them in memory.
class InputStore {
 public:
  /// The data set that the configuration names, read as it says.
  std::shared_ptr<const Dataset> dataset(const TrainConfig& config);
  /// How long loading it took.
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
