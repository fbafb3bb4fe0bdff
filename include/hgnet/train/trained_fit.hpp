#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hgnet/settings/fit_folder.hpp"

namespace hgnet {

class Model;

/// The data set that the configuration names, as it is.
Dataset load_named(const TrainConfig& config);

/// Gives a data set the fit's features and classes, encoded and in order as in the fit; notes say
/// what is left out. Throws Mismatch if they do not match.
void match_to_fit(Dataset& dataset, const FitFolder& fit);

/// The data set that the configuration names, matched to the fit.
std::shared_ptr<const Dataset> dataset_for(const FitFolder& fit, const TrainConfig& config);

/// Of the bytes of best.safetensors, as a record has it under this name.
inline constexpr const char* kBestChecksum = "best_xxh3";
std::string best_checksum(const FitFolder& fit);

/// The model of the best epoch, in evaluation mode. Throws Error if there is none yet, or if it is
/// not the model that config.toml describes.
std::shared_ptr<Model> best_of(const FitFolder& fit);

/// The fit that `config`, complete for the data set, begins with (init-from). Throws Error unless
/// there is one, of the same features and a model that check_first_weights accepts.
FitFolder first_weights(const TrainConfig& config, const Dataset& dataset);

/// Throws Mismatch if the fit to begin with has used a test sample of `config` on one of the folds:
/// the test would say nothing about new samples. Returns a sentence if the fit's data are gone, so
/// that nobody can tell.
std::string check_start_is_new(const FitFolder& start, const TrainConfig& config,
                               const Dataset& dataset, std::span<const std::int64_t> folds);

/// Throws Error, naming the setting, unless a model can begin with the weights of the other; their
/// outputs and dropout may differ.
void check_first_weights(const ModelConfig& ours, ModelConfig theirs);

/// The data of a fit, matched to it, and its split.
struct FittedData {
  Dataset dataset;
  Split split;
};
/// `config` is the fit's, but for the root of its data.
FittedData fitted_data(const FitFolder& fit, const TrainConfig& config);

/// The split of the fit, and of those that it began with (init-from) as far as they are there, as
/// samples of `dataset`, which must be matched to the fit: whole splits of the same data, and
/// otherwise the samples that are recognised, wherever they stand. None if no sample is.
std::optional<Split> split_within(const FitFolder& fit, const TrainConfig& config,
                                  const FittedData& own, const Dataset& dataset);

/// How many samples of a split a fit has already used: of the part val, those it was trained on; of
/// test, also those that chose its best epoch.
struct UsedSamples {
  std::int64_t val = 0;
  std::int64_t test = 0;
};
UsedSamples used_samples(const Split& fitted, const Split& scored);

}  // namespace hgnet
