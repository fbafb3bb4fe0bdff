// The trained models of a run, for the commands that use them.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hgnet/train/fit_folder.hpp"
#include "hgnet/train/not_finite.hpp"

namespace hgnet {
class Model;
}

namespace hgnet::app {

/// Where to find data, and the number of threads: options of every command that applies a trained
/// model.
struct FitUse {
  std::string root;
  int threads = 1;

  void add_to(CLI::App& command);
};

/// The option of commands that show a model's answers.
void add_allow_nonfinite(CLI::App& command, NonFinite& choice);

/// The fits of a run: the folder itself, or all fits below it. Throws Error if there are none.
std::vector<FitFolder> fits_in(const std::filesystem::path& folder);

/// The run's only fit. Throws Error, naming one of them, if there are several.
FitFolder only_fit_in(const std::filesystem::path& folder);

/// The data set that the configuration names, with features and classes in the fit's order. Throws
/// Error or InvalidDataset if they do not match.
std::shared_ptr<const Dataset> dataset_for(const FitFolder& fit, const TrainConfig& config);

/// The model of the best epoch, in evaluation mode. Throws Error if there is none yet, or if it is
/// not the model that config.toml describes.
std::shared_ptr<Model> best_of(const FitFolder& fit);

}  // namespace hgnet::app
