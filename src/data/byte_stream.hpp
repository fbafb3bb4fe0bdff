#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

struct archive;
struct archive_entry;

namespace hgnet {

/// Moves to the next member of an archive, or returns null at the end. Sets `name` to its name,
/// empty if it cannot be determined. Throws InvalidFile for `file`.
archive_entry* next_member(archive* handle, const std::string& file, std::string& name);

/// The bytes of one file, block by block. If the name ends in .gz, they are decompressed.
class ByteStream {
 public:
  // Each throws InvalidFile if there is no such file; next() does if it is damaged.
  static ByteStream from_file(const std::filesystem::path& file);
  static ByteStream from_zip(const std::filesystem::path& zip, const std::string& member);
  static ByteStream from_memory(std::string name, std::string bytes);

  /// Empty at the end. Valid until the next call.
  std::string_view next();
  /// The rest in one piece. Throws InvalidFile if it is longer than `limit`.
  std::string read_all(std::size_t limit);

  /// For errors: the file, or archive/member.
  const std::string& name() const { return name_; }

 private:
  struct Closer {
    void operator()(archive* handle) const;
  };
  explicit ByteStream(std::string name) : name_(std::move(name)) {}
  void open_raw(int status);
  void unpack_gzip(std::string bytes);
  [[noreturn]] void fail() const;

  std::string name_;
  std::unique_ptr<const std::string> memory_;  // what archive_ reads from, or the bytes to return
  std::unique_ptr<archive, Closer> archive_;
  bool given_ = false;
};

}  // namespace hgnet
