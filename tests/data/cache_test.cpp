// The cache of load_dataset.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstring>

#include "data/cache.hpp"
#include "data/cache_format.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/load.hpp"
#include "support/datasets.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

class Cache : public testing::Test {
 protected:
  LoadOptions options() const { return {.root = folder_.path(), .cache_folder = kept()}; }
  fs::path kept() const { return folder_.path() / "kept"; }
  Dataset load() const { return load_dataset("tiny", options()); }
  fs::path kept_file() const { return fs::directory_iterator(kept())->path(); }
  std::size_t num_kept() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(kept()), {}));
  }

  void write_source(const std::string& graph_labels) const {
    test::Files files = test::tu_files();
    files["TINY/TINY_graph_labels.txt"] = graph_labels;
    folder_.write_zip("tu/TINY.zip", files);
  }

  test::TemporaryFolder folder_;
};

TEST_F(Cache, GivesBackWhatWasParsedForEveryForm) {
  for (const auto& [name, bytes] : test::planetoid_files("cites")) folder_.write(name, bytes);
  folder_.write_zip("tu/TINY.zip", test::tu_files());
  folder_.write_zip("ogb/mols.zip", test::ogb_files());
  for (const auto& [name, bytes] : test::csv_files()) folder_.write("own/" + name, bytes);
  folder_.write("weighted.txt", "0 1 0.5\n1 2 2\n");
  for (const std::string name : {"cites", "tiny", "ogbg-molmols", "OWN", "WEIGHTED"}) {
    const std::string place = name == "OWN"        ? (folder_.path() / "own").string()
                              : name == "WEIGHTED" ? (folder_.path() / "weighted.txt").string()
                                                   : name;
    const Dataset parsed = load_dataset(place, {.root = folder_.path(), .use_cache = false});
    EXPECT_EQ(test::difference(load_dataset(place, options()), parsed), "") << name;
    EXPECT_EQ(test::difference(load_dataset(place, options()), parsed), "") << name;
  }
  EXPECT_EQ(num_kept(), 5U);
}

TEST_F(Cache, GraphsOfALargeFileStayInIt) {
  folder_.write_zip("tu/TINY.zip", test::tu_files());
  const Dataset parsed = load();
  const CacheKey key{"tiny", "of a test", "1"};
  write_cache(folder_.path() / "mapped", key, parsed);
  std::optional<Dataset> mapped = read_cache(folder_.path() / "mapped", key, 0);
  ASSERT_TRUE(mapped);
  fs::remove_all(folder_.path() / "mapped");  // what is mapped stays
  EXPECT_EQ(test::difference(*mapped, parsed), "");
  // The arrays of one graph after the other, as they are in the file.
  EXPECT_EQ(mapped->graphs[0].offsets().data() + mapped->graphs[0].offsets().size(),
            mapped->graphs[1].offsets().data());
  const Graph graph = mapped->graphs[1];
  mapped.reset();
  EXPECT_EQ(graph.parts().columns, parsed.graphs[1].parts().columns);
}

TEST_F(Cache, IsUsedWhileTheBytesStayTheSame) {
  const fs::path source = folder_.path() / "tu/TINY.zip";
  write_source("1\n2\n");
  load();
  fs::last_write_time(source, fs::file_time_type::clock::now() + std::chrono::hours(1));
  // Were it parsed again, it would be written again, and so appear as another file.
  fs::create_hard_link(kept_file(), folder_.path() / "link");
  load();
  EXPECT_TRUE(fs::equivalent(kept_file(), folder_.path() / "link"));
}

TEST_F(Cache, IsStaleWhenAFileOfTheSameSizeAndTimeIsAnother) {
  const fs::path source = folder_.path() / "tu/TINY.zip";
  write_source("1\n2\n");
  const auto time = fs::last_write_time(source);
  const auto size = fs::file_size(source);
  load();
  write_source("1\n3\n");
  ASSERT_EQ(fs::file_size(source), size);
  fs::last_write_time(source, time);
  EXPECT_EQ(load().class_names.back(), "3");
}

TEST_F(Cache, DependsOnTheFilesThatAreRead) {
  for (const auto& [name, bytes] : test::csv_files()) folder_.write("own/" + name, bytes);
  const std::string place = (folder_.path() / "own").string();
  load_dataset(place, options());
  fs::create_hard_link(kept_file(), folder_.path() / "link");
  folder_.write("own/notes.txt", "beside the data");
  load_dataset(place, options());
  EXPECT_TRUE(fs::equivalent(kept_file(), folder_.path() / "link"));
  folder_.write("own/nodes.csv", "id\nalice\n17\nbob\n");
  folder_.write("own/edges.csv", "source,target\nalice,17\n");
  EXPECT_EQ(load_dataset(place, options()).num_nodes(), 3);
}

TEST_F(Cache, DoesNotWaitForAPipeInItsPlace) {
  write_source("1\n2\n");
  load();
  const fs::path file = kept_file();
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(load().num_graphs(), 2);
  EXPECT_TRUE(fs::is_regular_file(kept_file())) << "it was replaced";
}

TEST_F(Cache, IsStaleWhenTheFileOrAnOptionChanges) {
  write_source("1\n2\n");
  EXPECT_EQ(load().class_names.back(), "2");
  write_source("1\n3\n");
  EXPECT_EQ(load().class_names.back(), "3");
  EXPECT_EQ(num_kept(), 1U) << "the stale one is replaced";
  test::Files files = test::tu_files();
  files["TINY/TINY_node_attributes.txt"] = "1\n1\n1\n1\n1\n";
  folder_.write_zip("tu/TINY.zip", files);
  LoadOptions with_attributes = options();
  with_attributes.node_attributes = true;
  EXPECT_EQ(load().num_features(), 4);
  EXPECT_EQ(load_dataset("tiny", with_attributes).num_features(), 2) << "attribute and label";
  EXPECT_EQ(load().num_features(), 4);
  EXPECT_EQ(num_kept(), 2U);
}

TEST_F(Cache, KeepsANameApartFromAPath) {
  const std::string path = folder_.write_zip("ogb/mols.zip", test::ogb_files()).string();
  EXPECT_EQ(load_dataset(path, options()).name, "mols");
  EXPECT_EQ(load_dataset("ogbg-molmols", options()).name, "ogbg-molmols");
}

TEST_F(Cache, IsRebuiltWhenAnyByteIsDamaged) {
  write_source("1\n2\n");
  const Dataset expected = load();
  const std::string good = test::content_of(kept_file());
  Generator generator(2);
  for (int i = 0; i < 300; ++i) {
    std::string bad = good;
    bad[generator.below(bad.size())] ^= static_cast<char>(1 << generator.below(8));
    folder_.write("kept/" + kept_file().filename().string(), bad);
    EXPECT_EQ(test::difference(load(), expected), "");
    EXPECT_EQ(test::content_of(kept_file()), good);
  }
}

TEST_F(Cache, IsRebuiltWhenCutOffOrTooLong) {
  write_source("1\n2\n");
  const Dataset expected = load();
  const std::string good = test::content_of(kept_file());
  const std::string name = "kept/" + kept_file().filename().string();
  for (std::size_t size = 0; size < good.size(); size += 13) {
    folder_.write(name, good.substr(0, size));
    EXPECT_EQ(test::difference(load(), expected), "");
    EXPECT_EQ(test::content_of(kept_file()), good);
  }
  folder_.write(name, good + "more");
  EXPECT_EQ(test::difference(load(), expected), "");
  EXPECT_EQ(test::content_of(kept_file()), good);
}

TEST_F(Cache, IsDoneWithoutWhereItCannotBeWritten) {
  write_source("1\n2\n");
  folder_.write("file", "");
  LoadOptions no_folder = options();
  no_folder.cache_folder = folder_.path() / "file" / "kept";
  EXPECT_EQ(load_dataset("tiny", no_folder).num_graphs(), 2);
  load();
  const fs::path file = kept_file();
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_EQ(load().num_graphs(), 2);
  EXPECT_EQ(num_kept(), 1U) << "nothing unfinished is left behind";
}

// A seed of an older version would be rejected at once, and the fuzzer would start from nothing.
TEST(CacheFormat, TheFuzzersSeedsAreOfThisVersion) {
  for (const auto& entry : fs::directory_iterator(fs::path(HGNET_FUZZ_CORPUS) / "cache")) {
    SCOPED_TRACE(entry.path().filename());
    const std::string bytes = test::content_of(entry.path());
    std::vector<std::uint64_t> aligned((bytes.size() + 7) / 8);
    std::memcpy(aligned.data(), bytes.data(), bytes.size());
    EXPECT_NO_THROW(
        validate(decode_dataset(std::as_bytes(std::span(aligned)).first(bytes.size()))));
  }
}

}  // namespace
}  // namespace hgnet
