#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hgnet/train/fit.hpp"

namespace hgnet {

/// What the columns of a model's features and outputs stand for.
struct Columns {
  TargetKind kind = TargetKind::kClasses;
  std::vector<std::string> outputs;
  FeatureColumns features;

  static Columns of(const Dataset& dataset);
};

/// Another process is at work on the run.
class RunBusy : public Error {
 public:
  using Error::Error;
};

/// The folder of one fit:
///   config.toml             the whole configuration
///   columns.json            what features and outputs stand for
///   epochs.jsonl            a line per epoch
///   checkpoint.safetensors  where to go on
///   best.safetensors        the model of the best epoch: see load_model
///   events.out.tfevents...  the same numbers for TensorBoard
///   result.json             there once the fit is done
/// Each file is whole at any moment, but for the last line of epochs.jsonl and of the events, which opening the folder cuts off.
class RunFolder {
 public:
  /// A new folder, or an empty one. Throws Error if there is something in it already, or it cannot be written.
  static RunFolder create(const std::filesystem::path& folder, const TrainConfig& config,
                          const Columns& columns);
  /// Throws Error unless a run is there.
  static RunFolder open(const std::filesystem::path& folder);
  static bool is_run(const std::filesystem::path& folder);

  /// Makes the folder if it is not there, and keeps others from working on the same run for as long as the result is held.
  /// Throws RunBusy if one does already.
  [[nodiscard]] static std::shared_ptr<const void> lock(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return folder_; }
  const TrainConfig& config() const { return config_; }
  std::filesystem::path best_file() const { return folder_ / "best.safetensors"; }
  std::filesystem::path checkpoint_file() const { return folder_ / "checkpoint.safetensors"; }

  Columns columns() const;
  std::optional<std::string> result() const;
  void write_result(const std::string& json) const;

  /// Brings the fit to where the last checkpoint was, if there is one, and drops later epochs from epochs.jsonl. Gives the epochs done
  /// till then.
  std::vector<EpochRecord> restore(Fit& fit) const;
  /// Goes to the file now and then, and with the next checkpoint at the latest: without one, later epochs are run again anyway.
  void append(const EpochRecord& record);
  void save(const Fit& fit);
  /// Removes what only going on needs, and the event files.
  void drop_checkpoint() const;

 private:
  RunFolder(std::filesystem::path folder, TrainConfig config);

  void flush();

  std::filesystem::path folder_;
  TrainConfig config_;
  std::string pending_;  // lines not yet in epochs.jsonl
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace hgnet
