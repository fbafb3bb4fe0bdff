#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hgnet/records/fit_record.hpp"
#include "hgnet/train/columns.hpp"
#include "hgnet/train/fit.hpp"

namespace hgnet {

/// Another process is running the fit.
class FitBusy : public Error {
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
///   result.json             its record, there once the fit is done
/// Each file is whole at any moment, but for the last line of epochs.jsonl and of the events, which opening the folder cuts off.
class FitFolder {
 public:
  /// A new folder, or one that is_free. Throws Error if there is something in it already, it cannot be written, or the configuration or a name
  /// could not be read back from it.
  static FitFolder create(const std::filesystem::path& folder, const TrainConfig& config,
                          const ColumnNames& columns);
  /// Throws Error unless a fit is there.
  static FitFolder open(const std::filesystem::path& folder);
  static bool is_fit(const std::filesystem::path& folder);
  /// Whether a fit can begin there: there is nothing but what a process leaves that is killed while it begins one.
  static bool is_free(const std::filesystem::path& folder);

  /// Makes the folder if it does not exist, and keeps other processes from running the fit for as long as the result is held.
  /// Throws FitBusy if one does already.
  [[nodiscard]] static std::shared_ptr<const void> lock(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return folder_; }
  const TrainConfig& config() const { return config_; }
  std::filesystem::path best_file() const { return folder_ / "best.safetensors"; }
  std::filesystem::path checkpoint_file() const { return folder_ / "checkpoint.safetensors"; }

  ColumnNames columns() const;
  /// None before the fit is done. Throws InvalidFile where it was not run with the settings in config.toml.
  std::optional<FitRecord> result() const;
  void write_result(const FitRecord& record) const;

  /// Brings the fit to where the last checkpoint was, if there is one, and drops later epochs from epochs.jsonl. Gives the epochs done
  /// until then.
  std::vector<EpochRecord> restore(Fit& fit) const;
  /// Goes to the file now and then, and with the next checkpoint at the latest: without one, later epochs are run again anyway.
  void append(const EpochRecord& record);
  void save(const Fit& fit);
  /// Removes what only going on needs, and the event files.
  void drop_checkpoint() const;

 private:
  FitFolder(std::filesystem::path folder, TrainConfig config);

  void flush();

  std::filesystem::path folder_;
  TrainConfig config_;
  std::string pending_;  // lines not yet in epochs.jsonl
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace hgnet
