#include "hgnet/data/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/byte_stream.hpp"
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
using testing::ElementsAre;
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

TEST(VerifyFile, NamesTheMembersOfWhichNoSumIsKnown) {
  const TemporaryFolder folder;
  const auto place = folder.write(
      "a.zip", zip_of({{"A/A_A.txt", "abc", ""}, {"A/README", "", ""}, {"B_A.txt", "1", ""}}));
  EXPECT_THAT(verify_file(place, {"tu/a.zip", "", {{"A/A_A.txt", kSumOfAbc}}}),
              ElementsAre("A/README", "B_A.txt"));
}

TEST(VerifyFile, RefusesMembersThatAreThereTwiceOrTooLong) {
  EXPECT_THAT(archive_error(zip_of({{"a", "abc", ""}, {"a", "", ""}}), {{"a", kSumOfAbc}}),
              HasSubstr("member 'a' is there twice"));
  EXPECT_THAT(archive_error(zip_of({{"a", "abcd", ""}}), {{"a", kSumOfAbc, 3}}),
              HasSubstr("member 'a' is longer than the 3 bytes known of it"));
}

// "1 2", "1 3" and "4 4", a line each.
constexpr const char* kSumOfEdges =
    "d3f3d7c973917aaa531aba8e0443391a8285745886b5709289678282da03bcf6";

TEST(VerifyFile, SumsEdgesWhateverTheirOrder) {
  const auto error = [](const std::string& edges) {
    return archive_error(zip_of({{"a", edges, ""}}), {{"a", kSumOfEdges, 100, SumOf::kEdges}});
  };
  EXPECT_EQ(error("1 2\n1 3\n4 4\n"), "no error");
  EXPECT_EQ(error("3, 1\r\n2, 1\r\n4, 4\r\n1, 2\r\n1, 3"), "no error");
  EXPECT_THAT(error("1 2\n1 3\n"), HasSubstr("member 'a' has edges with the SHA-256"));
  EXPECT_THAT(error("1 2\n1 3\n4 5\n"), HasSubstr("has edges with the SHA-256"));
  EXPECT_THAT(error("12\n1 3\n4 4\n"), HasSubstr("a:1: node ''; expected an integer"));
}

TEST(KeepKnownMembers, LeavesOutTheRest) {
  const TemporaryFolder folder;
  const KnownFile file{"tu/a.zip", "", {{"A/A_A.txt", kSumOfAbc, 3}}};
  const auto place = folder.write(
      "a.zip", zip_of({{"A/A_A.txt", "abc", ""}, {"A/README", "", ""}, {"B_A.txt", "1", ""}}));
  const auto kept = folder.path() / "kept.zip";
  keep_known_members(place, file, kept);
  EXPECT_THAT(verify_file(kept, file), ElementsAre());
  EXPECT_EQ(ByteStream::from_zip(kept, "A/A_A.txt").read_all(100), "abc");
  const KnownFile other{"tu/a.zip", "", {{"B_A.txt", kSumOfAbc}}};
  EXPECT_THAT(error_of<InvalidFile>([&] { keep_known_members(place, other, kept); }),
              HasSubstr("member 'B_A.txt' has the SHA-256"));
  EXPECT_THAT(error_of<Error>([&] { keep_known_members(place, file, "/nosuchfolder/a.zip"); }),
              HasSubstr("cannot write /nosuchfolder/a.zip"));
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
