#include "hgnet/data/splits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/algorithms.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/datasets.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::edges;
using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::int32_t> random_labels(std::int64_t count, int classes, std::uint64_t seed) {
  Generator generator(seed);
  std::vector<std::int32_t> labels(count);
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(generator.below(classes));
  return labels;
}

bool ascending(const Split& split) {
  return std::is_sorted(split.train.begin(), split.train.end()) &&
         std::is_sorted(split.val.begin(), split.val.end()) &&
         std::is_sorted(split.test.begin(), split.test.end());
}

TEST(SanitizedSplit, NoTwoNodesAreWithinKHops) {
  Generator generator(3);
  const std::vector<Graph> graphs = {random_graph(1500, 2500, generator), grid_graph(40, 40),
                                     path_graph(500), Graph::from_edges(50, {})};
  for (const Graph& graph : graphs) {
    const auto labels = random_labels(graph.num_nodes(), 4, 1);
    for (int hops = 0; hops <= 4; ++hops) {
      const Split split = sanitized_split(graph, labels, 4, {.hops = hops, .seed = 2});
      const std::vector<std::int64_t> chosen = test::samples_of(split);
      ASSERT_TRUE(ascending(split));
      ASSERT_EQ(std::set(chosen.begin(), chosen.end()).size(), chosen.size());
      for (const std::int64_t v : chosen) {
        const auto distance = breadth_first_distances(graph, static_cast<NodeId>(v));
        for (const std::int64_t u : chosen) {
          ASSERT_TRUE(u == v || distance[u] == kUnreached || distance[u] > hops)
              << u << " and " << v << " are " << distance[u] << " apart";
        }
      }
    }
  }
}

TEST(SanitizedSplit, EveryOtherNodeIsNearOneThatWasDrawn) {
  const Graph graph = grid_graph(30, 30);
  const auto labels = random_labels(900, 3, 1);
  const Split split = sanitized_split(graph, labels, 3, {.hops = 2});
  const std::vector<std::int64_t> chosen = test::samples_of(split);
  const std::vector<NodeId> sources(chosen.begin(), chosen.end());
  for (const std::int32_t distance : breadth_first_distances(graph, sources)) {
    EXPECT_LE(distance, 2);
  }
}

TEST(SanitizedSplit, HasTheSizesOfThePublicSplits) {
  Generator generator(5);
  const Graph graph = random_graph(6000, 3000, generator);
  const auto labels = random_labels(6000, 5, 1);
  const Split split = sanitized_split(graph, labels, 5, {.hops = 1, .seed = 4});
  EXPECT_EQ(split.val.size(), 500U);
  EXPECT_EQ(split.test.size(), 1000U);
  std::vector<int> per_class(5, 0);
  for (const std::int64_t v : split.train) ++per_class[labels[v]];
  EXPECT_THAT(per_class, testing::Each(20));
}

TEST(SanitizedSplit, AThirdValidatesWhenFewRemain) {
  const Graph graph = Graph::from_edges(130, {});
  const auto labels = random_labels(130, 2, 1);
  const Split split = sanitized_split(graph, labels, 2);
  EXPECT_EQ(split.train.size(), 40U);
  EXPECT_EQ(split.val.size(), 30U);
  EXPECT_EQ(split.test.size(), 60U);
  const Split none = sanitized_split(Graph(), {}, 2);
  EXPECT_THAT(test::samples_of(none), IsEmpty());
}

TEST(SanitizedSplit, ExactlyEnoughIsEnough) {
  std::vector<std::int32_t> labels(50, 0);
  std::fill(labels.begin() + 25, labels.end(), 1);
  const auto sizes = [&](std::int64_t num_test) {
    const Split split =
        sanitized_split(Graph::from_edges(50, {}), labels, 2,
                        {.train_per_class = 5, .num_val = 10, .num_test = num_test});
    return std::vector<std::size_t>{split.train.size(), split.val.size(), split.test.size()};
  };
  EXPECT_THAT(sizes(29), ElementsAre(10, 10, 29));
  EXPECT_THAT(sizes(30), ElementsAre(10, 10, 30));
  EXPECT_THAT(sizes(31), ElementsAre(10, 13, 27));
}

TEST(SanitizedSplit, DependsOnTheSeedAlone) {
  const Graph graph = grid_graph(40, 40);
  const auto labels = random_labels(1600, 3, 1);
  const Split first = sanitized_split(graph, labels, 3, {.seed = 1});
  EXPECT_EQ(first, sanitized_split(graph, labels, 3, {.seed = 1}));
  EXPECT_NE(first, sanitized_split(graph, labels, 3, {.seed = 2}));
}

TEST(SanitizedSplit, NeverTakesNodesWithoutLabel) {
  auto labels = random_labels(400, 2, 1);
  for (std::size_t v = 0; v < labels.size(); v += 3) labels[v] = -1;
  const Split split = sanitized_split(grid_graph(20, 20), labels, 2);
  for (const std::int64_t v : test::samples_of(split)) EXPECT_NE(v % 3, 0);
}

TEST(SanitizedSplit, TheAuthorsWayLeavesDirectNeighboursForTwoHops) {
  // A path of three: two steps lead from one end to the other or back, never to the middle.
  const Graph path = path_graph(3);
  const std::vector<std::int32_t> labels = {0, 0, 0};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_EQ(test::samples_of(sanitized_split(path, labels, 1, {.hops = 2, .seed = seed})).size(),
              1U);
    EXPECT_EQ(
        test::samples_of(sanitized_split(path, labels, 1,
                                         {.hops = 2, .seed = seed, .barred = Barred::kExactWalks}))
            .size(),
        2U);
  }
  // For one hop both are the same.
  const Graph grid = grid_graph(30, 30);
  const auto many = random_labels(900, 2, 1);
  EXPECT_EQ(sanitized_split(grid, many, 2, {.hops = 1}),
            sanitized_split(grid, many, 2, {.hops = 1, .barred = Barred::kExactWalks}));
}

TEST(SanitizedSplit, RefusesLabelsThatDoNotFit) {
  const std::vector<std::int32_t> labels = {0, 1, 2};
  EXPECT_THAT(error_of<InvalidSplit>([&] { sanitized_split(path_graph(4), labels, 3); }),
              HasSubstr("3 labels for 4 nodes"));
  EXPECT_THAT(error_of<InvalidSplit>([&] { sanitized_split(path_graph(3), labels, 2); }),
              HasSubstr("node 2 has label 2"));
  EXPECT_THROW(sanitized_split(path_graph(3), labels, 3, {.hops = -1}), InvalidSplit);
}

TEST(StratifiedFolds, SpreadEveryClassWithinOneSample) {
  for (const int num_folds : {2, 3, 10}) {
    for (const std::int64_t count : {0, 1, 7, 103, 1178}) {
      const auto labels = random_labels(count, 6, count);
      if (count < num_folds) {
        EXPECT_THROW(stratified_folds(labels, num_folds, 9), InvalidSplit);
        continue;
      }
      const Folds folds = stratified_folds(labels, num_folds, 9);
      ASSERT_EQ(std::ssize(folds), num_folds);
      std::set<std::int64_t> seen;
      std::vector<std::vector<int>> per_class(6, std::vector<int>(num_folds, 0));
      std::vector<int> sizes(num_folds, 0);
      for (int f = 0; f < num_folds; ++f) {
        ASSERT_TRUE(std::is_sorted(folds[f].begin(), folds[f].end()));
        for (const std::int64_t sample : folds[f]) {
          ASSERT_TRUE(seen.insert(sample).second);
          ++per_class[labels.at(sample)][f];
          ++sizes[f];
        }
      }
      ASSERT_EQ(std::ssize(seen), count);
      per_class.push_back(sizes);
      for (const std::vector<int>& counts : per_class) {
        const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
        ASSERT_LE(*most - *least, 1);
      }
    }
  }
}

TEST(StratifiedFolds, DependOnTheSeedAlone) {
  const auto labels = random_labels(300, 3, 1);
  EXPECT_EQ(stratified_folds(labels, 10, 1), stratified_folds(labels, 10, 1));
  EXPECT_NE(stratified_folds(labels, 10, 1), stratified_folds(labels, 10, 2));
}

TEST(StratifiedFolds, RefuseWhatCannotBe) {
  const std::vector<std::int32_t> labels = {0, -1};
  EXPECT_THROW(stratified_folds(labels, 10, 1), InvalidSplit);
  EXPECT_THROW(stratified_folds(random_labels(5, 2, 1), 1, 1), InvalidSplit);
}

TEST(FoldSplit, OneTestsTheNextValidatesTheRestTrain) {
  const Folds folds = {{0, 5}, {1}, {2, 4}, {3}};
  const Split first = fold_split(folds, 0);
  EXPECT_THAT(first.test, ElementsAre(0, 5));
  EXPECT_THAT(first.val, ElementsAre(1));
  EXPECT_THAT(first.train, ElementsAre(2, 3, 4));
  const Split last = fold_split(folds, 3);
  EXPECT_THAT(last.test, ElementsAre(3));
  EXPECT_THAT(last.val, ElementsAre(0, 5));
  EXPECT_THAT(last.train, ElementsAre(1, 2, 4));
  EXPECT_THROW(fold_split(folds, 4), InvalidSplit);
  EXPECT_THROW(fold_split(folds, -1), InvalidSplit);
  EXPECT_THROW(fold_split({{0}, {1}}, 0), InvalidSplit);
}

TEST(ReadFolds, ReadsTheAuthorsForm) {
  const test::TemporaryFolder folder;
  const auto file = folder.write(
      "a.json", R"({"n_samples": 4, "n_splits": 2, "dataset": "A", "1": [3, 0], "0": [1, 2]})");
  EXPECT_EQ(read_folds(file), (Folds{{1, 2}, {0, 3}}));
}

TEST(ReadFolds, ErrorsNameThePlace) {
  const auto error = [](const std::string& text) {
    return error_of<InvalidFile>([&] { parse_folds(text, "f"); });
  };
  EXPECT_THAT(error(""), HasSubstr("f:1: is not JSON at byte 0; expected folds"));
  EXPECT_THAT(error("{\"0\": [3e333]}"), HasSubstr("contains a number that is out of range"));
  EXPECT_THAT(error("{\"0\": [1,\n2,]}"), HasSubstr("f:2: is not JSON at byte 13"));
  EXPECT_THAT(error("{\"0\": [\"\xff\"]}"), HasSubstr("is not JSON"));
  EXPECT_THAT(error(std::string(100000, '[')), HasSubstr("f:1: is nested deeper than 64 levels"));
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_THAT(error("{\"0\": [" + deep + "]}"), HasSubstr("is nested deeper than 64 levels"));
  EXPECT_THAT(error("[[0], [1]]"), HasSubstr("f: is no JSON object"));
  EXPECT_THAT(error("{}"), HasSubstr("f: has no folds"));
  EXPECT_THAT(error(R"({"00": [0]})"), HasSubstr("f: has no folds"));
  EXPECT_THAT(error(R"({"0": 7})"), HasSubstr("fold \"0\": is not a list of samples"));
  EXPECT_THAT(error(R"({"0": [0, "x"]})"), HasSubstr("fold \"0\": entry 1 is \"x\""));
  EXPECT_THAT(error(R"({"0": [-1]})"), HasSubstr("entry 0 is -1; expected a sample's number"));
  EXPECT_THAT(error(R"({"0": [0.5]})"), HasSubstr("entry 0 is 0.5"));
  EXPECT_THAT(error(R"({"0": [18446744073709551615]})"), HasSubstr("entry 0 is 1844"));
  EXPECT_THAT(error(R"({"0": [0], "2": [1]})"), HasSubstr("fold \"1\" is missing"));
  EXPECT_THAT(error(R"({"0": [0, 1], "1": [1]})"), HasSubstr("fold \"1\": sample 1 occurs twice"));
  EXPECT_THAT(error(R"({"0": [0], "1": [2]})"), HasSubstr("sample 2, but there are only 2"));
  EXPECT_THAT(error(R"({"0": [0], "n_splits": 2})"),
              HasSubstr("\"n_splits\" is 2, but there are 1"));
  EXPECT_THAT(error(R"({"0": [0], "n_samples": "1"})"), HasSubstr("\"n_samples\" is \"1\""));
  EXPECT_THROW(read_folds("/nosuchfile.json"), InvalidFile);
  const test::TemporaryFolder folder;
  const auto empty = folder.write("empty.json", "");
  EXPECT_THAT(error_of<InvalidFile>([&] { read_folds(empty); }), HasSubstr("empty.json:1: is not"));
  EXPECT_THROW(read_folds(std::filesystem::temp_directory_path()), InvalidFile);
}

TEST(ReadFolds, ReadsTheAuthorsFiles) {
  const auto folder = std::filesystem::path(HGNET_DEFAULT_DATA_DIR) / "splits";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no fold files here";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const Folds folds = read_folds(entry.path());
    EXPECT_EQ(folds.size(), 10U) << entry.path();
    EXPECT_GT(folds.front().size(), 50U) << entry.path();
  }
}

}  // namespace
}  // namespace hgnet
