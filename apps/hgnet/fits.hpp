// The trained models of a run, for the commands that use them.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "hgnet/train/fit_folder.hpp"

namespace hgnet::app {

/// Where to find data, and with how many threads: of every command that applies a trained model.
struct FitUse {
  std::string root;
  int threads = 1;

  void add_to(CLI::App& command);
};

/// The fits of a run: the folder itself, or all below it. Throws Error if there are none.
std::vector<FitFolder> fits_in(const std::filesystem::path& folder);

/// The only one. Throws Error, naming one of them, if there are more.
FitFolder only_fit_in(const std::filesystem::path& folder);

/// The data set that the configuration names, its features and classes in the order in which the fit knows them. Throws
/// Error or InvalidDataset where they do not match.
std::shared_ptr<const Dataset> dataset_for(const FitFolder& fit, const TrainConfig& config);

/// Of the best epoch, in evaluation mode. Throws Error if the fit has none yet, or one that its config.toml does not describe.
std::shared_ptr<Model> best_of(const FitFolder& fit);

}  // namespace hgnet::app
