#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hgnet/records/fit_record.hpp"
#include "hgnet/settings/columns.hpp"
#include "hgnet/settings/config.hpp"
#include "hgnet/settings/epoch_record.hpp"

namespace hgnet {

/// Another process is running the fit.
class FitBusy : public Error {
 public:
  using Error::Error;
};

/// The settings as a record has them: all except what is specific to this machine, that is the
/// root, and where the run of the first weights is, which is named alone.
JsonFields recorded_settings(TrainConfig config);

/// The folder of one fit:
///   config.toml             the whole configuration
///   columns.json            what features and outputs mean
///   epochs.jsonl            one line per epoch
///   checkpoint.safetensors  the state to continue from
///   best.safetensors        the model of the best epoch: see load_model
///   events.out.tfevents...  the same numbers for TensorBoard
///   result.json             its record, once the fit is done
/// Each file is complete at any moment, except for the last line of epochs.jsonl and the last
/// event; opening the folder removes an incomplete one.
class FitFolder {
 public:
  static constexpr const char* kEvents = "events.out.tfevents.hgnet";

  /// Creates the folder, or uses one that is_free. Throws Error if it is not free or cannot be
  /// written, or if the settings or a name could not be read back from it.
  static FitFolder create(const std::filesystem::path& folder, const TrainConfig& config,
                          const ColumnNames& columns);
  /// Throws Error unless the folder holds a fit.
  static FitFolder open(const std::filesystem::path& folder);
  static bool is_fit(const std::filesystem::path& folder);
  /// Whether a fit can begin there: the folder does not exist, is empty, or has only what a process
  /// leaves that is killed while it begins a fit.
  static bool is_free(const std::filesystem::path& folder);

  /// Creates the folder if it does not exist, and keeps other processes from running the fit while
  /// the result is held. Throws FitBusy if another process is already running it.
  [[nodiscard]] static std::shared_ptr<const void> lock(const std::filesystem::path& folder);

  /// Whether another process holds it.
  static bool is_locked(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return folder_; }
  const TrainConfig& config() const { return config_; }
  std::filesystem::path best_file() const { return folder_ / "best.safetensors"; }
  std::filesystem::path checkpoint_file() const { return folder_ / "checkpoint.safetensors"; }

  ColumnNames columns() const;
  /// None until the fit is done. Throws InvalidFile if config.toml has other settings than it ran
  /// with.
  std::optional<FitRecord> result() const;
  void write_result(const FitRecord& record) const;

  /// Throws Error for a fit that is done and has no checkpoint to go on from, and for files of it
  /// that cannot be replaced or were edited.
  void check_can_go_on() const;
  /// Gives the fit other values of kMayChange, in config.toml; it is then no longer done.
  void reopen(const TrainConfig& config);

  /// The first `done` epochs; drops later ones from epochs.jsonl. Throws InvalidFile if it has
  /// fewer.
  std::vector<EpochRecord> keep_epochs(std::int64_t done) const;
  /// Of training and evaluation in the epochs that are in epochs.jsonl.
  double seconds_so_far() const;
  /// Written to the file periodically, and by flush() before a checkpoint at the latest: without a
  /// checkpoint, later epochs are run again anyway.
  void append(const EpochRecord& record);
  void flush();
  /// Removes the checkpoint and the event files.
  void drop_checkpoint() const;

 private:
  FitFolder(std::filesystem::path folder, TrainConfig config);

  std::filesystem::path folder_;
  TrainConfig config_;
  std::string pending_;  // lines not yet in epochs.jsonl
  std::chrono::steady_clock::time_point last_flush_;
};

/// The fits of a run: the folder itself, or all fits below it, by name. Throws Error if there are
/// none.
std::vector<FitFolder> fits_in(const std::filesystem::path& folder);

/// The folder below `run` of the fits over seeds and folds that this one is among; its own if it is
/// alone.
std::filesystem::path folder_of_model(const FitFolder& fit, const std::filesystem::path& run);

}  // namespace hgnet
