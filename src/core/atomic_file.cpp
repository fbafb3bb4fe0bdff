#include "hgnet/core/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/regular_file.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const char* doing) {
  throw Error("cannot " + std::string(doing) + " " + file.string() + ": " + std::strerror(errno));
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Writes and closes the file; returns the error number, or 0.
int write_and_close(int descriptor, std::string_view bytes, bool sync) {
  const bool written = write_all(descriptor, bytes) && (!sync || ::fsync(descriptor) == 0);
  int reason = written ? 0 : errno;
  if (::close(descriptor) != 0 && reason == 0) reason = errno;
  return reason;
}

/// Such as /dev/stdout or a pipe, which must not be replaced.
bool is_device(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace

void write_atomically(const std::filesystem::path& named, std::string_view bytes) {
  if (is_device(named)) {
    const int descriptor = ::open(named.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail(named, "write");
    errno = write_and_close(descriptor, bytes, false);
    if (errno != 0) fail(named, "write");
    return;
  }
  std::error_code failure;
  const auto target = std::filesystem::weakly_canonical(named, failure);  // with links resolved
  const std::filesystem::path& file = failure ? named : target;
  static std::atomic<std::uint64_t> count = 0;
  const std::string temporary =
      file.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(++count);
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(file, "write");
  int reason = write_and_close(descriptor, bytes, true);
  if (reason == 0 && ::rename(temporary.c_str(), file.c_str()) != 0) reason = errno;
  if (reason == 0) return;
  ::unlink(temporary.c_str());
  errno = reason;
  fail(file, "write");
}

std::string read_whole(const std::filesystem::path& name) {
  constexpr std::int64_t kMaxBytes = std::int64_t{4} << 30;
  RegularFile file(name);
  if (file.size() > kMaxBytes) {
    throw InvalidFile(name.string(), 0,
                      "has " + std::to_string(file.size()) + " bytes; expected at most " +
                          std::to_string(kMaxBytes));
  }
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  bytes.resize(file.read(bytes));
  return bytes;
}

}  // namespace hgnet
