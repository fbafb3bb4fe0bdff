#include "hgnet/data/verify.hpp"

#include <algorithm>
#include <fstream>
#include <map>

#include "data/archive_walk.hpp"
#include "data/sha256.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

void verify_plain(const fs::path& place, const KnownFile& file) {
  const std::string sum = sha256_of_file(place);
  const bool known = std::any_of(file.sums.begin(), file.sums.end(),
                                 [&](const KnownSum& expected) { return expected.sha256 == sum; });
  if (!known && !file.sums.empty()) {
    throw InvalidFile(place.string(), 0,
                      "has the SHA-256 " + sum + "; expected " + file.sums.front().sha256);
  }
}

void verify_archive(const fs::path& place, const KnownFile& file, const ArchiveLimits& limits) {
  std::map<std::string, Sha256> sums;
  walk_archive(place, limits, [&](const std::string& member) -> Sink {
    Sha256& sum = sums[member];
    return [&sum](std::span<const char> bytes) { sum.add(bytes); };
  });
  for (const KnownSum& expected : file.sums) {
    const auto found = sums.find(expected.member);
    if (found == sums.end()) {
      throw InvalidFile(place.string(), 0, "has no member '" + expected.member + "'");
    }
    if (const std::string sum = found->second.digest(); sum != expected.sha256) {
      throw InvalidFile(place.string(), 0,
                        "member '" + expected.member + "' has the SHA-256 " + sum + "; expected " +
                            expected.sha256);
    }
  }
}

}  // namespace

void verify_file(const fs::path& place, const KnownFile& file, const ArchiveLimits& limits) {
  if (file.path.ends_with(".zip")) {
    verify_archive(place, file, limits);
  } else {
    verify_plain(place, file);
  }
}

std::string sha256_of_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || fs::is_directory(file)) throw InvalidFile(file.string(), 0, "cannot be opened");
  Sha256 sum;
  char buffer[1 << 16];
  while (stream.read(buffer, sizeof buffer), stream.gcount() > 0) {
    sum.add({buffer, static_cast<std::size_t>(stream.gcount())});
  }
  if (stream.bad()) throw InvalidFile(file.string(), 0, "cannot be read to its end");
  return sum.digest();
}

}  // namespace hgnet
