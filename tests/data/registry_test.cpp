#include "hgnet/data/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
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
  EXPECT_EQ(names.size(), 29U);
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

/// Where no sum is known, `hgnet download` has to say so.
TEST(KnownDatasets, HaveNoSumsOnlyWhereNoneAreKnown) {
  std::vector<std::string> without;
  for (const KnownDataset& set : known_datasets()) {
    for (const KnownFile& file : set.files) {
      if (file.sums.empty()) without.push_back(set.name);
      for (const KnownSum& sum : file.sums) EXPECT_GT(sum.bytes, 0) << file.path << sum.member;
    }
  }
  EXPECT_THAT(without, testing::ElementsAre("ogbg-molpcba", "ogbg-molclintox", "ogbg-molsider",
                                            "ogbg-moltox21", "ogbg-moltoxcast", "ogbg-molmuv",
                                            "ogbg-mollipo", "peptides-func"));
  for (const char* name : {"COLLAB", "DD"}) {
    const std::vector<KnownSum>& sums = known_dataset(name).files.front().sums;
    EXPECT_EQ(sums.front().member, name + ("/" + std::string(name)) + "_A.txt");
    EXPECT_EQ(sums.front().of, SumOf::kEdges);
  }
}

/// Gives the variables back as they were.
class Environment {
 public:
  Environment() {
    for (const char* name : {"HOME", "XDG_CACHE_HOME", "HGNET_DATA"}) {
      if (const char* value = std::getenv(name)) before_[name] = value;
      unsetenv(name);
    }
  }
  ~Environment() {
    for (const char* name : {"HOME", "XDG_CACHE_HOME", "HGNET_DATA"}) unsetenv(name);
    for (const auto& [name, value] : before_) setenv(name.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::map<std::string, std::string> before_;
};

TEST(DefaultDataRoot, FollowsTheEnvironment) {
  const Environment restored;
  setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(default_data_root(), "/home/somebody/.cache/hgnet/data");
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(default_data_root(), "/cache/hgnet/data");
  setenv("HGNET_DATA", "/data", 1);
  EXPECT_EQ(default_data_root(), "/data");
  unsetenv("HGNET_DATA");
  unsetenv("XDG_CACHE_HOME");
  for (const bool set : {true, false}) {
    set ? setenv("HOME", "", 1) : unsetenv("HOME");
    EXPECT_THAT(error_of<Error>([] { default_data_root(); }),
                HasSubstr("of HGNET_DATA, XDG_CACHE_HOME and HOME none is set"));
  }
}

}  // namespace
}  // namespace hgnet
