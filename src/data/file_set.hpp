#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_stream.hpp"

namespace hgnet {

/// The files of a data set, in a folder (two levels of folders deep) or in a zip archive.
class FileSet {
 public:
  /// Throws InvalidFile if `place` is neither.
  explicit FileSet(std::filesystem::path place);
  /// The files directly in a folder whose names start with `prefix`.
  FileSet(std::filesystem::path folder, std::string_view prefix);
  /// Files in memory, by name.
  FileSet(std::string name, std::map<std::string, std::string> contents);

  /// The name of the file whose path in the set is `path`, or ends with '/' and `path`; or the same
  /// with .gz added.
  std::optional<std::string> find(std::string_view path) const;
  /// The part before `ending` in the name of the first file that ends with it, ignoring .gz.
  std::optional<std::string> find_prefix(std::string_view ending) const;
  /// Throws InvalidFile if there is no such file.
  ByteStream open(std::string_view path) const;

  /// What the set consists of on disk: the archive, or the files.
  std::vector<std::filesystem::path> sources() const;
  const std::map<std::string, std::string>& files() const { return files_; }
  const std::filesystem::path& place() const { return place_; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  enum class Kind { kFolder, kZip, kMemory };

  std::filesystem::path place_;
  Kind kind_;
  std::map<std::string, std::string> files_;  // contents when in memory, else empty
};

}  // namespace hgnet
