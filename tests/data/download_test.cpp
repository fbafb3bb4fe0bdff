#include "hgnet/data/download.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "data/file_set.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/data/verify.hpp"
#include "support/archives.hpp"
#include "support/datasets.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/http_server.hpp"

namespace hgnet {
namespace {

using test::content_of;
using test::error_of;
using test::zip_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// Bytes that do not compress and do not repeat.
std::string random_bytes(std::size_t size) {
  Generator generator(1);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(generator());
  return bytes;
}

class Download : public testing::Test {
 protected:
  Download() { setenv("no_proxy", "127.0.0.1", 1); }

  /// A data set with one file at "/set/file.bin" of the server, which is expected to have this
  /// content.
  KnownDataset expecting(const std::string& content) const {
    const test::TemporaryFolder folder;
    const std::string sum = sha256_of_file(folder.write("content", content));
    KnownDataset set;
    set.files = {{"set/file.bin", server_.url("/set/file.bin"), {{"", sum}}}};
    return set;
  }

  DownloadOptions options() const {
    return {.root = root_.path(), .mirror = "", .attempts = 1, .progress = {}};
  }

  std::string error(const KnownDataset& set, const DownloadOptions& options) const {
    return error_of<DownloadFailed>([&] { download(set, options); });
  }

  std::filesystem::path place() const { return root_.path() / "set" / "file.bin"; }
  std::filesystem::path part() const { return root_.path() / "set" / "file.bin.part"; }

  test::HttpServer server_;
  test::TemporaryFolder root_;
  const std::string content_ = random_bytes(300000);
};

TEST_F(Download, PutsAGoodFileIntoPlaceOnce) {
  server_.serve("/set/file.bin", {.content = content_});
  const KnownDataset set = expecting(content_);
  const auto first = download(set, options());
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].state, FileState::kFetched);
  EXPECT_EQ(first[0].place, place());
  EXPECT_EQ(first[0].bytes, 300000);
  EXPECT_EQ(content_of(place()), content_);
  EXPECT_FALSE(std::filesystem::exists(part()));
  EXPECT_EQ(download(set, options())[0].state, FileState::kPresent);
  EXPECT_THAT(server_.requests(), ElementsAre("/set/file.bin"));
}

TEST_F(Download, ReportsProgressToTheEnd) {
  server_.serve("/set/file.bin", {.content = content_});
  DownloadProgress last;
  DownloadOptions reporting = options();
  reporting.progress = [&](const DownloadProgress& progress) { last = progress; };
  download(expecting(content_), reporting);
  EXPECT_EQ(last.path, "set/file.bin");
  EXPECT_EQ(last.received, 300000);
  EXPECT_EQ(last.total, 300000);
}

TEST_F(Download, EndsWhenProgressThrows) {
  server_.serve("/set/file.bin", {.content = content_});
  DownloadOptions reporting = options();
  reporting.progress = [](const DownloadProgress&) { throw std::runtime_error("enough"); };
  EXPECT_EQ(error_of<std::runtime_error>([&] { download(expecting(content_), reporting); }),
            "enough");
  EXPECT_FALSE(std::filesystem::exists(place()));
}

TEST_F(Download, GoesOnWhereATruncatedOneEnded) {
  server_.serve("/set/file.bin", {.content = content_, .send_only = 100000, .faulty_requests = 1});
  const KnownDataset set = expecting(content_);
  EXPECT_THAT(error(set, options()), HasSubstr("/set/file.bin: "));
  EXPECT_FALSE(std::filesystem::exists(place()));
  EXPECT_EQ(content_of(part()), content_.substr(0, 100000));
  download(set, options());
  EXPECT_EQ(content_of(place()), content_);
  EXPECT_THAT(server_.requests(), ElementsAre("/set/file.bin", "/set/file.bin 100000-"));
}

TEST_F(Download, TriesAgainByItself) {
  server_.serve("/set/file.bin", {.content = content_, .send_only = 100000, .faulty_requests = 2});
  DownloadOptions patient = options();
  patient.attempts = 3;
  download(expecting(content_), patient);
  EXPECT_EQ(content_of(place()), content_);
  EXPECT_THAT(server_.requests(),
              ElementsAre("/set/file.bin", "/set/file.bin 100000-", "/set/file.bin 200000-"));
}

TEST_F(Download, StartsAfreshWhereTheServerKnowsNoRanges) {
  server_.serve("/set/file.bin", {.content = content_, .ranges = false});
  root_.write("set/file.bin.part", content_.substr(0, 5000));
  download(expecting(content_), options());
  EXPECT_EQ(content_of(place()), content_);
  EXPECT_EQ(server_.requests().size(), 1U);
}

TEST_F(Download, StartsAfreshWhenTheOldPartWasSomethingElse) {
  server_.serve("/set/file.bin", {.content = content_});
  root_.write("set/file.bin.part", "something else");
  download(expecting(content_), options());
  EXPECT_EQ(content_of(place()), content_);
  EXPECT_THAT(server_.requests(), ElementsAre("/set/file.bin 14-", "/set/file.bin"));
}

TEST_F(Download, UsesAPartThatWasComplete) {
  server_.serve("/set/file.bin", {.content = content_});
  root_.write("set/file.bin.part", content_);
  download(expecting(content_), options());
  EXPECT_EQ(content_of(place()), content_);
}

TEST_F(Download, RefusesWrongSumsAndKeepsWhatWasThere) {
  server_.serve("/set/file.bin", {.content = "wrong"});
  root_.write("set/file.bin", "old and damaged");
  EXPECT_THAT(error(expecting(content_), options()),
              AllOf(HasSubstr("is not the known file"), HasSubstr("has the SHA-256")));
  EXPECT_EQ(content_of(place()), "old and damaged");
  EXPECT_FALSE(std::filesystem::exists(part()));
  server_.serve("/set/file.bin", {.content = content_});
  EXPECT_EQ(download(expecting(content_), options())[0].state, FileState::kFetched);
  EXPECT_EQ(content_of(place()), content_);
}

TEST_F(Download, NamesTheStatusOfAFileThatIsNotThere) {
  EXPECT_THAT(error(expecting(content_), options()),
              AllOf(HasSubstr(server_.url("/set/file.bin")), HasSubstr("HTTP status 404")));
  EXPECT_FALSE(std::filesystem::exists(part()));
  EXPECT_FALSE(std::filesystem::exists(place()));
}

TEST_F(Download, GivesUpOnAStalledConnection) {
  server_.serve("/set/file.bin", {.content = content_, .send_only = 70000, .stall = true});
  const auto begin = std::chrono::steady_clock::now();
  DownloadOptions impatient = options();
  impatient.stall_seconds = 1;
  EXPECT_THAT(error(expecting(content_), impatient), HasSubstr("too slow"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(std::filesystem::file_size(part()), 70000U);
}

TEST_F(Download, SaysWhenThereIsNoServer) {
  KnownDataset set = expecting(content_);
  set.files[0].url = "http://127.0.0.1:1/file.bin";
  EXPECT_THAT(error(set, options()), HasSubstr("http://127.0.0.1:1/file.bin: "));
  EXPECT_FALSE(std::filesystem::exists(part()));
}

TEST_F(Download, RefusesOtherProtocols) {
  KnownDataset set = expecting(content_);
  for (const char* url : {"ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "/etc/passwd"}) {
    set.files[0].url = url;
    EXPECT_THAT(error(set, options()), HasSubstr(url));
  }
}

TEST_F(Download, LeavesAPartAloneThatAnotherProgramWrites) {
  server_.serve("/set/file.bin", {.content = content_});
  root_.write("set/file.bin.part", "theirs");
  const int theirs = open(part().c_str(), O_RDONLY);
  ASSERT_EQ(flock(theirs, LOCK_EX), 0);
  EXPECT_THAT(error(expecting(content_), options()), HasSubstr("by another program"));
  EXPECT_EQ(content_of(part()), "theirs");
  close(theirs);
}

TEST_F(Download, FetchesFromAMirrorLaidOutLikeTheRoot) {
  server_.serve("/mirror/set/file.bin", {.content = content_});
  KnownDataset set = expecting(content_);
  set.files[0].url = "";
  EXPECT_THAT(error(set, options()), HasSubstr("not published"));
  DownloadOptions mirrored = options();
  mirrored.mirror = server_.url("/mirror");
  download(set, mirrored);
  EXPECT_EQ(content_of(place()), content_);

  const test::TemporaryFolder local;
  local.write("set/file.bin", content_);
  std::filesystem::remove(place());
  mirrored.mirror = "file://" + local.path().string() + "/";
  root_.write("set/file.bin.part", content_.substr(0, 1000));
  download(set, mirrored);
  EXPECT_EQ(content_of(place()), content_);
}

TEST_F(Download, RefusesEvilArchives) {
  KnownDataset set;
  set.files = {{"tu/A.zip", server_.url("/A.zip"), {}}};
  server_.serve("/A.zip", {.content = zip_of({{"A/../../evil", "x", ""}})});
  EXPECT_THAT(error(set, options()), HasSubstr("leads out of the archive's folder"));
  server_.serve("/A.zip", {.content = zip_of({{"A/A_A.txt", "1, 2\n", ""}})});
  download(set, options());
  EXPECT_TRUE(std::filesystem::exists(root_.path() / "tu" / "A.zip"));
}

TEST_F(Download, PutsOnlyVerifiedMembersIntoPlace) {
  const test::TemporaryFolder folder;
  test::Files files = test::tu_files();
  KnownFile known{"tu/TINY.zip", server_.url("/TINY.zip"), {}};
  std::vector<test::Member> members;
  for (const auto& [name, bytes] : files) {
    const std::string sum = sha256_of_file(folder.write("member", bytes));
    known.sums.push_back({name, sum, std::ssize(bytes)});
    members.push_back({name, bytes, ""});
  }
  KnownDataset set;
  set.files = {known};
  members.insert(members.begin(), {"A/EVIL_A.txt", "1, 2\n", ""});
  members.push_back({"TINY/TINY_node_attributes.txt", "1\n2\n3\n4\n5\n", ""});
  members.push_back({"TINY/README.txt", "hello", ""});
  server_.serve("/TINY.zip", {.content = zip_of(members)});
  const auto place = root_.path() / "tu/TINY.zip";
  const auto members_in_place = [&] { return std::ssize(FileSet(place).files()); };

  const auto fetched = download(set, options());
  EXPECT_TRUE(fetched[0].verified);
  EXPECT_EQ(fetched[0].bytes, std::filesystem::file_size(place));
  EXPECT_EQ(members_in_place(), std::ssize(files));
  EXPECT_EQ(load_dataset("tiny", {.root = root_.path(), .use_cache = false}).num_graphs(), 2);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(root_.path() / "tu"), {}), 1);

  root_.write("tu/TINY.zip", zip_of(members));  // by hand
  EXPECT_EQ(download(set, options())[0].state, FileState::kPresent);
  EXPECT_EQ(members_in_place(), std::ssize(files));
  EXPECT_EQ(server_.requests().size(), 1U);
}

TEST_F(Download, SaysWhereNoSumIsKnown) {
  server_.serve("/set/file.bin", {.content = content_});
  KnownDataset set = expecting(content_);
  EXPECT_TRUE(download(set, options())[0].verified);
  set.files[0].sums.clear();
  EXPECT_FALSE(download(set, options())[0].verified);
}

TEST_F(Download, StopsAtTheKnownSize) {
  KnownDataset set = expecting(content_);
  set.files[0].sums[0].bytes = std::ssize(content_);
  server_.serve("/set/file.bin", {.content = content_ + std::string(50'000'000, 'x')});
  std::int64_t most = 0;
  DownloadOptions reporting = options();
  reporting.progress = [&](const DownloadProgress& p) { most = std::max(most, p.received); };
  EXPECT_THAT(error(set, reporting),
              HasSubstr("has more than 300000 bytes, the most this file can have"));
  EXPECT_LT(most, 10'000'000);
  EXPECT_FALSE(std::filesystem::exists(part())) << "nothing to go on with";
  EXPECT_FALSE(std::filesystem::exists(place()));
  server_.serve("/set/file.bin", {.content = content_});
  download(set, options());
  EXPECT_EQ(content_of(place()), content_);
}

TEST_F(Download, WritesIntoNoPipeAndThroughNoLink) {
  server_.serve("/set/file.bin", {.content = content_});
  std::filesystem::create_directories(part().parent_path());
  ASSERT_EQ(mkfifo(part().c_str(), 0600), 0);
  EXPECT_THAT(error(expecting(content_), options()), HasSubstr("cannot write"));
  std::filesystem::remove(part());
  std::filesystem::create_symlink(root_.write("mine", "precious"), part());
  EXPECT_THAT(error(expecting(content_), options()), HasSubstr("cannot write"));
  EXPECT_EQ(content_of(root_.path() / "mine"), "precious");
}

TEST_F(Download, KeepsRoadNetworksAsEdges) {
  const test::TemporaryFolder folder;
  const std::string edges = "4 3\n1 2\n1 4\n2 3\n";
  KnownDataset set;
  set.files = {{"roads/r.edges",
                server_.url("/road-r.zip"),
                {{"", sha256_of_file(folder.write("r", edges))}}}};
  const std::string matrix =
      "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n3 2\n2 1\n4 1\n";
  server_.serve("/road-r.zip",
                {.content = zip_of({{"readme.html", "<html>", ""}, {"road-r.mtx", matrix, ""}})});
  download(set, options());
  EXPECT_EQ(content_of(root_.path() / "roads" / "r.edges"), edges);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(root_.path() / "roads"), {}), 1);
  std::filesystem::remove(root_.path() / "roads" / "r.edges");
  server_.serve("/road-r.zip", {.content = zip_of({{"readme.html", "<html>", ""}})});
  EXPECT_THAT(error(set, options()), HasSubstr("is not the known file"));
}

TEST_F(Download, SaysWhenTheRootCannotBeWritten) {
  server_.serve("/set/file.bin", {.content = content_});
  DownloadOptions blocked = options();
  blocked.root = root_.write("a-file", "");
  EXPECT_THAT(error(expecting(content_), blocked), HasSubstr("cannot write"));
}

TEST(HowToPlaceByHand, NamesAddressesAndPlaces) {
  EXPECT_THAT(how_to_place_by_hand(known_dataset("ENZYMES"), "/data"),
              AllOf(HasSubstr("/graphkerneldatasets/ENZYMES.zip\n"),
                    HasSubstr("as /data/tu/ENZYMES.zip\n")));
  EXPECT_THAT(how_to_place_by_hand(known_dataset("cc-minnesota"), "/data"),
              HasSubstr(".mtx file's edges as /data/roads/minnesota.edges"));
  EXPECT_THAT(how_to_place_by_hand(known_dataset("peptides-func"), "/data"),
              HasSubstr("as /data/ogb/peptides-func.zip"));
}

}  // namespace
}  // namespace hgnet
