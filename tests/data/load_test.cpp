#include "hgnet/data/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <map>

#include "hgnet/core/error.hpp"
#include "support/archives.hpp"
#include "support/datasets.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using testing::HasSubstr;
using testing::Not;

template <class E = UnknownDataset>
std::string unknown(const std::string& name, const std::filesystem::path& root) {
  return test::error_of<E>([&] { load_dataset(name, {.root = root, .use_cache = false}); });
}

TEST(LoadDataset, FindsNamesInAnyCase) {
  const test::TemporaryFolder folder;
  folder.write_zip("tu/Tiny-SET.zip", test::tu_files());
  for (const char* name : {"tiny-set", "TINY-SET", "Tiny-SET"}) {
    const Dataset dataset = load_dataset(name, {.root = folder.path(), .use_cache = false});
    EXPECT_EQ(dataset.name, "Tiny-SET");
  }
}

TEST(LoadDataset, ReadsAnEdgeListAsASetWithoutLabels) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("graph.txt", "0 1\n1 2\n").string();
  const Dataset dataset = load_dataset(file, {.use_cache = false});
  EXPECT_EQ(dataset.name, "graph");
  EXPECT_EQ(dataset.num_nodes(), 3);
  EXPECT_EQ(dataset.num_features(), 3);
  EXPECT_EQ(dataset.classes.at(0), kUnlabelled);
}

TEST(LoadDataset, SaysWhereItLookedAndWhatIsNear) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(unknown("crora", folder.path()), HasSubstr("Did you mean cora?"));
  EXPECT_THAT(unknown("molhiv", folder.path()), HasSubstr("ogbg-molhiv"));
  EXPECT_THAT(unknown("hiv", folder.path()), HasSubstr("ogbg-molhiv"));
  EXPECT_THAT(unknown("imdb-binry", folder.path()), HasSubstr("IMDB-BINARY"));
  EXPECT_THAT(unknown("zzzzzzzz", folder.path()), Not(HasSubstr("mean")));
  EXPECT_THAT(unknown<MissingDataset>("Cora", folder.path()),
              HasSubstr("in " + folder.path().string() + " for planetoid/ind.cora.graph"));
  EXPECT_THAT(unknown<MissingDataset>("ogbg-molhiv", folder.path()), HasSubstr("ogb/hiv.zip"));
  EXPECT_THAT(unknown("no/such/place", folder.path()),
              HasSubstr("no file or folder no/such/place"));
}

TEST(LoadDataset, SaysWhatAFolderWouldHaveToHold) {
  const test::TemporaryFolder folder;
  folder.write("notes.txt", "nothing");
  EXPECT_THAT(test::error_of<InvalidFile>([&] { load_dataset(folder.path().string()); }),
              HasSubstr("contains no data set; expected NAME_A.txt"));
}

TEST(LoadDataset, DoesNotMixTwoDataSetsThatLieTogether) {
  const test::TemporaryFolder folder;
  test::Files both = test::tu_files("A/EVIL");
  both.merge(test::tu_files("TINY/TINY"));
  const std::string zip = folder.write_zip("both.zip", both).string();
  const auto error = [](const std::string& path) {
    return test::error_of<InvalidFile>([&] { load_dataset(path, {.use_cache = false}); });
  };
  EXPECT_THAT(error(zip), HasSubstr("has both 'A/EVIL_A.txt' and 'TINY/TINY_A.txt'"));
  for (const auto& [name, bytes] : both) folder.write("folder/" + name, bytes);
  EXPECT_THAT(error((folder.path() / "folder").string()), HasSubstr("has both 'A/EVIL_A.txt'"));
  for (const char* set : {"one", "two"}) {
    for (const auto& [name, bytes] : test::csv_files())
      folder.write("csv/" + std::string(set) + "/" + name, bytes);
  }
  EXPECT_THAT(error((folder.path() / "csv").string()),
              HasSubstr("has both 'one/nodes.csv' and 'two/nodes.csv'"));
  for (const auto& [name, bytes] : test::csv_files()) folder.write("csv/" + name, bytes);
  EXPECT_EQ(error((folder.path() / "csv").string()), "no error") << "the folder's own come first";
}

TEST(LoadDataset, RefusesArchivesWithTwoMembersOfOneName) {
  const test::TemporaryFolder folder;
  std::vector<test::Member> members;
  for (const auto& [name, bytes] : test::tu_files()) members.push_back({name, bytes, ""});
  members.push_back({"TINY/TINY_graph_labels.txt", "1\n1\n", ""});
  const std::string zip = folder.write("twice.zip", test::zip_of(members)).string();
  EXPECT_THAT(test::error_of<InvalidFile>([&] { load_dataset(zip, {.use_cache = false}); }),
              HasSubstr("has two members called 'TINY/TINY_graph_labels.txt'"));
}

TEST(LoadDataset, NamesTheAttributesThatAnEdgeListLoses) {
  const test::TemporaryFolder folder;
  const std::string file =
      folder.write("graph.edgelist", "0 1 {'weight': 4.5, 'kind': 'a'}\n1 2 {'weight': 2}\n")
          .string();
  const Dataset dataset = load_dataset(file, {.use_cache = false});
  EXPECT_TRUE(dataset.graphs.front().has_weights());
  EXPECT_THAT(dataset.notes, testing::ElementsAre(HasSubstr("ignored: edge attribute 'kind'")));
}

TEST(LoadDataset, DoesNotWaitForPipesInPlaceOfFiles) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "tu");
  for (const char* name : {"graph.txt", "graph.zip", "tu/PIPE.zip"}) {
    ASSERT_EQ(mkfifo((folder.path() / name).c_str(), 0600), 0);
  }
  for (const std::string& name : {(folder.path() / "graph.txt").string(),
                                  (folder.path() / "graph.zip").string(), std::string("pipe")}) {
    EXPECT_THAT(unknown<InvalidFile>(name, folder.path()), HasSubstr("is a pipe; expected"));
  }
  EXPECT_THAT(unknown<InvalidFile>("/dev/zero", folder.path()), HasSubstr("is a device"));
}

TEST(LoadDataset, RefusesNamesThatAreNotText) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("a\x1b[31m.txt", "0 1\n").string();
  EXPECT_THAT(unknown<InvalidFile>(file, folder.path()),
              HasSubstr("the name 'a\\x1b[31m' has a control character"));
  const test::Files files = test::ogb_files("tiny/");
  for (const auto& [name, bytes] : files) folder.write("mols/" + name, bytes);
  for (const char* part : {"train", "valid", "test"})
    folder.write("mols/tiny/split/\xff/" + std::string(part) + ".csv", "");
  EXPECT_THAT(unknown<InvalidFile>((folder.path() / "mols/tiny").string(), folder.path()),
              HasSubstr("split '\\xff' has a byte that is not UTF-8"));
}

TEST(LoadDataset, KeepsNothingInASharedFolderWithoutAHome) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("graph.txt", "0 1\n").string();
  std::map<std::string, std::string> before;
  for (const char* name : {"HOME", "XDG_CACHE_HOME", "HGNET_DATA", "HGNET_CACHE", "TMPDIR"}) {
    if (const char* value = std::getenv(name)) before[name] = value;
    unsetenv(name);
  }
  const std::string shared = (folder.path() / "shared").string();
  std::filesystem::create_directory(shared);
  setenv("TMPDIR", shared.c_str(), 1);
  EXPECT_EQ(default_cache_folder(), "");
  EXPECT_EQ(load_dataset(file).num_nodes(), 2) << "a path needs no root";
  EXPECT_THAT(test::error_of<Error>([] { load_dataset("cora"); }), HasSubstr("no folder for data"));
  EXPECT_TRUE(std::filesystem::is_empty(shared));
  unsetenv("TMPDIR");
  for (const auto& [name, value] : before) setenv(name.c_str(), value.c_str(), 1);
}

TEST(LoadDataset, TakesItsFoldersFromTheEnvironment) {
  const auto with = [](const char* variable, const char* value, const auto& f) {
    const char* before = std::getenv(variable);
    const std::string kept = before != nullptr ? before : "";
    setenv(variable, value, 1);
    const std::filesystem::path result = f();
    before != nullptr ? setenv(variable, kept.c_str(), 1) : unsetenv(variable);
    return result;
  };
  EXPECT_EQ(with("HGNET_DATA", "/some/data", default_data_root), "/some/data");
  EXPECT_EQ(with("HGNET_CACHE", "/some/cache", default_cache_folder), "/some/cache");
  const auto without_cache = [&](const auto& f) { return with("HGNET_CACHE", "", f); };
  EXPECT_EQ(with("XDG_CACHE_HOME", "/x", [&] { return without_cache(default_cache_folder); }),
            "/x/hgnet/cache");
}

}  // namespace
}  // namespace hgnet
