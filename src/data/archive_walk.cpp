#include "data/archive_walk.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <string_view>

#include "data/byte_stream.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

/// What is wrong with a member's path; null if nothing is.
const char* path_fault(std::string_view path) {
  if (path.empty()) return "has no name";
  if (path.front() == '/' || path.front() == '\\') return "has an absolute path";
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find_first_of("/\\", begin), path.size());
    if (path.substr(begin, end - begin) == "..") return "leads out of the archive's folder";
    begin = end + 1;
  }
  return nullptr;
}

class Walk {
 public:
  Walk(const std::filesystem::path& file, const ArchiveLimits& limits)
      : name_(file.string()), limits_(limits), archive_(open_zip(file)) {}

  /// Moves to the next member that is a file; its name is in `member`.
  bool next(std::string& member) {
    archive_entry* entry = nullptr;
    while (true) {
      const int status = archive_read_next_header(archive_.get(), &entry);
      if (status == ARCHIVE_EOF) return false;
      if (status != ARCHIVE_OK) fail_reading();
      check(entry);
      member = archive_entry_pathname(entry);
      if (archive_entry_filetype(entry) == AE_IFREG) return true;
    }
  }

  void unpack(const std::string& member, const Sink& sink) {
    char buffer[1 << 16];
    std::int64_t bytes = 0;
    while (true) {
      const auto count = archive_read_data(archive_.get(), buffer, sizeof buffer);
      if (count < 0) fail_reading();
      if (count == 0) return;
      bytes += count;
      total_bytes_ += count;
      if (bytes > limits_.member_bytes || total_bytes_ > limits_.total_bytes) {
        fail("member " + in_quotes(member) + " is too large");
      }
      sink({buffer, static_cast<std::size_t>(count)});
    }
  }

 private:
  void check(archive_entry* entry) {
    const char* path = archive_entry_pathname(entry);
    const std::string member = path == nullptr ? "" : path;
    const auto refuse = [&](const std::string& why) {
      fail("member " + in_quotes(member) + " " + why);
    };
    if (const char* fault = path_fault(member)) refuse(fault);
    const auto type = archive_entry_filetype(entry);
    const bool linked =
        archive_entry_symlink(entry) != nullptr || archive_entry_hardlink(entry) != nullptr;
    if (linked || (type != AE_IFREG && type != AE_IFDIR)) {
      refuse("is a link or a device; expected files and folders");
    }
    if (archive_entry_size_is_set(entry) != 0 && archive_entry_size(entry) > limits_.member_bytes) {
      refuse("is too large");
    }
    if (++num_members_ > limits_.members) fail("has too many members");
  }

  [[noreturn]] void fail(const std::string& what) const { throw InvalidFile(name_, 0, what); }
  [[noreturn]] void fail_reading() const {
    const char* reason = archive_error_string(archive_.get());
    fail("cannot be unpacked: " + std::string(reason == nullptr ? "damaged" : reason));
  }

  std::string name_;
  ArchiveLimits limits_;
  std::shared_ptr<archive> archive_;
  std::int64_t num_members_ = 0;
  std::int64_t total_bytes_ = 0;
};

}  // namespace

void walk_archive(const std::filesystem::path& archive, const ArchiveLimits& limits,
                  const std::function<Sink(const std::string&)>& sink_for) {
  Walk walk(archive, limits);
  std::string member;
  while (walk.next(member)) {
    if (const Sink sink = sink_for(member)) walk.unpack(member, sink);
  }
}

}  // namespace hgnet
