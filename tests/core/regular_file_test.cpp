#include "core/regular_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::HasSubstr;

std::string error(const std::filesystem::path& file) {
  return error_of<InvalidFile>([&] { read_whole(file); });
}

TEST(RegularFile, IsReadPieceByPiece) {
  const test::TemporaryFolder folder;
  RegularFile file(folder.write("a", "12345"));
  EXPECT_EQ(file.size(), 5);
  std::string piece(3, ' ');
  EXPECT_EQ(file.read(piece), 3U);
  EXPECT_EQ(piece, "123");
  EXPECT_EQ(file.read(piece), 2U);
  EXPECT_EQ(file.read(piece), 0U);
}

TEST(RegularFile, IsNeitherPipeNorDeviceNorFolder) {
  const test::TemporaryFolder folder;
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error(pipe), pipe.string() + ": is a pipe; expected a regular file");
  EXPECT_EQ(error("/dev/zero"), "/dev/zero: is a device; expected a regular file");
  EXPECT_THAT(error(folder.path()), HasSubstr("is a folder; expected a regular file"));
  EXPECT_THAT(error(folder.path() / "missing"), HasSubstr("missing: cannot be opened: No such"));
}

TEST(ReadWhole, FollowsLinks) {
  const test::TemporaryFolder folder;
  const std::string bytes("a\0b\n", 4);
  std::filesystem::create_symlink(folder.write("file", bytes), folder.path() / "link");
  EXPECT_EQ(read_whole(folder.path() / "link"), bytes);
  EXPECT_EQ(read_whole(folder.write("empty", "")), "");
}

TEST(ReadWhole, RefusesWhatNoMemoryHolds) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("long", "");
  std::filesystem::resize_file(file, std::uintmax_t{5} << 30);  // takes no room on the disk
  EXPECT_THAT(error(file), HasSubstr("has 5368709120 bytes; expected at most 4294967296"));
}

}  // namespace
}  // namespace hgnet
