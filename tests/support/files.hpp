#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace hgnet::test {

/// A folder that is deleted after the test.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file, with the folders it needs.
  std::filesystem::path write(const std::string& name, const std::string& bytes) const;
  std::filesystem::path write_zip(const std::string& name,
                                  const std::map<std::string, std::string>& members) const;
  /// The message without the folder's name.
  std::string without_folder(std::string message) const;

 private:
  std::filesystem::path path_;
};

using Files = std::map<std::string, std::string>;

std::string content_of(const std::filesystem::path& file);

}  // namespace hgnet::test
