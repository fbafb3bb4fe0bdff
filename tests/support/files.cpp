#include "support/files.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <vector>

namespace hgnet::test {
namespace {

/// What libarchive makes of the members in the format that `set_format` chooses.
std::string archived(const Files& members, const std::function<void(archive*)>& set_format) {
  const std::unique_ptr<archive, int (*)(archive*)> writer(archive_write_new(), archive_write_free);
  set_format(writer.get());
  std::size_t size = 1 << 20;
  for (const auto& [name, bytes] : members) size += 2 * bytes.size();
  std::vector<char> buffer(size);
  std::size_t used = 0;
  archive_write_open_memory(writer.get(), buffer.data(), buffer.size(), &used);
  for (const auto& [name, bytes] : members) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                         archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_write_header(writer.get(), entry.get());
    archive_write_data(writer.get(), bytes.data(), bytes.size());
  }
  if (archive_write_close(writer.get()) != ARCHIVE_OK) throw std::runtime_error("cannot archive");
  return {buffer.data(), used};
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "hgnet-XXXXXX").string();
  path_ = mkdtemp(name.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryFolder::write(const std::string& name,
                                             const std::string& bytes) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

std::filesystem::path TemporaryFolder::write_zip(const std::string& name,
                                                 const Files& members) const {
  return write(name,
               archived(members, [](archive* writer) { archive_write_set_format_zip(writer); }));
}

std::string TemporaryFolder::without_folder(std::string message) const {
  const std::string folder = path_.string() + "/";
  for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder)) {
    message.erase(at, folder.size());
  }
  return message;
}

std::string gzipped(const std::string& bytes) {
  return archived({{"data", bytes}}, [](archive* writer) {
    archive_write_add_filter_gzip(writer);
    archive_write_set_format_raw(writer);
  });
}

std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace hgnet::test
