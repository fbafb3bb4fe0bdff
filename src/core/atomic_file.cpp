#include "hgnet/core/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "core/regular_file.hpp"
#include "core/staged_file.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, int reason) {
  throw Error("cannot write " + file.string() + ": " + std::strerror(reason));
}

/// Such as /dev/stdout or a pipe, which must not be replaced.
bool is_device(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

/// Opens a pipe only if a program reads it, or begins to within a second: the system would wait for
/// one without end.
int open_device(const std::filesystem::path& file) {
  constexpr int kTries = 20;
  constexpr std::chrono::milliseconds kBetween{50};
  const bool is_pipe = std::filesystem::is_fifo(file);
  const int flags = O_WRONLY | O_CLOEXEC | (is_pipe ? O_NONBLOCK : 0);
  int descriptor = ::open(file.c_str(), flags);
  for (int i = 1; is_pipe && descriptor < 0 && errno == ENXIO && i < kTries; ++i) {
    std::this_thread::sleep_for(kBetween);
    descriptor = ::open(file.c_str(), flags);
  }
  if (is_pipe && descriptor < 0 && errno == ENXIO)
    throw Error("cannot write " + file.string() + ": it is a pipe that no program reads");
  if (descriptor < 0) fail(file, errno);
  if (is_pipe) ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

}  // namespace

void write_atomically(const std::filesystem::path& named, std::string_view bytes) {
  if (is_device(named)) {
    const int descriptor = open_device(named);
    int reason = write_all(descriptor, bytes);
    if (::close(descriptor) != 0 && reason == 0) reason = errno;
    if (reason != 0) fail(named, reason);
    return;
  }
  std::error_code failure;
  const auto target = std::filesystem::weakly_canonical(named, failure);  // with links resolved
  StagedFile file(failure ? named : target);
  file.append(bytes);
  file.sync();
  file.commit();
}

void append_to_file(const std::filesystem::path& file, std::string_view bytes) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(file, errno);
  const off_t before = ::lseek(descriptor, 0, SEEK_END);
  int reason = before < 0 ? errno : write_all(descriptor, bytes);
  // Half a line would be taken for the beginning of the next one.
  if (reason != 0 && before >= 0 && ::ftruncate(descriptor, before) != 0) reason = errno;
  if (::close(descriptor) != 0 && reason == 0) reason = errno;
  if (reason != 0) fail(file, reason);
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
