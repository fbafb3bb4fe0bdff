#include "data/byte_stream.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <utility>
#include <vector>

#include "core/regular_file.hpp"
#include "data/gzip.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

constexpr std::size_t kBlock = 1 << 18;
constexpr std::int64_t kUnpackedFactor = 50;
constexpr std::int64_t kUnpackedMore = std::int64_t{64} << 20;

[[noreturn]] void fail(archive* handle, const std::string& name) {
  const char* reason = archive_error_string(handle);
  throw InvalidFile(name, 0,
                    std::string("cannot be unpacked: ") + (reason != nullptr ? reason : "damaged"));
}

class FileBlocks : public ByteStream::Blocks {
 public:
  explicit FileBlocks(RegularFile file) : file_(std::move(file)), block_(kBlock) {}

  std::string_view next() override { return {block_.data(), file_.read(block_)}; }

 private:
  RegularFile file_;
  std::vector<char> block_;
};

/// The archive's current member.
class MemberBlocks : public ByteStream::Blocks {
 public:
  MemberBlocks(std::shared_ptr<archive> handle, std::string name)
      : handle_(std::move(handle)), name_(std::move(name)) {}

  std::string_view next() override {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    do {
      const int status = archive_read_data_block(handle_.get(), &block, &size, &offset);
      if (status == ARCHIVE_EOF) return {};
      if (status != ARCHIVE_OK) fail(handle_.get(), name_);
    } while (size == 0);
    return {static_cast<const char*>(block), size};
  }

 private:
  std::shared_ptr<archive> handle_;
  std::string name_;
};

class MemoryBlocks : public ByteStream::Blocks {
 public:
  explicit MemoryBlocks(std::string bytes) : bytes_(std::move(bytes)) {}

  std::string_view next() override {
    return std::exchange(given_, true) ? std::string_view() : std::string_view(bytes_);
  }

 private:
  std::string bytes_;
  bool given_ = false;
};

}  // namespace

std::shared_ptr<archive> open_zip(const std::filesystem::path& zip) {
  auto file = std::make_shared<RegularFile>(zip);
  // The archive reads from the file until it is closed.
  std::shared_ptr<archive> handle(archive_read_new(),
                                  [file](archive* open) { archive_read_free(open); });
  archive_read_support_format_zip(handle.get());
  if (archive_read_open_fd(handle.get(), file->descriptor(), kBlock) != ARCHIVE_OK) {
    fail(handle.get(), zip.string());
  }
  return handle;
}

archive_entry* next_member(archive* handle, const std::string& file, std::string& name) {
  archive_entry* entry = nullptr;
  const int status = archive_read_next_header(handle, &entry);
  if (status == ARCHIVE_EOF) return nullptr;
  // A warning is about a name that this locale cannot write; such a member is not one of ours.
  if (status < ARCHIVE_WARN) fail(handle, file);
  const char* utf8 = archive_entry_pathname_utf8(entry);
  const char* local = utf8 != nullptr ? utf8 : archive_entry_pathname(entry);
  name = local != nullptr ? local : "";
  return entry;
}

ByteStream::ByteStream(std::string name, std::unique_ptr<Blocks> blocks)
    : name_(std::move(name)), blocks_(std::move(blocks)) {}

void ByteStream::limit_to_unpacked(std::int64_t packed_size) {
  packed_size_ = packed_size;
  left_ = kUnpackedFactor * packed_size + kUnpackedMore;
}

ByteStream ByteStream::unpacked(std::int64_t packed_size) && {
  if (!name_.ends_with(".gz")) return std::move(*this);
  std::string name = name_;
  ByteStream result(std::move(name), gunzipped(std::move(*this)));
  result.limit_to_unpacked(packed_size);
  return result;
}

ByteStream ByteStream::from_file(const std::filesystem::path& file) {
  RegularFile opened(file);
  const std::int64_t size = opened.size();
  return ByteStream(file.string(), std::make_unique<FileBlocks>(std::move(opened))).unpacked(size);
}

ByteStream ByteStream::from_zip(const std::filesystem::path& zip, const std::string& member) {
  const std::shared_ptr<archive> handle = open_zip(zip);
  const std::string full_name = zip.string() + "/" + member;
  for (std::string name; name != member;) {
    if (next_member(handle.get(), zip.string(), name) == nullptr) {
      throw InvalidFile(full_name, 0, "is not in the archive");
    }
  }
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(zip));
  ByteStream stream(full_name, std::make_unique<MemberBlocks>(handle, full_name));
  stream.limit_to_unpacked(size);
  return std::move(stream).unpacked(size);
}

ByteStream ByteStream::from_memory(std::string name, std::string bytes) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  return ByteStream(std::move(name), std::make_unique<MemoryBlocks>(std::move(bytes)))
      .unpacked(size);
}

std::string_view ByteStream::next() {
  const std::string_view block = blocks_->next();
  left_ -= static_cast<std::int64_t>(block.size());
  if (left_ < 0) {
    throw InvalidFile(name_, 0,
                      "unpacks to more than " + std::to_string(kUnpackedFactor) + " times the " +
                          std::to_string(packed_size_) +
                          " bytes it is packed in; if that is right, unpack it by hand");
  }
  return block;
}

std::string ByteStream::read_all(std::size_t limit) {
  std::string bytes;
  for (std::string_view block = next(); !block.empty(); block = next()) {
    if (block.size() > limit - bytes.size()) {
      throw InvalidFile(name_, 0, "is longer than " + std::to_string(limit) + " bytes");
    }
    bytes += block;
  }
  return bytes;
}

}  // namespace hgnet
