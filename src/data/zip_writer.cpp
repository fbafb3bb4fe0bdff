#include "data/zip_writer.hpp"

#include <archive.h>
#include <archive_entry.h>

#include "hgnet/core/error.hpp"

namespace hgnet {

ZipWriter::ZipWriter(const std::filesystem::path& file)
    : name_(file.string()), archive_(archive_write_new(), archive_write_free) {
  archive_write_set_format_zip(archive_.get());
  archive_write_set_format_option(archive_.get(), "zip", "compression-level", "1");
  if (archive_write_open_filename(archive_.get(), name_.c_str()) != ARCHIVE_OK) fail();
}

void ZipWriter::begin(const std::string& member) {
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                       archive_entry_free);
  archive_entry_set_pathname(entry.get(), member.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  if (archive_write_header(archive_.get(), entry.get()) != ARCHIVE_OK) fail();
}

void ZipWriter::add(std::span<const char> bytes) {
  const auto written = archive_write_data(archive_.get(), bytes.data(), bytes.size());
  if (written != std::ssize(bytes)) fail();
}

void ZipWriter::close() {
  if (archive_write_close(archive_.get()) != ARCHIVE_OK) fail();
}

void ZipWriter::fail() const {
  const char* reason = archive_error_string(archive_.get());
  throw Error("cannot write " + name_ + ": " + (reason != nullptr ? reason : "disk full?"));
}

}  // namespace hgnet
