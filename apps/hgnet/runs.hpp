// Trained models in run folders, for the commands that use them.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "hgnet/train/run_folder.hpp"

namespace hgnet::app {

/// Where to find data, and with how many threads: of every command that applies a trained model.
struct RunUse {
  std::string root;
  int threads = 1;

  void add_to(CLI::App& command);
};

/// The fits in a folder: itself, or all below it. Throws Error if there are none.
std::vector<RunFolder> runs_in(const std::filesystem::path& folder);

/// The only one. Throws Error, naming one of them, if there are more.
RunFolder only_run_in(const std::filesystem::path& folder);

/// The data set that the configuration names, its features and classes in the order in which the run knows them. Throws Error or InvalidDataset where they do not fit.
std::shared_ptr<const Dataset> dataset_for(const RunFolder& run, const TrainConfig& config);

/// Of the best epoch, in evaluation mode. Throws Error if the run has none yet.
std::shared_ptr<Model> best_of(const RunFolder& run);

}  // namespace hgnet::app
