#pragma once

#include <filesystem>
#include <functional>
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

  /// The name of the file whose path in the set is `path`, or else ends with '/' and `path`; or the
  /// same with .gz behind it. Throws InvalidFile when two folders have such a file: which of them
  /// belongs to the rest is not known.
  std::optional<std::string> find(std::string_view path) const;
  /// What stands before `ending` in the name of the file that ends so, .gz apart. Throws as find
  /// does.
  std::optional<std::string> find_prefix(std::string_view ending) const;
  /// Throws InvalidFile if there is no such file.
  ByteStream open(std::string_view path) const;

  /// What the set consists of on the disk: the archive, or those files that are read.
  std::vector<std::filesystem::path> sources(
      const std::function<bool(const std::string&)>& is_read) const;
  const std::map<std::string, std::string>& files() const { return files_; }
  const std::filesystem::path& place() const { return place_; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  enum class Kind { kFolder, kZip, kMemory };

  [[noreturn]] void fail_ambiguous(const std::string& one, const std::string& other) const;

  std::filesystem::path place_;
  Kind kind_;
  std::map<std::string, std::string> files_;  // contents when in memory, else empty
};

}  // namespace hgnet
