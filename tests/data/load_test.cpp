#include "hgnet/data/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "hgnet/core/error.hpp"
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
