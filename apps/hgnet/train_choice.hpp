// What to train: the requested settings, models, seeds and folds.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "hgnet/settings/shard.hpp"
#include "train_options.hpp"

namespace hgnet::app {

struct TrainChoice {
  TrainOptions train;
  std::string preset;
  std::filesystem::path config_file;
  std::vector<std::string> models;
  std::vector<std::uint64_t> seeds;
  std::vector<std::int64_t> folds;
  int seed_count = 0;
  int fold_count = 0;

  void add_to(CLI::App& command);
};

/// Adds --shard.
CLI::Option* add_shard(CLI::App& command, Shard& shard);

}  // namespace hgnet::app
