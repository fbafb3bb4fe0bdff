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

/// Goes to the next member of an archive and gives its name, empty where it has none that can be
/// told; null at the end. Throws InvalidFile for `file`.
archive_entry* next_member(archive* handle, const std::string& file, std::string& name);

/// The bytes of one file, block after block. Where the name ends in .gz, what is packed in it.
class ByteStream {
 public:
  // Each throws InvalidFile when there is no such file, and from next() when it is damaged.
  static ByteStream from_file(const std::filesystem::path& file);
  static ByteStream from_zip(const std::filesystem::path& zip, const std::string& member);
  static ByteStream from_memory(std::string name, std::string bytes);

  /// Empty at the end. Valid until the next call.
  std::string_view next();
  /// The rest in one piece. Throws InvalidFile when it is longer than `limit`.
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
  std::unique_ptr<const std::string> memory_;  // what archive_ reads from, or what there is to give
  std::unique_ptr<archive, Closer> archive_;
  bool given_ = false;
};

}  // namespace hgnet
