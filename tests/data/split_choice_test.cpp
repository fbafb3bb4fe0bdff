#include "hgnet/data/split_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "hgnet/core/error.hpp"
#include "hgnet/data/splits.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/datasets.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

/// Thirty graphs of one node, classes 0 and 1 in turn.
Dataset graphs() {
  Dataset dataset;
  dataset.name = "points";
  dataset.task = Task::kGraph;
  dataset.graphs.assign(30, path_graph(1));
  for (int i = 0; i < 30; ++i) {
    dataset.node_offsets.push_back(i + 1);
    dataset.classes.push_back(i % 2);
  }
  dataset.class_names = {"a", "b"};
  return dataset;
}

/// A path of thirty nodes, classes 0 and 1 in turn; node 7 has no label.
Dataset nodes() {
  Dataset dataset;
  dataset.name = "line";
  dataset.graphs = {path_graph(30)};
  dataset.node_offsets = {0, 30};
  for (int i = 0; i < 30; ++i) dataset.classes.push_back(i == 7 ? kUnlabelled : i % 2);
  dataset.class_names = {"a", "b"};
  return dataset;
}

std::string refused(const Dataset& dataset, const std::string& text, int fold = 0) {
  return test::error_of<InvalidSplit>([&] { choose_split(dataset, text, 0, fold); });
}

TEST(ChooseSplit, TakesWhatComesWithTheDataSet) {
  Dataset dataset = nodes();
  const Split only{{1}, {2}, {3}};
  const Split given{{4}, {5}, {6}};
  dataset.splits["stratified"] = only;
  EXPECT_EQ(choose_split(dataset, "", 0, -1), only);
  EXPECT_EQ(num_folds(dataset, ""), 0);
  dataset.splits["scaffold"] = given;
  EXPECT_EQ(choose_split(dataset, "", 0, -1), given) << "preferred by name";
  EXPECT_EQ(choose_split(dataset, "stratified", 0, -1), only);
  dataset.splits["public"] = only;
  EXPECT_EQ(choose_split(dataset, "", 0, -1), only) << "public before scaffold";
  dataset.splits = {{"x", only}, {"y", given}};
  EXPECT_EQ(num_folds(dataset, ""), 10) << "none preferred";
}

TEST(ChooseSplit, DrawsStratifiedFolds) {
  const Dataset dataset = graphs();
  const Folds folds = stratified_folds(dataset.classes, 5, 3);
  for (int fold = 0; fold < 5; ++fold) {
    const Split split = choose_split(dataset, "folds:5", 3, fold);
    EXPECT_EQ(split, fold_split(folds, fold));
    EXPECT_EQ(split, choose_split(dataset, "folds:5:" + std::to_string(fold), 3, -1));
  }
  EXPECT_EQ(choose_split(dataset, "", 0, 2), choose_split(dataset, "folds:10", 0, 2));
  EXPECT_NE(choose_split(dataset, "folds:5", 3, 0), choose_split(dataset, "folds:5", 4, 0));
  EXPECT_EQ(num_folds(dataset, ""), 10);
  EXPECT_EQ(num_folds(dataset, "folds:5"), 5);
  EXPECT_EQ(num_folds(dataset, "folds:5:1"), 0);
}

TEST(ChooseSplit, DrawsNoMoreFoldsThanThereAreSamples) {
  const Dataset dataset = nodes();  // of which 29 have a label
  EXPECT_EQ(num_folds(dataset, "folds:29"), 29);
  EXPECT_EQ(choose_split(dataset, "folds:29", 0, 28).test.size(), 1U);
  for (const char* text : {"folds:30", "folds:2147483647", "folds:2147483647:5"}) {
    EXPECT_THAT(refused(dataset, text), HasSubstr(" folds of 29 labelled samples")) << text;
    EXPECT_THAT(test::error_of<InvalidSplit>([&] { num_folds(dataset, text); }),
                HasSubstr(" folds of 29 labelled samples"))
        << text;
  }
  EXPECT_THAT(test::error_of<InvalidSplit>([] {
                stratified_folds(std::vector<std::int32_t>{0, 1, 0}, 2147483647, 0);
              }),
              HasSubstr("2147483647 folds of 3 labelled samples"));
}

TEST(ChooseSplit, DrawsShares) {
  const Dataset dataset = graphs();
  const Split split = choose_split(dataset, "random:0.5,0.2,0.3", 1, -1);
  EXPECT_EQ(split.train.size(), 15U);
  EXPECT_EQ(split.val.size(), 6U);
  EXPECT_EQ(split.test.size(), 9U);
  EXPECT_EQ(test::samples_of(split), test::samples_of(choose_split(dataset, "folds:3", 0, 0)))
      << "every sample once";
  EXPECT_NE(split, choose_split(dataset, "random:0.5,0.2,0.3", 2, -1));
  EXPECT_EQ(split, choose_split(dataset, "random:0.5,0.2,0.3", 1, 5));
  const Split less = choose_split(dataset, "random:0.1,0,0.1", 1, -1);
  EXPECT_EQ(less.train.size(), 3U);
  EXPECT_EQ(less.val.size(), 0U);
  EXPECT_EQ(less.test.size(), 3U);
  EXPECT_EQ(test::samples_of(choose_split(dataset, "random:0.7,0.2,0.1", 1, -1)).size(), 30U)
      << "no sample is lost to rounding";
}

TEST(ChooseSplit, LeavesSamplesWithoutALabelOut) {
  Dataset dataset = nodes();
  for (const char* text : {"folds:3", "random:0.5,0.25,0.25"}) {
    const auto all = test::samples_of(choose_split(dataset, text, 0, 0));
    EXPECT_EQ(all.size(), 29U);
    EXPECT_THAT(all, Not(testing::Contains(7)));
  }
  dataset.target_kind = TargetKind::kMultiLabel;
  dataset.num_tasks = 2;
  dataset.targets.assign(60, 1.0F);
  dataset.targets[2 * 4] = kNone;                               // node 4 has one label left
  dataset.targets[2 * 9] = dataset.targets[2 * 9 + 1] = kNone;  // node 9 none
  const auto all = test::samples_of(choose_split(dataset, "folds:3", 0, 0));
  EXPECT_EQ(all.size(), 29U);
  EXPECT_THAT(all, AllOf(testing::Contains(4), Not(testing::Contains(9))));
}

TEST(ChooseSplit, DrawsSanitizedSplits) {
  const Dataset dataset = nodes();
  const Split expected =
      sanitized_split(dataset.graphs[0], dataset.classes, 2, {.hops = 2, .seed = 9});
  EXPECT_EQ(choose_split(dataset, "sanitized:2", 9, -1), expected);
  EXPECT_EQ(choose_split(dataset, "sanitized-walk:2", 9, -1),
            sanitized_split(dataset.graphs[0], dataset.classes, dataset.num_classes(),
                            {.hops = 2, .seed = 9, .barred = Barred::kExactWalks}));
  EXPECT_THAT(refused(graphs(), "sanitized:1"),
              HasSubstr("a single graph whose nodes have classes"));
}

TEST(ChooseSplit, ReadsFoldFiles) {
  const test::TemporaryFolder folder;
  Dataset dataset = graphs();
  dataset.graphs.resize(4);
  dataset.classes.resize(4);
  dataset.node_offsets.resize(5);
  const std::string file =
      folder.write("folds.json", R"({"0": [3], "1": [0, 2], "2": [1]})").string();
  const Split split = choose_split(dataset, file, 0, 1);
  EXPECT_THAT(split.test, ElementsAre(0, 2));
  EXPECT_THAT(split.val, ElementsAre(1));
  EXPECT_THAT(split.train, ElementsAre(3));
  EXPECT_EQ(num_folds(dataset, file), 3);
  EXPECT_THAT(refused(graphs(), file), HasSubstr("folds of 4 samples; points has 30"));
  EXPECT_THAT(refused(dataset, file, 3), HasSubstr("fold 3 does not exist; expected 0 to 2"));
  EXPECT_THAT(refused(dataset, file, -1), HasSubstr("fold -1"));
  EXPECT_THAT(test::error_of<InvalidFile>([&] { choose_split(dataset, "no.json", 0, 0); }),
              HasSubstr("no.json"));
}

TEST(ChooseSplit, SaysWhatThereIs) {
  Dataset dataset = nodes();
  dataset.splits["public"] = {};
  EXPECT_EQ(refused(dataset, "pubic"),
            "split 'pubic' of line: neither comes with the data set nor is a file; did you mean "
            "public? Available: public, folds:N, random:TRAIN,VAL,TEST, sanitized:K, "
            "sanitized-walk:K and files of folds");
  EXPECT_THAT(refused(graphs(), "public"),
              AllOf(HasSubstr("nor is a file"), HasSubstr("folds:N"), Not(HasSubstr("sanitized"))));
  Dataset labels = nodes();  // of which none is a class
  labels.target_kind = TargetKind::kMultiLabel;
  EXPECT_THAT(refused(labels, "sanitized:1"),
              AllOf(HasSubstr("nodes have classes; available: folds:N"), Not(HasSubstr("d:K"))));
  for (const char* text : {"folds:", "folds:2", "folds:x", "folds:5:", "folds:5:1:2", "folds:-3"}) {
    EXPECT_THAT(refused(dataset, text), HasSubstr("a number of folds")) << text;
  }
  for (const char* text : {"random:", "random:1,1,1", "random:0.5,0.5", "random:-1,0.5,0.5",
                           "random:nan,0,0", "random:0.5,0.2,x"}) {
    EXPECT_THAT(refused(dataset, text), HasSubstr("three shares")) << text;
  }
  for (const char* text : {"sanitized:", "sanitized:-1", "sanitized:two", "sanitized:1001"}) {
    EXPECT_THAT(refused(dataset, text), HasSubstr("a number of hops")) << text;
  }
  for (const char* text : {"sanitized-walk:", "sanitized-walk:1000000000"}) {
    EXPECT_THAT(refused(dataset, text), HasSubstr("a number of steps up to 1000")) << text;
  }
  EXPECT_THAT(refused(graphs(), "", -1), HasSubstr("fold -1 does not exist; expected 0 to 9"));
  EXPECT_THAT(refused(graphs(), "folds:5", 5), HasSubstr("fold 5 does not exist; expected 0 to 4"));
  EXPECT_THAT(refused(graphs(), "folds:5:7"), HasSubstr("fold 7"));
}

}  // namespace
}  // namespace hgnet
