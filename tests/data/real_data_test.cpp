// The publishers' own files, if they are available, compared with what is known about them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hgnet/data/encoding.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/data/statistics.hpp"
#include "hgnet/graph/algorithms.hpp"
#include "support/datasets.hpp"

namespace hgnet {
namespace {

using testing::Each;

struct Known {
  std::string name;
  std::string file;
  std::int64_t graphs, nodes, edges, self_loops, features;
  std::vector<std::int64_t> labels;
};

std::ostream& operator<<(std::ostream& out, const Known& known) { return out << known.name; }

/// Skips the test if the file is missing.
class RealData : public testing::TestWithParam<Known> {
 protected:
  static std::filesystem::path root() { return HGNET_DEFAULT_DATA_DIR; }
  static bool has(const std::string& file) { return std::filesystem::exists(root() / file); }
  static Dataset load(const std::string& name, bool node_attributes = false) {
    return load_dataset(name,
                        {.root = root(), .use_cache = false, .node_attributes = node_attributes});
  }
};

TEST_P(RealData, HasItsKnownCounts) {
  const Known& known = GetParam();
  if (!has(known.file)) GTEST_SKIP() << known.file << " is not here";
  const Dataset dataset = load(known.name);
  const DatasetStatistics result = statistics(dataset);
  EXPECT_EQ(result.graphs, known.graphs);
  EXPECT_EQ(result.nodes, known.nodes);
  EXPECT_EQ(result.edges, known.edges);
  EXPECT_EQ(result.self_loops, known.self_loops);
  EXPECT_EQ(dataset.num_features(), known.features);
  const auto labels =
      result.labels.size() == 1 ? result.labels[0].by_label : std::vector<std::int64_t>();
  EXPECT_EQ(labels, known.labels);
}

INSTANTIATE_TEST_SUITE_P(
    All, RealData,
    testing::Values(
        Known{"cora",
              "planetoid/ind.cora.graph",
              1,
              2708,
              5278,
              0,
              1433,
              {351, 217, 418, 818, 426, 298, 180}},
        Known{"citeseer",
              "planetoid/ind.citeseer.graph",
              1,
              3327,
              4552,
              0,
              3703,
              {249, 590, 668, 701, 596, 508}},
        Known{"pubmed", "planetoid/ind.pubmed.graph", 1, 19717, 44324, 0, 500, {4103, 7739, 7875}},
        Known{"COLLAB", "tu/COLLAB.zip", 5000, 372474, 12288916, 2837, 492, {2600, 775, 1625}},
        Known{"IMDB-BINARY", "tu/IMDB-BINARY.zip", 1000, 19773, 96531, 0, 136, {500, 500}},
        Known{"IMDB-MULTI", "tu/IMDB-MULTI.zip", 1500, 19502, 98903, 0, 89, {500, 500, 500}},
        Known{"DD", "tu/DD.zip", 1178, 334925, 843046, 0, 89, {691, 487}},
        Known{"NCI1", "tu/NCI1.zip", 4110, 122747, 132753, 0, 37, {2053, 2057}},
        Known{"ENZYMES", "tu/ENZYMES.zip", 600, 19580, 37282, 0, 3, {100, 100, 100, 100, 100, 100}},
        Known{"PROTEINS", "tu/PROTEINS.zip", 1113, 43471, 81044, 0, 3, {663, 450}},
        Known{"ogbg-molhiv", "ogb/hiv.zip", 41127, 1049163, 1129688, 0, 9, {39684, 1443}},
        Known{"ogbg-molbace", "ogb/bace.zip", 1513, 51577, 55768, 0, 9, {822, 691}},
        Known{"ogbg-molbbbp", "ogb/bbbp.zip", 2039, 49068, 52921, 0, 9, {479, 1560}},
        Known{"ogbg-molesol", "ogb/esol.zip", 1128, 14991, 15428, 0, 9, {}},
        Known{"ogbg-molfreesolv", "ogb/freesolv.zip", 642, 5600, 5385, 0, 9, {}},
        Known{"peptides-func", "ogb/peptides-func.zip", 15535, 2344859, 2386987, 0, 9, {}}),
    [](const auto& test) {
      std::string name = test.param.name;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST_F(RealData, ColorConnectivityHasThePapersNumbers) {
  if (!has("roads/minnesota.edges")) GTEST_SKIP() << "no road networks here";
  const auto drawn = [](const std::string& name) {
    return load_dataset(name, {.root = root(), .use_cache = false, .cc_samples = 20});
  };
  const Dataset europe = drawn("cc-euroroad");
  EXPECT_EQ(europe.graphs[0].num_nodes(), 1174);
  EXPECT_EQ(europe.graphs[0].num_undirected_edges(), 1417);
  EXPECT_EQ(diameter(europe.graphs[0]).low, 62);
  const Dataset minnesota = drawn("cc-minnesota");
  EXPECT_EQ(minnesota.graphs[0].num_nodes(), 2642);
  EXPECT_EQ(minnesota.graphs[0].num_undirected_edges(), 3304);
  EXPECT_EQ(connected_components(minnesota.graphs[0]).num_parents(), 1);
}

TEST_F(RealData, SplitsIntoTheAuthorsFolds) {
  if (!has("tu/ENZYMES.zip") || !has("splits/ENZYMES.json")) GTEST_SKIP() << "no folds here";
  const Dataset enzymes = load("ENZYMES");
  const std::string file = (root() / "splits/ENZYMES.json").string();
  ASSERT_EQ(num_folds(enzymes, file), 10);
  std::vector<int> tested(enzymes.num_samples());
  for (int fold = 0; fold < 10; ++fold) {
    const Split split = choose_split(enzymes, file, 0, fold);
    EXPECT_EQ(split.train.size(), 480U);
    EXPECT_EQ(split.val.size(), 60U);
    for (const std::int64_t sample : split.test) ++tested[sample];
  }
  EXPECT_THAT(tested, Each(1));
  EXPECT_EQ(default_split(load("cora")), "public");
}

TEST_F(RealData, CitationGraphsHaveTheirPublicSplitAndNormalisedRows) {
  if (!has("planetoid")) GTEST_SKIP() << "no citation graphs here";
  for (const std::string name : {"cora", "citeseer", "pubmed"}) {
    const Dataset dataset = load(name);
    const Split& split = dataset.splits.at("public");
    EXPECT_EQ(split.train.size(), 20U * dataset.num_classes()) << name;
    EXPECT_EQ(split.val.size(), 500U) << name;
    EXPECT_EQ(split.test.size(), 1000U) << name;
    std::vector<int> per_class(dataset.num_classes());
    for (const std::int64_t node : split.train) ++per_class.at(dataset.classes[node]);
    EXPECT_THAT(per_class, Each(20)) << name;
    const auto& features = std::get<SparseMatrix>(dataset.features);
    std::int64_t empty_rows = 0;
    for (std::int64_t v = 0; v < features.num_rows(); ++v) {
      double sum = 0;
      const CsrView csr = features.csr();
      for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) sum += features.values()[s];
      empty_rows += sum == 0;
      EXPECT_NEAR(sum, sum == 0 ? 0 : 1, 1e-5) << name << " node " << v;
    }
    EXPECT_EQ(empty_rows, name == "citeseer" ? 15 : 0) << name;
    EXPECT_EQ(std::count(dataset.classes.begin(), dataset.classes.end(), kUnlabelled),
              name == "citeseer" ? 15 : 0);
  }
}

TEST_F(RealData, MoleculesHaveTheirNamedSplits) {
  if (!has("ogb/hiv.zip")) GTEST_SKIP() << "no molecules here";
  const Dataset hiv = load("ogbg-molhiv");
  EXPECT_EQ(hiv.target_kind, TargetKind::kMultiLabel);
  EXPECT_EQ(hiv.splits.at("scaffold").train.size(), 32901U);
  EXPECT_EQ(hiv.splits.at("scaffold").val.size(), 4113U);
  EXPECT_EQ(hiv.splits.at("scaffold").test.size(), 4113U);
  EXPECT_EQ(hiv.graphs.front().edge_row_width(), 3);
  const Dataset peptides = load("peptides-func");
  EXPECT_EQ(peptides.num_tasks, 10);
  EXPECT_EQ(peptides.splits.at("stratified").train.size(), 10873U);
  EXPECT_EQ(peptides.splits.at("stratified").val.size(), 2331U);
  EXPECT_EQ(peptides.splits.at("stratified").test.size(), 2331U);
  EXPECT_EQ(load("ogbg-molesol").target_kind, TargetKind::kRegression);
}

TEST_F(RealData, EnzymesHaveEighteenAttributes) {
  if (!has("tu/ENZYMES.zip")) GTEST_SKIP() << "ENZYMES is not here";
  const Dataset dataset = load("ENZYMES", true);
  const auto rows = std::get<DenseRows>(encoded(dataset, fit_encoding(dataset, {}, {})).features);
  EXPECT_EQ(rows.width, 21);
  EXPECT_FLOAT_EQ(rows.values[1], 15.887014F);
}

TEST_F(RealData, ComesBackFromTheCacheTheSame) {
  const test::TemporaryFolder kept;
  for (const std::string name : {"citeseer", "IMDB-BINARY", "ogbg-molbace"}) {
    const LoadOptions options{.root = root(), .cache_folder = kept.path()};
    if (!has("planetoid")) GTEST_SKIP() << "no data sets here";
    const Dataset parsed = load_dataset(name, options);
    EXPECT_EQ(test::difference(load_dataset(name, options), parsed), "") << name;
  }
}

}  // namespace
}  // namespace hgnet
