#pragma once

#include <filesystem>

namespace hgnet {

/// A folder that is filled under a name of its own beside where it belongs, and moved there when it
/// is complete; otherwise it goes away.
class StagedFolder {
 public:
  /// Makes the folders above `target` too. Throws Error if that fails or `target` exists.
  explicit StagedFolder(std::filesystem::path target);
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;
  ~StagedFolder();

  const std::filesystem::path& path() const { return path_; }

  /// Moves the folder into place. Throws Error if that fails.
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
};

}  // namespace hgnet
