#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace hgnet {

/// A file that gets its name once it is complete, in place of the one that had it. Until then it
/// has none, so a process that is killed leaves nothing behind; on file systems without such files,
/// it has a temporary name. All functions throw Error, with the system's reason.
class StagedFile {
 public:
  explicit StagedFile(std::filesystem::path target);
  /// Drops what is not committed.
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  void append(std::string_view bytes);
  /// Replaces bytes that were appended before.
  void overwrite(std::int64_t place, std::string_view bytes);
  /// Waits until what was written is on the disk.
  void sync();
  /// Gives the file its name.
  void commit();

 private:
  [[noreturn]] void fail(int reason) const;

  std::filesystem::path target_;
  std::string temporary_;  // beside the target
  bool named_ = false;     // the temporary name exists
  int descriptor_ = -1;
};

/// Writes all bytes; returns the error number, or 0.
int write_all(int descriptor, std::string_view bytes);

}  // namespace hgnet
