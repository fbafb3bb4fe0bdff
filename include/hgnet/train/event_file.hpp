#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace hgnet {

/// Appends scalars to a folder's TensorBoard event file, `events.out.tfevents.hgnet`. The folder is one run to
/// TensorBoard. Not for use by several threads at once.
class EventFile {
 public:
  static constexpr const char* kName = "events.out.tfevents.hgnet";

  /// Opens the file, or begins one and the folder. What an earlier, interrupted run wrote for steps after `last_step` is cut
  /// off (-1: all of it), also whatever follows a damaged or half-written record. Throws Error, with the file's name
  /// and the system's reason.
  EventFile(const std::filesystem::path& folder, std::int64_t last_step);
  /// Flushes, but keeps quiet if that fails.
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  /// One event; kept in memory until flush(). `wall_time` is in seconds since 1970. Steps must not go down: throws
  /// Error if they do.
  void add(std::int64_t step, double wall_time,
           std::span<const std::pair<std::string, double>> scalars);

  /// Throws Error, with the file's name, when it cannot be written (disk full). Nothing is lost then: the next flush
  /// writes it again.
  void flush();

  const std::filesystem::path& path() const { return path_; }

 private:
  bool write_pending();

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;  // of the whole records in the file
  std::int64_t last_step_ = 0;
  std::string pending_;  // records not yet written
};

}  // namespace hgnet
