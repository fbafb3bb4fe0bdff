#include "data/gzip.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include <new>
#include <utility>
#include <vector>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

la_ssize_t append(archive*, void* text, const void* bytes, std::size_t size) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

/// zlib's own reader of the format, since libarchive's passes over checksum and length.
class Gunzipped : public ByteStream::Blocks {
 public:
  explicit Gunzipped(ByteStream packed) : packed_(std::move(packed)), block_(1 << 18) {
    constexpr int kGzip = 16;
    if (inflateInit2(&stream_, kGzip + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Gunzipped() override { inflateEnd(&stream_); }
  Gunzipped(const Gunzipped&) = delete;
  Gunzipped& operator=(const Gunzipped&) = delete;

  std::string_view next() override {
    while (fill_input()) {
      stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
      stream_.avail_out = static_cast<uInt>(block_.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        fail(std::string("cannot be unpacked: ") +
             (stream_.msg != nullptr ? stream_.msg : "damaged"));
      }
      within_ = status != Z_STREAM_END;
      if (!within_) inflateReset(&stream_);  // another gzip file may follow, and belongs to it
      const std::size_t size = block_.size() - stream_.avail_out;
      if (size > 0) return {block_.data(), size};
    }
    return {};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InvalidFile(packed_.name(), 0, what);
  }

  /// False at the end of all that is packed.
  bool fill_input() {
    // zlib may hold back bytes that had no room; it gives them without further input.
    if (stream_.avail_in > 0 || (within_ && stream_.avail_out == 0 && begun_)) return true;
    const std::string_view block = packed_.next();
    if (block.empty() && within_) fail("cannot be unpacked: it is cut off");
    begun_ = true;
    // zlib does not write to its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
    stream_.avail_in = static_cast<uInt>(block.size());
    return !block.empty();
  }

  ByteStream packed_;
  std::vector<char> block_;
  z_stream stream_{};
  bool begun_ = false;
  bool within_ = true;  // a gzip file: not at the end of one
};

}  // namespace

std::unique_ptr<ByteStream::Blocks> gunzipped(ByteStream packed) {
  return std::make_unique<Gunzipped>(std::move(packed));
}

std::string gzipped(std::string_view bytes) {
  std::string result;
  const std::unique_ptr<archive, int (*)(archive*)> writer(archive_write_new(), archive_write_free);
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                       archive_entry_free);
  archive_write_add_filter_gzip(writer.get());
  archive_write_set_filter_option(writer.get(), "gzip", "timestamp", nullptr);
  archive_write_set_filter_option(writer.get(), "gzip", "compression-level", "9");
  archive_write_set_format_raw(writer.get());
  archive_write_set_bytes_per_block(writer.get(), 0);
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  const bool written =
      archive_write_open(writer.get(), &result, nullptr, append, nullptr) == ARCHIVE_OK &&
      archive_write_header(writer.get(), entry.get()) == ARCHIVE_OK &&
      archive_write_data(writer.get(), bytes.data(), bytes.size()) ==
          static_cast<la_ssize_t>(bytes.size()) &&
      archive_write_close(writer.get()) == ARCHIVE_OK;
  if (!written)
    throw Error(std::string("cannot create a gzip file: ") + archive_error_string(writer.get()));
  return result;
}

}  // namespace hgnet
