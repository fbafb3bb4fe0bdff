#include "data/gzip.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <memory>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

la_ssize_t append(archive*, void* text, const void* bytes, std::size_t size) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

}  // namespace

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
