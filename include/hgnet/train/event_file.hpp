#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "hgnet/settings/fit_folder.hpp"

namespace hgnet {

/// Appends scalars to a folder's TensorBoard event file, FitFolder::kEvents. TensorBoard
/// shows the folder as one run. Not safe for use by several threads at once.
class EventFile {
 public:
  static constexpr const char* kName = FitFolder::kEvents;

  /// Opens the file, or creates it and the folder. Cuts off what an earlier, interrupted fit wrote
  /// for steps after `last_step` (-1: everything), and anything that follows a damaged or
  /// incomplete record. Throws Error, with the file's name and the system's reason.
  EventFile(const std::filesystem::path& folder, std::int64_t last_step);
  /// Flushes, but ignores failures.
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  /// Adds one event, kept in memory until flush(). `wall_time` is in seconds since 1970. Throws
  /// Error if a step is smaller than the one before.
  void add(std::int64_t step, double wall_time,
           std::span<const std::pair<std::string, double>> scalars);

  /// Throws Error, with the file's name, if it cannot be written (disk full). Nothing is lost in
  /// that case: the next flush tries again.
  void flush();

  const std::filesystem::path& path() const { return path_; }

 private:
  bool write_pending();

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;  // of the complete records in the file
  std::int64_t last_step_ = 0;
  std::string pending_;  // records not yet written
};

}  // namespace hgnet
