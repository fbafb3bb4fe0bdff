#include "hgnet/data/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "hgnet/core/error.hpp"
#include "hgnet/data/verify.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::HasSubstr;

std::filesystem::path shared_data() { return HGNET_DEFAULT_DATA_DIR; }

TEST(KnownDatasets, AreCompleteAndNamedOnce) {
  std::set<std::string> names;
  for (const KnownDataset& set : known_datasets()) {
    EXPECT_TRUE(names.insert(set.name).second) << set.name;
    EXPECT_GT(set.graphs, 0) << set.name;
    EXPECT_GT(set.nodes, 0) << set.name;
    EXPECT_GT(set.classes, 0) << set.name;
    EXPECT_FALSE(set.source.empty()) << set.name;
    for (const KnownFile& file : set.files) {
      for (const KnownSum& sum : file.sums) {
        EXPECT_EQ(sum.sha256.size(), 64U) << file.path << " " << sum.member;
        EXPECT_EQ(sum.member.empty(), !file.path.ends_with(".zip")) << file.path;
      }
    }
  }
  EXPECT_EQ(names.size(), 27U);
}

TEST(KnownDatasets, AreFoundInAnyCase) {
  EXPECT_EQ(known_dataset("Cora").files.size(), 8U);
  EXPECT_EQ(known_dataset("imdb-binary").name, "IMDB-BINARY");
  EXPECT_EQ(known_dataset("OGBG-MolHIV").files.front().path, "ogb/hiv.zip");
  EXPECT_EQ(known_dataset("ogbg-molhiv").files.front().sums.size(), 10U);
  EXPECT_EQ(known_dataset("ENZYMES").files.front().sums.front().member, "ENZYMES/ENZYMES_A.txt");
  EXPECT_EQ(known_dataset("cc-euroroad").files.front().sums.size(), 2U);
  EXPECT_THAT(error_of<UnknownDataset>([] { known_dataset("corra"); }),
              HasSubstr("no data set 'corra'. Did you mean cora? Known data sets: cora citeseer"));
}

TEST(KnownDatasets, SayWhetherTheyAreOnDisk) {
  const test::TemporaryFolder root;
  EXPECT_TRUE(on_disk(known_dataset("cc-grid16"), root.path()));
  EXPECT_FALSE(on_disk(known_dataset("ENZYMES"), root.path()));
  root.write("tu/ENZYMES.zip", "");
  EXPECT_TRUE(on_disk(known_dataset("ENZYMES"), root.path()));
  root.write("planetoid/ind.cora.x", "");
  EXPECT_FALSE(on_disk(known_dataset("cora"), root.path()));
}

TEST(KnownDatasets, HaveAllSumsOfTheSharedFiles) {
  std::ifstream sums(shared_data() / "SHA256SUMS");
  if (!sums) GTEST_SKIP() << "no shared data here";
  std::set<std::string> known;
  for (const KnownDataset& set : known_datasets()) {
    for (const KnownFile& file : set.files) {
      const std::string folder = file.path.substr(0, file.path.find('/') + 1);
      for (const KnownSum& sum : file.sums) {
        known.insert((sum.member.empty() ? file.path : folder + sum.member) + " " + sum.sha256);
      }
    }
  }
  std::string sum;
  std::string path;
  while (sums >> sum >> path) EXPECT_EQ(known.count(path + " " + sum), 1U) << path;
}

TEST(KnownDatasets, AreWhatIsOnDisk) {
  if (!std::filesystem::exists(shared_data())) GTEST_SKIP() << "no shared data here";
  for (const KnownDataset& set : known_datasets()) {
    if (!on_disk(set, shared_data())) continue;
    for (const KnownFile& file : set.files) {
      EXPECT_NO_THROW(verify_file(shared_data() / file.path, file)) << file.path;
    }
  }
}

TEST(DefaultDataRoot, FollowsTheEnvironment) {
  setenv("HOME", "/home/somebody", 1);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HGNET_DATA");
  EXPECT_EQ(default_data_root(), "/home/somebody/.cache/hgnet/data");
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(default_data_root(), "/cache/hgnet/data");
  setenv("HGNET_DATA", "/data", 1);
  EXPECT_EQ(default_data_root(), "/data");
  unsetenv("HGNET_DATA");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(default_data_root(), std::filesystem::temp_directory_path() / "hgnet" / "data");
}

}  // namespace
}  // namespace hgnet
