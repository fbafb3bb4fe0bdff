#include "hgnet/core/atomic_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

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

}  // namespace

void write_atomically(const std::filesystem::path& file, std::string_view bytes) {
  std::string temporary = file.string() + ".XXXXXX";
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0) fail(file, "write");
  const bool written =
      ::fchmod(descriptor, 0644) == 0 && write_all(descriptor, bytes) && ::fsync(descriptor) == 0;
  int reason = written ? 0 : errno;
  if (::close(descriptor) != 0 && reason == 0) reason = errno;
  if (reason == 0 && ::rename(temporary.c_str(), file.c_str()) != 0) reason = errno;
  if (reason == 0) return;
  ::unlink(temporary.c_str());
  errno = reason;
  fail(file, "write");
}

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file)) fail(file, "read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace hgnet
