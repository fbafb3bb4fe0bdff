#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

struct archive;
struct archive_entry;

namespace hgnet {

/// A zip archive that is open to be read from its first member on. Throws InvalidFile when it
/// cannot be opened or is not a regular file.
std::shared_ptr<archive> open_zip(const std::filesystem::path& zip);

/// Goes to the next member of an archive and gives its name, empty where it has none that can be
/// told; null at the end. Throws InvalidFile for `file`.
archive_entry* next_member(archive* handle, const std::string& file, std::string& name);

/// The bytes of one file, block after block. Where the name ends in .gz, what is packed in it.
///
/// What an archive or a .gz unpacks to may be 50 times its size and 64 MB more; the text of known
/// data sets has up to ten times. Packed zeros have a thousand times, and would fill the memory.
class ByteStream {
 public:
  // Each throws InvalidFile when there is no such regular file, and from next() when it is damaged
  // or unpacks to more than that.
  static ByteStream from_file(const std::filesystem::path& file);
  static ByteStream from_zip(const std::filesystem::path& zip, const std::string& member);
  static ByteStream from_memory(std::string name, std::string bytes);

  /// Empty at the end. Valid until the next call. What came before the end is right only if the end
  /// comes without an error: checksums stand there.
  std::string_view next();
  /// The rest in one piece. Throws InvalidFile if it is longer than `limit`.
  std::string read_all(std::size_t limit);

  /// For errors: the file, or archive/member.
  const std::string& name() const { return name_; }

  /// Where the bytes come from: empty at the end.
  struct Blocks {
    virtual ~Blocks() = default;
    virtual std::string_view next() = 0;
  };

 private:
  ByteStream(std::string name, std::unique_ptr<Blocks> blocks);
  /// What is packed in this, if its name says that something is; `packed_size` is on the disk.
  ByteStream unpacked(std::int64_t packed_size) &&;
  void limit_to_unpacked(std::int64_t packed_size);

  std::string name_;
  std::unique_ptr<Blocks> blocks_;
  std::int64_t packed_size_ = 0;
  std::int64_t left_ = std::numeric_limits<std::int64_t>::max();  // that next() may still give
};

}  // namespace hgnet
