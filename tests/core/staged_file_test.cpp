#include "core/staged_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;
using test::content_of;
using test::TemporaryFolder;

std::ptrdiff_t files_in(const fs::path& folder) {
  const fs::directory_iterator entries(folder);
  return std::distance(begin(entries), end(entries));
}

TEST(StagedFile, HasNoNameUntilItIsComplete) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("file", "old");
  {
    StagedFile dropped(file);
    dropped.append("half of it");
  }
  EXPECT_EQ(content_of(file), "old");
  EXPECT_EQ(files_in(folder.path()), 1);
  StagedFile staged(file);
  staged.append("0 is the number");
  staged.overwrite(0, "7");
  staged.append(".");
  EXPECT_EQ(content_of(file), "old");
  staged.commit();
  EXPECT_EQ(content_of(file), "7 is the number.");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(StagedFile, NamesTheFileAndTheReason) {
  EXPECT_EQ(test::error_of<Error>([] { StagedFile file("/nosuchfolder/file"); }),
            "cannot write /nosuchfolder/file: No such file or directory");
}

TEST(AppendToFile, AddsAtTheEnd) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "log";
  append_to_file(file, "one\n");
  append_to_file(file, "two\n");
  EXPECT_EQ(content_of(file), "one\ntwo\n");
  EXPECT_EQ(test::error_of<Error>([] { append_to_file("/dev/full", "x"); }),
            "cannot write /dev/full: Invalid argument");
}

TEST(WriteAtomically, DoesNotWaitForAReaderOfAPipe) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(folder.without_folder(test::error_of<Error>([&] { write_atomically(pipe, "text"); })),
            "cannot write pipe: it is a pipe that no program reads");
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write_atomically(pipe, "text");
  char bytes[8] = {};
  EXPECT_EQ(::read(reader, bytes, sizeof bytes), 4);
  EXPECT_STREQ(bytes, "text");
  ::close(reader);
}

}  // namespace
}  // namespace hgnet
