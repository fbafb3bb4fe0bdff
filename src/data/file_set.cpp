#include "data/file_set.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"
#include "hgnet/data/verify.hpp"

namespace hgnet {
namespace {

constexpr int kDepth = 2;

std::string_view without_gz(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name;
}

/// Metadata that macOS adds to archives, under names with the same endings.
bool is_macos_note(std::string_view name) {
  return name.starts_with("__MACOSX/") || name.substr(name.rfind('/') + 1).starts_with("._");
}

/// Pipes, devices, links to nowhere and folders with a table's name are listed, too, so that
/// opening them fails: without them the folder would be another data set.
bool is_listed(const std::filesystem::directory_entry& entry) {
  std::error_code ignored;
  const std::string name = entry.path().filename().string();
  const std::string_view table = without_gz(name);
  return !name.starts_with('.') &&
         (!entry.is_directory(ignored) || table.ends_with(".csv") || table.ends_with(".txt"));
}

std::map<std::string, std::string> files_of_folder(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  const auto skip = std::filesystem::directory_options::skip_permission_denied;
  for (auto it = std::filesystem::recursive_directory_iterator(folder, skip);
       it != std::filesystem::recursive_directory_iterator(); ++it) {
    if (it.depth() >= kDepth) it.disable_recursion_pending();
    if (is_listed(*it)) files[it->path().lexically_relative(folder).generic_string()];
  }
  return files;
}

std::map<std::string, std::string> files_of_zip(const std::filesystem::path& zip) {
  const std::shared_ptr<archive> handle = open_zip(zip);
  std::map<std::string, std::string> files;
  std::int64_t count = 0;
  std::string name;
  while (archive_entry* entry = next_member(handle.get(), zip.string(), name)) {
    if (++count > ArchiveLimits().members) {
      throw InvalidFile(zip.string(), 0,
                        "has more than " + std::to_string(ArchiveLimits().members) + " members");
    }
    if (name.empty() || archive_entry_filetype(entry) != AE_IFREG || is_macos_note(name)) continue;
    if (!files.try_emplace(name).second) {
      throw InvalidFile(zip.string(), 0, "has two members called " + in_quotes(name));
    }
  }
  return files;
}

}  // namespace

FileSet::FileSet(std::filesystem::path place) : place_(std::move(place)), kind_(Kind::kZip) {
  if (std::filesystem::is_directory(place_)) {
    kind_ = Kind::kFolder;
    files_ = files_of_folder(place_);
  } else {
    if (!std::filesystem::exists(place_)) fail("does not exist");
    files_ = files_of_zip(place_);
  }
}

FileSet::FileSet(std::filesystem::path folder, std::string_view prefix)
    : place_(std::move(folder)), kind_(Kind::kFolder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(place_)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && !entry.is_directory(ignored)) files_[name];
  }
}

FileSet::FileSet(std::string name, std::map<std::string, std::string> contents)
    : place_(std::move(name)), kind_(Kind::kMemory), files_(std::move(contents)) {}

std::optional<std::string> FileSet::find(std::string_view path) const {
  const auto in_a_folder = [&](std::string_view name) {
    return name.ends_with(path) && name.substr(0, name.size() - path.size()).ends_with('/');
  };
  const std::string plain(path);
  const std::string packed = plain + ".gz";
  if (files_.contains(plain) && files_.contains(packed)) fail_ambiguous(plain, packed);
  for (const std::string& name : {plain, packed}) {
    if (files_.contains(name)) return name;
  }
  std::optional<std::string> found;
  for (const auto& [name, content] : files_) {
    if (!in_a_folder(name) && !in_a_folder(without_gz(name))) continue;
    if (found) fail_ambiguous(*found, name);
    found = name;
  }
  return found;
}

std::optional<std::string> FileSet::find_prefix(std::string_view ending) const {
  std::optional<std::string> found;
  for (const auto& [name, content] : files_) {
    const std::string_view unpacked = without_gz(name);
    if (!unpacked.ends_with(ending)) continue;
    if (found) fail_ambiguous(*found + std::string(ending), name);
    found = unpacked.substr(0, unpacked.size() - ending.size());
  }
  return found;
}

ByteStream FileSet::open(std::string_view path) const {
  const std::optional<std::string> name = find(path);
  if (!name) fail("has no file " + std::string(path));
  if (kind_ == Kind::kFolder) return ByteStream::from_file(place_ / *name);
  if (kind_ == Kind::kZip) return ByteStream::from_zip(place_, *name);
  return ByteStream::from_memory((place_ / *name).string(), files_.at(*name));
}

std::vector<std::filesystem::path> FileSet::sources(
    const std::function<bool(const std::string&)>& is_read) const {
  if (kind_ == Kind::kZip) return {place_};
  std::vector<std::filesystem::path> sources;
  for (const auto& [name, content] : files_) {
    if (is_read(name)) sources.push_back(place_ / name);
  }
  return sources;
}

void FileSet::fail_ambiguous(const std::string& one, const std::string& other) const {
  fail("has both " + in_quotes(one) + " and " + in_quotes(other) + "; expected one of them");
}

void FileSet::fail(const std::string& what) const { throw InvalidFile(place_.string(), 0, what); }

}  // namespace hgnet
