#include "core/staged_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

constexpr mode_t kRights = 0666;  // less what the user's mask takes away

/// Beside the target, since names cannot move between file systems.
std::string temporary_name(const std::filesystem::path& target) {
  static std::atomic<std::uint64_t> count = 0;
  return target.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(++count);
}

/// A file without a name in the folder; -1 if the file system has none.
int open_nameless(const std::filesystem::path& folder) {
  return ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kRights);
}

bool give_name(int descriptor, const std::string& name) {
  const std::string itself = "/proc/self/fd/" + std::to_string(descriptor);
  return ::linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

StagedFile::StagedFile(std::filesystem::path target)
    : target_(std::move(target)), temporary_(temporary_name(target_)) {
  descriptor_ = open_nameless(target_.parent_path());
  // Without /proc a file without a name could never get one.
  if (descriptor_ >= 0 && ::access("/proc/self/fd", F_OK) == 0) return;
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kRights);
  if (descriptor_ < 0) fail(errno);
  named_ = true;
}

StagedFile::~StagedFile() {
  if (named_) ::unlink(temporary_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

void StagedFile::append(std::string_view bytes) {
  if (const int reason = write_all(descriptor_, bytes)) fail(reason);
}

void StagedFile::overwrite(std::int64_t place, std::string_view bytes) {
  if (::lseek(descriptor_, place, SEEK_SET) < 0) fail(errno);
  append(bytes);
  if (::lseek(descriptor_, 0, SEEK_END) < 0) fail(errno);
}

void StagedFile::sync() {
  if (::fsync(descriptor_) != 0) fail(errno);
}

void StagedFile::commit() {
  if (!named_ && !give_name(descriptor_, temporary_)) fail(errno);
  named_ = true;
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  named_ = false;
}

void StagedFile::fail(int reason) const {
  throw Error("cannot write " + target_.string() + ": " + std::strerror(reason));
}

}  // namespace hgnet
