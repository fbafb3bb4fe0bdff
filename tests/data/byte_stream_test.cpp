// What is packed in files: damaged, cut off, or far more than its size lets one expect.

#include "data/byte_stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "hgnet/core/error.hpp"
#include "support/archives.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

using test::error_of;
using test::gzipped;
using test::zip_of;
using testing::HasSubstr;

constexpr std::size_t kNoLimit = std::size_t{1} << 40;

std::string unpacked(const std::string& bytes) {
  return ByteStream::from_memory("a.gz", bytes).read_all(kNoLimit);
}

std::string error(const std::string& bytes) {
  return error_of<InvalidFile>([&] { unpacked(bytes); });
}

/// Reads to the end and keeps nothing.
void drain(ByteStream stream) {
  while (!stream.next().empty()) {
  }
}

TEST(Gzip, IsUnpackedInAnyNumberOfPieces) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i) + "\n";
  EXPECT_EQ(unpacked(gzipped(text)), text);
  EXPECT_EQ(unpacked(gzipped("one\n") + gzipped("") + gzipped("two\n")), "one\ntwo\n");
  EXPECT_EQ(unpacked(gzipped("")), "");
  const test::TemporaryFolder folder;
  EXPECT_EQ(ByteStream::from_file(folder.write("a.gz", gzipped(text))).read_all(kNoLimit), text);
  const auto zip = folder.write("a.zip", zip_of({{"x/a.gz", gzipped(text), ""}}));
  EXPECT_EQ(ByteStream::from_zip(zip, "x/a.gz").read_all(kNoLimit), text);
}

TEST(Gzip, IsRefusedWhereChecksumOrLengthIsWrong) {
  const std::string good = gzipped("1\n0\n1\n");
  ASSERT_EQ(unpacked(good), "1\n0\n1\n");
  for (std::size_t back = 1; back <= 8; ++back) {  // four bytes each, at the end
    std::string bad = good;
    bad[bad.size() - back] ^= 1;
    EXPECT_THAT(error(bad), HasSubstr("a.gz: cannot be unpacked: incorrect")) << back;
  }
}

TEST(Gzip, IsRefusedWhereAnyByteOfItsDataIsChanged) {
  const std::string good = gzipped("label\n0.25\n0.75\n");
  constexpr std::size_t kHead = 10;
  for (std::size_t i = kHead; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] ^= 4;
    EXPECT_THAT(error(bad), HasSubstr("cannot be unpacked")) << i;
  }
}

TEST(Gzip, IsRefusedWhenCutOffOrFollowedBySomething) {
  const std::string good = gzipped("1\n0\n1\n");
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THAT(error(good.substr(0, size)), HasSubstr("cannot be unpacked: it is cut off"))
        << size;
  }
  EXPECT_THAT(error(good + "more"), HasSubstr("cannot be unpacked"));
  EXPECT_THAT(error("1\n0\n"), HasSubstr("cannot be unpacked: incorrect header"));
}

TEST(ByteStream, UnpacksNoMoreThanTheSizeLetsExpect) {
  const std::string zeros(80 << 20, '0');
  const std::string packed = gzipped(zeros);
  const auto limited = HasSubstr("if that is right, unpack it by hand");
  EXPECT_THAT(error_of<InvalidFile>([&] { drain(ByteStream::from_memory("a.gz", packed)); }),
              testing::AllOf(HasSubstr("a.gz: unpacks to more than 50 times the "), limited));
  const test::TemporaryFolder folder;
  const auto gz = folder.write("a.gz", packed);
  EXPECT_THAT(error_of<InvalidFile>([&] { drain(ByteStream::from_file(gz)); }), limited);
  const auto zip = folder.write("a.zip", zip_of({{"a.txt", zeros, ""}, {"a.gz", packed, ""}}));
  EXPECT_THAT(error_of<InvalidFile>([&] { drain(ByteStream::from_zip(zip, "a.txt")); }), limited);
  EXPECT_THAT(error_of<InvalidFile>([&] { drain(ByteStream::from_zip(zip, "a.gz")); }), limited);
  drain(ByteStream::from_file(folder.write("a.txt", zeros)));  // as long as it is
}

TEST(ByteStream, DoesNotWaitForPipes) {
  const test::TemporaryFolder folder;
  for (const char* name : {"a.txt", "a.gz"}) {
    const auto pipe = folder.path() / name;
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(error_of<InvalidFile>([&] { ByteStream::from_file(pipe); }), HasSubstr("a pipe"));
    EXPECT_THAT(error_of<InvalidFile>([&] { ByteStream::from_zip(pipe, "a"); }),
                HasSubstr("a pipe"));
  }
}

}  // namespace
}  // namespace hgnet
