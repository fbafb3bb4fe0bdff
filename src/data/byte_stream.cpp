#include "data/byte_stream.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <utility>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

constexpr std::size_t kBlock = 1 << 18;
// A compressed archive member is held in memory while it is unpacked.
constexpr std::size_t kMaxPacked = std::size_t{1} << 32;

bool is_gzip(std::string_view name) { return name.ends_with(".gz"); }

}  // namespace

archive_entry* next_member(archive* handle, const std::string& file, std::string& name) {
  archive_entry* entry = nullptr;
  const int status = archive_read_next_header(handle, &entry);
  if (status == ARCHIVE_EOF) return nullptr;
  // A warning means a name that this locale cannot represent; such a member is not one of ours.
  if (status < ARCHIVE_WARN) {
    const char* reason = archive_error_string(handle);
    throw InvalidFile(file, 0, reason ? reason : "cannot be read as a zip archive");
  }
  const char* utf8 = archive_entry_pathname_utf8(entry);
  const char* local = utf8 != nullptr ? utf8 : archive_entry_pathname(entry);
  name = local != nullptr ? local : "";
  return entry;
}

void ByteStream::Closer::operator()(archive* handle) const { archive_read_free(handle); }

void ByteStream::fail() const {
  const char* reason = archive_ ? archive_error_string(archive_.get()) : nullptr;
  throw InvalidFile(name_, 0, reason ? reason : "cannot be read");
}

/// To libarchive a plain file is an archive with one nameless member, so it unpacks the file.
void ByteStream::open_raw(int status) {
  if (status != ARCHIVE_OK) fail();
  archive_entry* entry = nullptr;
  const int head = archive_read_next_header(archive_.get(), &entry);
  if (head == ARCHIVE_EOF) {
    archive_.reset();  // an empty file
  } else if (head != ARCHIVE_OK) {
    fail();
  }
}

ByteStream ByteStream::from_file(const std::filesystem::path& file) {
  ByteStream stream(file.string());
  if (!std::filesystem::exists(file)) throw InvalidFile(stream.name_, 0, "cannot be opened");
  stream.archive_.reset(archive_read_new());
  archive_read_support_format_raw(stream.archive_.get());
  archive_read_support_format_empty(stream.archive_.get());
  if (is_gzip(stream.name_)) archive_read_support_filter_gzip(stream.archive_.get());
  stream.open_raw(archive_read_open_filename(stream.archive_.get(), file.c_str(), kBlock));
  return stream;
}

void ByteStream::unpack_gzip(std::string bytes) {
  memory_ = std::make_unique<const std::string>(std::move(bytes));
  archive_.reset(archive_read_new());
  archive_read_support_format_raw(archive_.get());
  archive_read_support_format_empty(archive_.get());
  archive_read_support_filter_gzip(archive_.get());
  open_raw(archive_read_open_memory(archive_.get(), memory_->data(), memory_->size()));
}

ByteStream ByteStream::from_zip(const std::filesystem::path& zip, const std::string& member) {
  ByteStream stream(zip.string() + "/" + member);
  stream.archive_.reset(archive_read_new());
  archive_read_support_format_zip(stream.archive_.get());
  if (archive_read_open_filename(stream.archive_.get(), zip.c_str(), kBlock) != ARCHIVE_OK) {
    stream.fail();
  }
  for (std::string name; name != member;) {
    if (next_member(stream.archive_.get(), zip.string(), name) == nullptr) {
      throw InvalidFile(stream.name_, 0, "is not in the archive");
    }
  }
  if (is_gzip(member)) stream.unpack_gzip(stream.read_all(kMaxPacked));
  return stream;
}

ByteStream ByteStream::from_memory(std::string name, std::string bytes) {
  ByteStream stream(std::move(name));
  if (is_gzip(stream.name_)) {
    stream.unpack_gzip(std::move(bytes));
  } else {
    stream.memory_ = std::make_unique<const std::string>(std::move(bytes));
  }
  return stream;
}

std::string_view ByteStream::next() {
  if (!archive_) {
    // `memory_` is returned once, and the caller may use it until the next call.
    return memory_ && !std::exchange(given_, true) ? std::string_view(*memory_)
                                                   : std::string_view();
  }
  const void* block = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  do {
    const int status = archive_read_data_block(archive_.get(), &block, &size, &offset);
    if (status == ARCHIVE_EOF) return {};
    if (status != ARCHIVE_OK) fail();
  } while (size == 0);
  return {static_cast<const char*>(block), size};
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
