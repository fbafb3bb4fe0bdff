#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace hgnet {

/// A file that is being fetched: what has been received is kept between calls, unless it is empty.
/// Locked, so that two programs do not write to the same file.
class PartFile {
 public:
  /// Also creates the parent folders. Throws DownloadFailed if it cannot be opened or is locked.
  explicit PartFile(std::filesystem::path path);
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile();

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return size_; }
  /// These return false, with errno set, if the file cannot be written.
  bool clear();
  bool append(const char* data, std::size_t size);

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

struct FetchOptions {
  int stall_seconds = 30;
  int attempts = 3;
  std::int64_t max_bytes = std::int64_t{1} << 30;
  /// Bytes there are so far, and in all or -1.
  std::function<void(std::int64_t received, std::int64_t total)> progress;
};

/// Fetches what the part lacks. An attempt that breaks off or stalls is followed by another that
/// goes on where it ended. Throws DownloadFailed; of a file longer than `max_bytes` nothing is
/// kept.
void fetch(const std::string& url, PartFile& part, const FetchOptions& options);

}  // namespace hgnet
