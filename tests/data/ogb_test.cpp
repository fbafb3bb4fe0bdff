#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hgnet/core/error.hpp"
#include "hgnet/data/load.hpp"
#include "support/archives.hpp"
#include "support/datasets.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using test::Files;
using test::gzipped;
using testing::ElementsAre;
using testing::HasSubstr;

class Ogb : public testing::Test {
 protected:
  Dataset load(const Files& files) const {
    folder_.write_zip("ogb/tiny.zip", files);
    return load_dataset("ogbg-molTINY", {.root = folder_.path(), .use_cache = false});
  }

  std::string error(const std::string& part, const std::string& text) const {
    Files files = test::ogb_files();
    files["tiny/" + part + ".csv.gz"] = gzipped(text);
    return folder_.without_folder(error_of<InvalidFile>([&] { load(files); }));
  }

  test::TemporaryFolder folder_;
};

TEST_F(Ogb, ReadsMoleculesWithTheirCategories) {
  const Dataset dataset = load(test::ogb_files());
  EXPECT_EQ(dataset.name, "ogbg-moltiny");
  EXPECT_THAT(dataset.node_offsets, ElementsAre(0, 3, 5, 6));
  const auto& atoms = std::get<CategoricalRows>(dataset.features);
  EXPECT_THAT(atoms.sizes, ElementsAre(119, 5, 12, 12, 10, 6, 6, 2, 2));
  EXPECT_EQ(atoms.values[9], 118);
  ASSERT_EQ(dataset.edge_columns.size(), 3U);
  EXPECT_EQ(dataset.edge_columns[0].categories.size(), 5U);
  EXPECT_EQ(dataset.edge_columns[2].categories.size(), 2U);
  const Graph& molecule = dataset.graphs[0];
  EXPECT_EQ(molecule.num_undirected_edges(), 2);
  EXPECT_THAT(molecule.edge_rows(), ElementsAre(0, 0, 0, 0, 0, 0, 4, 5, 1, 4, 5, 1));
  EXPECT_EQ(dataset.graphs[2].edge_row_width(), 3);
}

TEST_F(Ogb, ReadsYesOrNoTasksWithEmptyCells) {
  const Dataset dataset = load(test::ogb_files());
  EXPECT_EQ(dataset.target_kind, TargetKind::kMultiLabel);
  EXPECT_EQ(dataset.num_tasks, 2);
  EXPECT_EQ(dataset.targets[0], 1);
  EXPECT_TRUE(std::isnan(dataset.targets[2]));
  EXPECT_EQ(dataset.targets[3], 1);
}

TEST_F(Ogb, ReadsNumbersToPredict) {
  Files files = test::ogb_files();
  files["tiny/raw/graph-label.csv.gz"] = gzipped("-0.5\n\n3\n");
  const Dataset dataset = load(files);
  EXPECT_EQ(dataset.target_kind, TargetKind::kRegression);
  EXPECT_EQ(dataset.num_tasks, 1);
  EXPECT_EQ(dataset.targets[0], -0.5F);
  EXPECT_TRUE(std::isnan(dataset.targets[1]));
}

TEST_F(Ogb, ReadsTheNamedSplit) {
  const Dataset dataset = load(test::ogb_files());
  ASSERT_EQ(dataset.splits.size(), 1U);
  EXPECT_THAT(dataset.splits.at("scaffold").train, ElementsAre(2));
  EXPECT_THAT(dataset.splits.at("scaffold").val, ElementsAre(0));
  EXPECT_THAT(dataset.splits.at("scaffold").test, ElementsAre(1));
}

TEST_F(Ogb, ReadsAnUnpackedFolderTheSame) {
  Dataset from_zip = load(test::ogb_files());
  for (const auto& [name, bytes] : test::ogb_files()) folder_.write(name, bytes);
  from_zip.name = "tiny";
  const Dataset dataset = load_dataset((folder_.path() / "tiny").string(), {.use_cache = false});
  EXPECT_EQ(test::difference(dataset, from_zip), "");
}

TEST_F(Ogb, CountsCategoriesThatAreNotThoseOfMolecules) {
  Files files = test::ogb_files();
  files["tiny/raw/node-feat.csv.gz"] = gzipped("0,3\n1,0\n0,0\n0,0\n0,0\n0,0\n");
  files.erase("tiny/raw/edge-feat.csv.gz");
  const Dataset dataset = load(files);
  EXPECT_THAT(std::get<CategoricalRows>(dataset.features).sizes, ElementsAre(2, 4));
  EXPECT_TRUE(dataset.edge_columns.empty());
}

TEST_F(Ogb, ErrorsNameFileLineAndField) {
  EXPECT_EQ(error("raw/edge", "0,1\n1,3\n0,1\n"),
            "ogb/tiny.zip/tiny/raw/edge.csv.gz:2: node '3'; expected an integer from 0 to 2");
  EXPECT_THAT(error("raw/edge", "0,1\n1,2\n"), HasSubstr("ends before the edges"));
  EXPECT_THAT(error("raw/edge", "0,1\n1,2\n0,1\n0,1\n"), HasSubstr("edge.csv.gz:4: more lines"));
  EXPECT_THAT(error("raw/edge-feat", "0,0,0\n"), HasSubstr("ends before the edges"));
  EXPECT_THAT(error("raw/edge-feat", "0,0,0\n5,0,0\n0,0,0\n"),
              HasSubstr("gz:2: edge category '5'; expected an integer from 0 to 4"));
  EXPECT_THAT(error("raw/edge-feat", "0,0,0\n0,0,0\n0,0,0\n0,0,0\n"),
              HasSubstr("gz:4: more lines"));
  EXPECT_THAT(error("raw/edge-feat", "0,0,0\n0,0\n0,0,0\n"), HasSubstr("gz:2: edge category ''"));
  EXPECT_THAT(error("raw/node-feat", "5,0,4,5,3,0,2,0,0\n"), HasSubstr("ends after 1 nodes"));
  EXPECT_THAT(error("raw/num-node-list", "3\n2\n"), HasSubstr("num-node-list is for 2 graphs"));
  EXPECT_THAT(error("raw/num-node-list", "3\n2\n1999999999\n"), HasSubstr("ends after 6 nodes"));
  EXPECT_THAT(error("raw/num-node-list", "3\n2\n0\n"), HasSubstr("gz:6: more lines"));
  EXPECT_THAT(error("raw/graph-label", "1,0\n1\n0,0\n"), HasSubstr("gz:2: 1 labels; expected 2"));
  EXPECT_THAT(error("raw/graph-label", "1,0\n"), HasSubstr("labels of 1 graphs"));
  EXPECT_THAT(error("raw/graph-label", "1,yes\n"), HasSubstr("label 'yes'; expected a number"));
  EXPECT_THAT(error("split/scaffold/test", "3\n"),
              HasSubstr("graph '3'; expected an integer from 0"));
  EXPECT_THAT(error("split/scaffold/test", "2\n"), HasSubstr("sample 2 is in two parts"));
}

TEST_F(Ogb, RefusesDamagedPackedFiles) {
  Files files = test::ogb_files();
  std::string& packed = files["tiny/raw/node-feat.csv.gz"];
  packed.resize(packed.size() / 2);
  EXPECT_THROW(load(files), InvalidFile);
  packed = "no gzip";
  EXPECT_THROW(load(files), InvalidFile);
  packed = "";
  EXPECT_THROW(load(files), InvalidFile);
  files.erase("tiny/raw/node-feat.csv.gz");
  EXPECT_THAT(error_of<InvalidFile>([&] { load(files); }), HasSubstr("no file raw/node-feat.csv"));
}

}  // namespace
}  // namespace hgnet
