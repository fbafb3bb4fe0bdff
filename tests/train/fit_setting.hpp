// A configuration and its inputs, for tests of Fit.

#pragma once

#include <memory>
#include <string>

#include "hgnet/config/model_table.hpp"
#include "hgnet/train/fit.hpp"

namespace hgnet::test {

struct FitSetting {
  TrainConfig config;
  std::shared_ptr<const FitInputs> inputs;
};

/// A small model with dropout and the data set's preset.
inline FitSetting fit_setting(Dataset data, const std::string& model, std::int64_t epochs) {
  auto dataset = std::make_shared<const Dataset>(std::move(data));
  FitSetting result;
  TrainConfig& config = result.config;
  config.dataset = dataset->name;
  config.model = model;
  config.network = model_defaults(model);
  apply_preset(config, preset_for(*dataset));
  if (!model_row(model).yardstick()) {
    config.network.dropout = 0.2;
    config.network.hidden = 8;
  }
  config.epochs = epochs;
  config.batch = 7;
  config.lr = 0.01;
  config.seed = 5;
  complete(config, *dataset);
  result.inputs = std::make_shared<const FitInputs>(dataset, preparation_of(config.network), 1);
  return result;
}

inline Fit make_fit(const FitSetting& setting) { return {setting.config, setting.inputs}; }

}  // namespace hgnet::test
