#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace hgnet {

/// A regular file that is open to be read. Whatever else may bear a file's name (a pipe, a
/// terminal, a device) can keep its reader waiting, or feed it, for ever.
class RegularFile {
 public:
  /// Throws InvalidFile, with the system's reason, when it cannot be opened or is not a regular
  /// file.
  explicit RegularFile(const std::filesystem::path& file);
  ~RegularFile();
  RegularFile(RegularFile&& other) noexcept;
  RegularFile& operator=(RegularFile&&) = delete;

  int descriptor() const { return descriptor_; }
  /// When it was opened.
  std::int64_t size() const { return size_; }
  /// Fills the front of `buffer`, all of it but at the end of the file. Returns how many bytes
  /// there were. Throws InvalidFile.
  std::size_t read(std::span<char> buffer);

 private:
  std::string name_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace hgnet
