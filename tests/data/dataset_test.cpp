#include "hgnet/data/dataset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "hgnet/core/error.hpp"
#include "hgnet/data/statistics.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A path of three nodes, classes a, b, b.
Dataset small_set() {
  Dataset dataset;
  dataset.name = "small";
  dataset.graphs = {path_graph(3)};
  dataset.node_offsets = {0, 3};
  dataset.features = DenseRows{1, {0, 1, 2}};
  dataset.classes = {0, 1, 1};
  dataset.class_names = {"a", "b"};
  dataset.splits["own"] = {{0}, {1}, {2}};
  return dataset;
}

std::string broken(const std::function<void(Dataset&)>& change) {
  Dataset dataset = small_set();
  change(dataset);
  return test::error_of<InvalidDataset>([&] { validate(dataset); });
}

TEST(Dataset, PassesWhenItsPartsFit) {
  EXPECT_NO_THROW(validate(small_set()));
  EXPECT_NO_THROW(validate(Dataset{}));
}

TEST(Dataset, NamesThePartThatDoesNotFit) {
  EXPECT_EQ(broken([](Dataset& d) {
              d.node_offsets = {0, 2};
            }),
            "data set small: graph 0 has 3 nodes, by the offsets 2");
  EXPECT_THAT(broken([](Dataset& d) { d.node_offsets = {0}; }),
              HasSubstr("1 node offsets, expected 2"));
  EXPECT_THAT(broken([](Dataset& d) { d.node_offsets = {1, 4}; }), HasSubstr("do not start at 0"));
  EXPECT_THAT(broken([](Dataset& d) {
                d.features = DenseRows{2, {0, 1}};
              }),
              HasSubstr("2 feature entries do not make 3 rows of 2"));
  EXPECT_THAT(broken([](Dataset& d) {
                d.features = DenseRows{1, {0, 1, INFINITY}};
              }),
              HasSubstr("not finite"));
  EXPECT_THAT(broken([](Dataset& d) { d.features = SparseMatrix(); }), HasSubstr("0 feature rows"));
  EXPECT_THAT(broken([](Dataset& d) {
                d.features = CategoricalRows{{2, 2}, {0, 1, 0, 1, 2, 1}};
              }),
              HasSubstr("node 2: 2 in column 0, which has 2 categories"));
  EXPECT_EQ(broken([](Dataset& d) { d.features = BitRows{{5}}; }), "no error");
  EXPECT_THAT(broken([](Dataset& d) {
                d.features = BitRows{{5, 0}};
              }),
              HasSubstr("2 words of feature bits, expected 1"));
  EXPECT_THAT(broken([](Dataset& d) { d.features = BitRows{{8}}; }),
              HasSubstr("feature bits after the last node"));
  EXPECT_THAT(broken([](Dataset& d) { d.classes = {0, 1}; }), HasSubstr("2 classes, expected 3"));
  EXPECT_THAT(broken([](Dataset& d) { d.classes[1] = 2; }), HasSubstr("sample 1 has class 2 of 2"));
  EXPECT_THAT(broken([](Dataset& d) { d.edge_columns.resize(1); }), HasSubstr("1 edge columns"));
  EXPECT_THAT(broken([](Dataset& d) { d.splits["own"].val = {3}; }),
              HasSubstr("split own: sample 3 does not exist"));
  EXPECT_THAT(broken([](Dataset& d) { d.splits["own"].val = {0}; }), HasSubstr("in two parts"));
  EXPECT_THAT(broken([](Dataset& d) {
                d.splits["own"] = {{1, 0}, {}, {}};
              }),
              HasSubstr("ascending"));
}

TEST(Dataset, ChecksTargetsOfOtherKinds) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  const auto with = [](TargetKind kind, std::vector<float> targets) {
    return broken([&](Dataset& d) {
      d.target_kind = kind;
      d.num_tasks = 1;
      d.targets = targets;
    });
  };
  EXPECT_EQ(with(TargetKind::kMultiLabel, {0, 1, kNone}), "no error");
  EXPECT_THAT(with(TargetKind::kMultiLabel, {0, 1, 2}), HasSubstr("sample 2 has the target 2"));
  EXPECT_EQ(with(TargetKind::kRegression, {0.5, -1, kNone}), "no error");
  EXPECT_THAT(with(TargetKind::kRegression, {0.5}), HasSubstr("1 targets do not make 3 rows"));
}

TEST(Statistics, CountEdgesLoopsLabelsAndHomophily) {
  Dataset dataset = small_set();
  dataset.graphs = {
      Graph::from_edges(3, {{0, 1, 2}, {1, 2, 2}, {}, {}, 0}, {.self_loops = SelfLoops::kKeep})};
  const DatasetStatistics result = statistics(dataset);
  EXPECT_EQ(result.edges, 3);
  EXPECT_EQ(result.self_loops, 1);
  EXPECT_THAT(result.labels.at(0).by_label, ElementsAre(1, 2));
  EXPECT_DOUBLE_EQ(result.homophily.value(), 0.5);
}

TEST(Statistics, HomophilyIsTheShareOfEdgesBetweenEqualClasses) {
  Dataset dataset = small_set();
  dataset.graphs = {path_graph(5)};
  dataset.node_offsets = {0, 5};
  dataset.features = DenseRows{0, {}};
  dataset.classes = {0, 0, 0, 0, 1};
  EXPECT_DOUBLE_EQ(statistics(dataset).homophily.value(), 0.75);
}

TEST(Statistics, LeaveUnlabelledNodesOut) {
  Dataset dataset = small_set();
  dataset.classes[1] = kUnlabelled;
  const DatasetStatistics result = statistics(dataset);
  EXPECT_EQ(result.labels.at(0).unlabelled, 1);
  EXPECT_FALSE(result.homophily.has_value());
}

TEST(Statistics, CountASharedGraphOncePerSample) {
  // An edge, a self-loop and two isolated nodes, three times; and a path of five.
  const Graph shared =
      Graph::from_edges(5, {{0, 2}, {1, 2}, {}, {}, 0}, {.self_loops = SelfLoops::kKeep});
  Dataset dataset;
  dataset.task = Task::kGraph;
  dataset.graphs = {shared, shared, path_graph(5), shared};
  dataset.node_offsets = {0, 5, 10, 15, 20};
  dataset.features = DenseRows{0, {}};
  dataset.classes = {0, 1, kUnlabelled, 1};
  dataset.class_names = {"a", "b"};
  const DatasetStatistics result = statistics(dataset);
  EXPECT_EQ(result.graphs, 4);
  EXPECT_EQ(result.nodes, 20);
  EXPECT_EQ(result.edges, 3 * 2 + 4);
  EXPECT_EQ(result.self_loops, 3);
  EXPECT_EQ(result.isolated_nodes, 3 * 2);
  EXPECT_EQ(result.max_degree, 2);
  EXPECT_EQ(result.diameter.low, 4);
  EXPECT_EQ(result.diameter.high, 4);
  EXPECT_THAT(result.labels.at(0).by_label, ElementsAre(1, 2));
  EXPECT_EQ(result.labels.at(0).unlabelled, 1);
  EXPECT_FALSE(result.homophily.has_value());
}

TEST(Statistics, CountTheLabelsOfEveryTask) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  Dataset dataset;
  dataset.task = Task::kGraph;
  dataset.target_kind = TargetKind::kMultiLabel;
  dataset.num_tasks = 3;
  dataset.graphs.assign(2, path_graph(2));
  dataset.node_offsets = {0, 2, 4};
  dataset.features = DenseRows{0, {}};
  dataset.targets = {1, 0, none, 1, 1, none};
  const DatasetStatistics result = statistics(dataset);
  ASSERT_EQ(result.labels.size(), 3U);
  EXPECT_THAT(result.labels[0].by_label, ElementsAre(0, 2));
  EXPECT_THAT(result.labels[1].by_label, ElementsAre(1, 1));
  EXPECT_THAT(result.labels[2].by_label, ElementsAre(0, 0));
  EXPECT_EQ(result.labels[2].unlabelled, 2);
  dataset.target_kind = TargetKind::kRegression;
  EXPECT_TRUE(statistics(dataset).labels.empty());
}

TEST(AlignFeatures, MovesAndWidensOneHotColumns) {
  Dataset dataset;
  dataset.name = "tiny";
  dataset.graphs = {Graph::from_edges(2, {})};
  dataset.node_offsets = {0, 2};
  dataset.features = SparseMatrix(3, {0, 1, 2}, {0, 2}, {1, 1});
  dataset.columns = {kNodeLabels, {}, 5};  // labels 5 and 7
  const FeatureColumns from_4{kNodeLabels, {}, 4};
  align_features(dataset, 6, from_4);
  const auto& rows = std::get<SparseMatrix>(dataset.features);
  EXPECT_EQ(rows.num_columns(), 6);
  EXPECT_THAT(rows.csr().columns, ::testing::ElementsAre(1, 3));
  EXPECT_EQ(dataset.columns, from_4);
  Dataset fewer = dataset;
  align_features(fewer, 3, from_4);
  EXPECT_THAT(std::get<SparseMatrix>(fewer.features).csr().offsets,
              ::testing::ElementsAre(0, 1, 1));
  EXPECT_THAT(std::get<SparseMatrix>(fewer.features).csr().columns, ::testing::ElementsAre(1));
  EXPECT_THAT(fewer.notes,
              ::testing::ElementsAre("unknown: node labels of 1 nodes, such as 7, which the model "
                                     "was not trained on; their features are 0"));
  const auto other = [&] { align_features(dataset, 6, {kWords, {}, 0}); };
  EXPECT_THAT(test::error_of<InvalidDataset>(other),
              ::testing::HasSubstr("the features are node labels; expected words"));
}

TEST(AlignFeatures, PutsNamedColumnsInOrder) {
  Dataset dataset;
  dataset.graphs = {Graph::from_edges(2, {})};
  dataset.node_offsets = {0, 2};
  dataset.features = DenseRows{2, {1, 2, 3, 4}};
  dataset.columns = {kNumbers, {"age", "height"}, 0};
  const auto error = [&](std::vector<std::string> names) {
    return test::error_of<InvalidDataset>([&] {
      align_features(dataset, static_cast<std::int64_t>(names.size()), {kNumbers, names, 0});
    });
  };
  EXPECT_THAT(error({"height", "age", "weight"}),
              ::testing::HasSubstr("there is no feature column 'weight'"));
  EXPECT_THAT(error({"height"}), ::testing::HasSubstr("the feature column 'age' is not expected"));
  align_features(dataset, 2, {kNumbers, {"height", "age"}, 0});
  EXPECT_THAT(std::get<DenseRows>(dataset.features).values, ::testing::ElementsAre(2, 1, 4, 3));
  dataset.columns.names.clear();
  const auto wider = [&] { align_features(dataset, 3, {kNumbers, {}, 0}); };
  EXPECT_THAT(test::error_of<InvalidDataset>(wider),
              ::testing::HasSubstr("2 numbers as features; expected 3"));
}

}  // namespace
}  // namespace hgnet
