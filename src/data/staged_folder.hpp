#pragma once

#include <filesystem>
#include <string>

namespace hgnet {

/// Throws Error unless it can be the name of a data set's folder and begin its files' names.
void check_folder_name(const std::string& name);

/// A folder that is filled under a temporary name next to its target, and moved there when it is
/// complete; otherwise it is deleted.
class StagedFolder {
 public:
  /// Also creates the parent folders of `target`. Throws Error if that fails or `target` exists.
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
