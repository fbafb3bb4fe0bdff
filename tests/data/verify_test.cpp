#include "hgnet/data/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "support/archives.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

using test::error_of;
using test::Member;
using test::TemporaryFolder;
using test::zip_of;
using testing::HasSubstr;

constexpr const char* kSumOfAbc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

std::string archive_error(const std::string& bytes, const std::vector<KnownSum>& sums = {},
                          const ArchiveLimits& limits = {}) {
  const TemporaryFolder folder;
  const auto place = folder.write("a.zip.part", bytes);
  return error_of<InvalidFile>([&] { verify_file(place, {"tu/a.zip", "", sums}, limits); });
}

// The published examples of the standard.
TEST(Sha256OfFile, GivesTheStandardsExamples) {
  const TemporaryFolder folder;
  EXPECT_EQ(sha256_of_file(folder.write("a", "abc")), kSumOfAbc);
  EXPECT_EQ(sha256_of_file(folder.write("b", "")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of_file(folder.write("c", std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_THROW(sha256_of_file(folder.path() / "missing"), InvalidFile);
  EXPECT_THROW(sha256_of_file(folder.path()), InvalidFile);
}

TEST(VerifyFile, AcceptsAnyOfAFilesSumsAndNoOther) {
  const TemporaryFolder folder;
  const auto place = folder.write("ind.x", "abc");
  verify_file(place, {"ind.x", "", {}});
  verify_file(place, {"ind.x", "", {{"", std::string(64, '0')}, {"", kSumOfAbc}}});
  EXPECT_THAT(error_of<InvalidFile>([&] {
                verify_file(place, {"ind.x", "", {{"", std::string(64, '0')}}});
              }),
              HasSubstr("ind.x: has the SHA-256 ba7816bf"));
}

TEST(VerifyFile, ChecksTheMembersOfAnArchive) {
  const std::string good = zip_of({{"A/A_A.txt", "abc", ""}, {"A/README", "text", ""}});
  EXPECT_EQ(archive_error(good, {{"A/A_A.txt", kSumOfAbc}}), "no error");
  EXPECT_THAT(archive_error(good, {{"A/README", kSumOfAbc}}),
              HasSubstr("member 'A/README' has the SHA-256"));
  EXPECT_THAT(archive_error(good, {{"A/A_labels.txt", kSumOfAbc}}),
              HasSubstr("has no member 'A/A_labels.txt'"));
}

TEST(VerifyFile, RefusesMembersThatNoDataSetHas) {
  const auto error = [](const Member& member) { return archive_error(zip_of({member})); };
  EXPECT_THAT(error({"../evil", "x", ""}), HasSubstr("leads out of the archive's folder"));
  EXPECT_THAT(error({"A/../../evil", "x", ""}), HasSubstr("leads out"));
  EXPECT_THAT(error({"A\\..\\..\\evil", "x", ""}), HasSubstr("leads out"));
  EXPECT_THAT(error({"A/..", "x", ""}), HasSubstr("leads out"));
  EXPECT_THAT(error({"/etc/passwd", "x", ""}), HasSubstr("absolute path"));
  EXPECT_THAT(error({"A/link", "", "/etc/passwd"}), HasSubstr("is a link or a device"));
  EXPECT_EQ(error({"A/..b", "x", ""}), "no error");
}

TEST(VerifyFile, RefusesAbsurdSizes) {
  const std::string bytes = zip_of({{"a", std::string(5000, 'x'), ""}, {"b", "xyz", ""}});
  EXPECT_EQ(archive_error(bytes), "no error");
  EXPECT_THAT(archive_error(bytes, {}, {.member_bytes = 4999}),
              HasSubstr("member 'a' is too large"));
  EXPECT_THAT(archive_error(bytes, {}, {.total_bytes = 5002}),
              HasSubstr("member 'b' is too large"));
  EXPECT_THAT(archive_error(bytes, {}, {.members = 1}), HasSubstr("too many members"));
}

TEST(VerifyFile, RefusesDamagedArchives) {
  std::string bytes = zip_of({{"a", std::string(5000, 'x'), ""}});
  EXPECT_THAT(archive_error("<html>not an archive</html>"), HasSubstr("cannot be unpacked"));
  EXPECT_THAT(archive_error(bytes.substr(0, bytes.size() / 2)), HasSubstr("cannot be unpacked"));
  // After the header of 30 bytes, the name and the extra field.
  const std::size_t data = 30 + 1 + static_cast<unsigned char>(bytes[28]);
  bytes[data + 3] ^= 0x55;
  EXPECT_THAT(archive_error(bytes), HasSubstr("cannot be unpacked"));
}

}  // namespace
}  // namespace hgnet
