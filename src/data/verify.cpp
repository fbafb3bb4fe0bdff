#include "hgnet/data/verify.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "core/regular_file.hpp"
#include "data/archive_walk.hpp"
#include "data/edge_sum.hpp"
#include "data/sha256.hpp"
#include "data/zip_writer.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

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

/// The members of an archive against their sums.
class MemberSums {
 public:
  MemberSums(const fs::path& place, const KnownFile& file) : place_(place), file_(file) {}

  /// Null for a member of which no sum is known.
  const KnownSum* find(const std::string& member) const {
    const auto found =
        std::find_if(file_.sums.begin(), file_.sums.end(),
                     [&](const KnownSum& expected) { return expected.member == member; });
    return found == file_.sums.end() ? nullptr : &*found;
  }

  /// Takes the member's content. A member that is longer than it should be is not read to its end.
  Sink sink(const KnownSum& expected) {
    const auto [place, added] = found_.try_emplace(expected.member);
    if (!added) fail(expected, "is there twice");
    return [this, &expected, &found = place->second](std::span<const char> bytes) {
      found.bytes += std::ssize(bytes);
      if (expected.bytes > 0 && found.bytes > most_bytes(expected)) {
        fail(expected,
             "is longer than the " + std::to_string(expected.bytes) + " bytes known of it");
      }
      found.sum.add(bytes);
    };
  }

  /// To be called when all members were gone through; `archive` is where those with edges are.
  void check(const fs::path& archive) {
    for (const KnownSum& expected : file_.sums) {
      const auto found = found_.find(expected.member);
      if (found == found_.end()) {
        throw InvalidFile(place_.string(), 0, "has no member " + in_quotes(expected.member));
      }
      const std::string sum = expected.of == SumOf::kEdges
                                  ? sha256_of_edges(ByteStream::from_zip(archive, expected.member))
                                  : found->second.sum.digest();
      if (sum == expected.sha256) continue;
      const char* of = expected.of == SumOf::kEdges ? "has edges with" : "has";
      fail(expected, of + (" the SHA-256 " + sum) + "; expected " + expected.sha256);
    }
  }

 private:
  struct Found {
    std::int64_t bytes = 0;
    Sha256 sum;
  };

  /// Edges may be listed in another way than where their length was taken from.
  static std::int64_t most_bytes(const KnownSum& expected) {
    return expected.of == SumOf::kEdges ? 2 * expected.bytes : expected.bytes;
  }

  [[noreturn]] void fail(const KnownSum& expected, const std::string& what) const {
    throw InvalidFile(place_.string(), 0, "member " + in_quotes(expected.member) + " " + what);
  }

  const fs::path& place_;
  const KnownFile& file_;
  std::map<std::string, Found> found_;
};

std::vector<std::string> verify_archive(const fs::path& place, const KnownFile& file,
                                        const ArchiveLimits& limits) {
  MemberSums sums(place, file);
  std::vector<std::string> others;
  walk_archive(place, limits, [&](const std::string& member) -> Sink {
    if (const KnownSum* expected = sums.find(member)) return sums.sink(*expected);
    others.push_back(member);
    return [](std::span<const char>) {};  // its own checksum counts
  });
  sums.check(place);
  return others;
}

}  // namespace

std::vector<std::string> verify_file(const fs::path& place, const KnownFile& file,
                                     const ArchiveLimits& limits) {
  if (file.path.ends_with(".zip")) return verify_archive(place, file, limits);
  verify_plain(place, file);
  return {};
}

void keep_known_members(const fs::path& place, const KnownFile& file, const fs::path& kept,
                        const ArchiveLimits& limits) {
  MemberSums sums(place, file);
  ZipWriter writer(kept);
  walk_archive(place, limits, [&](const std::string& member) -> Sink {
    const KnownSum* expected = sums.find(member);
    if (expected == nullptr) return {};
    writer.begin(member);
    return [&writer, sum = sums.sink(*expected)](std::span<const char> bytes) {
      sum(bytes);
      writer.add(bytes);
    };
  });
  writer.close();
  sums.check(kept);
}

std::string sha256_of_file(const fs::path& file) {
  RegularFile opened(file);
  Sha256 sum;
  std::vector<char> buffer(1 << 16);
  while (const std::size_t count = opened.read(buffer)) sum.add({buffer.data(), count});
  return sum.digest();
}

}  // namespace hgnet
