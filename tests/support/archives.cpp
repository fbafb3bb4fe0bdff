#include "support/archives.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <stdexcept>

namespace hgnet::test {

namespace {

/// The members as libarchive writes them in the format that `set_format` chooses.
std::string archived(const std::vector<Member>& members, void (*set_format)(archive*)) {
  std::size_t capacity = 1 << 20;
  for (const Member& member : members) capacity += 2 * member.content.size();
  std::string bytes(capacity, '\0');
  std::size_t used = 0;
  const std::unique_ptr<archive, int (*)(archive*)> writer(archive_write_new(), archive_write_free);
  set_format(writer.get());
  archive_write_open_memory(writer.get(), bytes.data(), bytes.size(), &used);
  for (const Member& member : members) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                         archive_entry_free);
    archive_entry_set_pathname(entry.get(), member.name.c_str());
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_filetype(entry.get(), member.link_to.empty() ? AE_IFREG : AE_IFLNK);
    if (!member.link_to.empty()) archive_entry_set_symlink(entry.get(), member.link_to.c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(member.content.size()));
    archive_write_header(writer.get(), entry.get());
    archive_write_data(writer.get(), member.content.data(), member.content.size());
  }
  if (archive_write_close(writer.get()) != ARCHIVE_OK) throw std::runtime_error("cannot archive");
  bytes.resize(used);
  return bytes;
}

}  // namespace

std::string zip_of(const std::vector<Member>& members) {
  return archived(members, [](archive* writer) { archive_write_set_format_zip(writer); });
}

std::string gzipped(const std::string& bytes) {
  return archived({{"data", bytes, ""}}, [](archive* writer) {
    archive_write_add_filter_gzip(writer);
    archive_write_set_format_raw(writer);
  });
}

}  // namespace hgnet::test
