#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cmath>
#include <filesystem>

#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/load.hpp"
#include "support/datasets.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

class CsvGraph : public testing::Test {
 protected:
  Dataset load(const test::Files& files, LoadOptions options) const {
    for (const auto& [name, bytes] : files) folder_.write("own/" + name, bytes);
    options.use_cache = false;
    return load_dataset((folder_.path() / "own").string(), options);
  }
  Dataset load(const test::Files& files, Targets targets = Targets::kAuto) const {
    return load(files, {.targets = targets});
  }

  std::string error(const std::string& file, const std::string& text) const {
    test::Files files = test::csv_files();
    files[file] = text;
    return folder_.without_folder(error_of<InvalidFile>([&] { load(files); }));
  }

  test::TemporaryFolder folder_;
};

TEST_F(CsvGraph, ReadsIdsOfAnyKind) {
  const Dataset dataset = load(test::csv_files());
  EXPECT_EQ(dataset.name, "own");
  EXPECT_EQ(dataset.task, Task::kNode);
  EXPECT_EQ(dataset.num_nodes(), 4);
  EXPECT_THAT(dataset.graphs[0].neighbours(0), ElementsAre(2, 3));
  EXPECT_THAT(dataset.graphs[0].neighbours(1), ElementsAre(2));
}

TEST_F(CsvGraph, PlainEdgesGiveTheGraphOfEdgesWithMoreColumns) {
  Generator generator(4);
  test::Files plain{{"nodes.csv", "label;ID\n"}, {"edges.csv", "Target;source\n"}};
  test::Files weighted{{"edges.csv", "source,target,weight\n"}};
  for (int v = 0; v < 300; ++v) plain["nodes.csv"] += "1;node " + std::to_string(v * 7) + "\n";
  weighted["nodes.csv"] = plain["nodes.csv"];
  for (int e = 0; e < 2000; ++e) {  // with repeated ones and self-loops
    const std::string u = "node " + std::to_string(generator.below(300) * 7);
    const std::string v = "node " + std::to_string(generator.below(300) * 7);
    plain["edges.csv"] += "\"" + v + "\";" + u + "\n";
    weighted["edges.csv"] += u + "," + v + ",1\n";
  }
  const Dataset streamed = load(plain);
  const Dataset from_table = load(weighted);
  EXPECT_EQ(streamed.graphs[0].parts().offsets, from_table.graphs[0].parts().offsets);
  EXPECT_EQ(streamed.graphs[0].parts().columns, from_table.graphs[0].parts().columns);
  EXPECT_GT(streamed.graphs[0].num_self_loops(), 0);
  EXPECT_EQ(streamed.sample_names, from_table.sample_names);
}

TEST_F(CsvGraph, NodesThatAreCalledByTheNumbersFromZeroHaveNoNames) {
  const test::Files files{{"nodes.csv", "id,label\n0,a\n1,b\n"},
                          {"edges.csv", "source,target\n0,1\n"}};
  EXPECT_THAT(load(files).sample_names, ElementsAre());
  test::Files others = files;
  others["nodes.csv"] = "id,label\n1,a\n0,b\n";
  EXPECT_THAT(load(others).sample_names, ElementsAre("1", "0"));
}

TEST_F(CsvGraph, IdsThatAreTheNumbersFromZeroAreComparedAsText) {
  test::Files files{{"nodes.csv", "id,label\n"}, {"edges.csv", "source,target\n0,11\n10,2\n"}};
  for (int v = 0; v < 12; ++v) files["nodes.csv"] += std::to_string(v) + ",a\n";
  const Dataset dataset = load(files);
  EXPECT_THAT(dataset.graphs[0].neighbours(0), ElementsAre(11));
  EXPECT_THAT(dataset.graphs[0].neighbours(2), ElementsAre(10));
  for (const std::string id : {"12", "03", "+3", "-0", "3.0", "00", "3a", "4294967299"}) {
    for (const std::string more : {"", ",weight"}) {
      files["edges.csv"] = "source,target" + more + "\n0," + id + (more.empty() ? "" : ",1") + "\n";
      EXPECT_EQ(folder_.without_folder(error_of<InvalidFile>([&] { load(files); })),
                "own/edges.csv:2: column 'target': no node '" + id + "' in nodes.csv");
    }
  }
}

TEST_F(CsvGraph, ReadsFeaturesLabelsAndSplit) {
  const Dataset dataset = load(test::csv_files());
  const auto& features = std::get<ColumnRows>(dataset.features);
  ASSERT_EQ(features.columns.size(), 2U);
  EXPECT_THAT(features.columns[0].values, ElementsAre(1.5F, -2, 0, 1));
  EXPECT_THAT(features.columns[1].values, ElementsAre(0, 10, 3, 4));
  EXPECT_THAT(dataset.class_names, ElementsAre("cat", "dog"));
  EXPECT_THAT(dataset.classes, ElementsAre(0, 1, kUnlabelled, 0));
  EXPECT_THAT(dataset.splits.at("own").train, ElementsAre(0));
  EXPECT_THAT(dataset.splits.at("own").val, ElementsAre(1));
  EXPECT_THAT(dataset.splits.at("own").test, ElementsAre(3));
}

TEST_F(CsvGraph, ReadsWhatSpreadsheetsWrite) {
  const Dataset dataset = load({{"nodes.csv", "\xef\xbb\xbfid,x\r\na,1\r\nb,2\r\n"},
                                {"edges.csv", "\xef\xbb\xbfsource,target\r\na,b\r\n"}});
  EXPECT_EQ(dataset.graphs[0].num_undirected_edges(), 1);
}

TEST_F(CsvGraph, OrdersIntegerLabelsByValue) {
  const Dataset dataset =
      load({{"nodes.csv", "id,label\na,10\nb,9\nc,010\n"}, {"edges.csv", "source,target\na,b\n"}});
  EXPECT_THAT(dataset.class_names, ElementsAre("9", "010", "10"));
  EXPECT_THAT(dataset.classes, ElementsAre(2, 0, 1));
}

TEST_F(CsvGraph, TakesOtherNumbersAsNumbersToPredict) {
  const Dataset dataset =
      load({{"nodes.csv", "id,label\na,10\nb,0.5\nc,\n"}, {"edges.csv", "source,target\na,b\n"}});
  EXPECT_EQ(dataset.target_kind, TargetKind::kRegression);
  EXPECT_EQ(dataset.targets[1], 0.5F);
  EXPECT_TRUE(std::isnan(dataset.targets[2]));
}

TEST_F(CsvGraph, AsksForATaskWhereOnlySomeLabelsAreNumbers) {
  for (const std::string odd : {"N/A", "+0.5", "1e-50", "1e39", "nan", "inf", "-"}) {
    const std::string nodes = "id,label\na,10\nb,0.5\nc,\nd," + odd + "\ne,2\n";
    const test::Files files = {{"nodes.csv", nodes}, {"edges.csv", "source,target\na,b\n"}};
    EXPECT_EQ(folder_.without_folder(error_of<AmbiguousTask>([&] { load(files); })),
              "own/nodes.csv:5: column 'label': '" + odd +
                  "' is not a number that 32 bits hold, while '0.5' on line 3 looks like one to "
                  "predict; a task has to be named");
    const Dataset classes = load(files, Targets::kClasses);
    EXPECT_EQ(classes.target_kind, TargetKind::kClasses);
    EXPECT_EQ(classes.num_classes(), 4);
    EXPECT_THAT(
        folder_.without_folder(error_of<InvalidFile>([&] { load(files, Targets::kRegression); })),
        HasSubstr("own/nodes.csv:5: column 'label': '" + odd + "'; expected a number"));
  }
}

TEST_F(CsvGraph, AsksForATaskWhereNoNumberCanBeRead) {
  const test::Files files = {{"nodes.csv", "id,label\na,+0.5\nb,+1.5\n"},
                             {"edges.csv", "source,target\na,b\n"}};
  EXPECT_THAT(error_of<AmbiguousTask>([&] { load(files); }), HasSubstr("nodes.csv:2"));
}

TEST_F(CsvGraph, TakesNamesAndSignedIntegersAsClasses) {
  const auto classes = [&](const std::string& labels) {
    return load({{"nodes.csv", "id,label\n" + labels}, {"edges.csv", "source,target\na,b\n"}})
        .class_names;
  };
  EXPECT_THAT(classes("a,+1\nb,-1\n"), ElementsAre("+1", "-1"));
  EXPECT_THAT(classes("a,1\nb,N/A\n"), ElementsAre("1", "N/A"));
  EXPECT_THAT(classes("a,v1.5\nb,e\n"), ElementsAre("e", "v1.5"));
}

TEST_F(CsvGraph, TakesIntegersAsNumbersWhereTheTaskSaysSo) {
  const Dataset dataset =
      load({{"nodes.csv", "id,label\na,10\nb,\n"}, {"edges.csv", "source,target\na,b\n"}},
           Targets::kRegression);
  EXPECT_EQ(dataset.target_kind, TargetKind::kRegression);
  EXPECT_EQ(dataset.targets[0], 10.0F);
  EXPECT_TRUE(std::isnan(dataset.targets[1]));
}

TEST_F(CsvGraph, RefusesNamesThatAreNotText) {
  const std::string expected = "; expected UTF-8 without control characters";
  EXPECT_EQ(error("nodes.csv", "id,label\na,\x1b[31mred\n"),
            "own/nodes.csv:2: column 'label': '\\x1b[31mred' has a control character" + expected);
  EXPECT_EQ(error("nodes.csv", "id\nM\xfcller\n"),
            "own/nodes.csv:2: column 'id': 'M\\xfcller' has a byte that is not UTF-8" + expected);
  EXPECT_EQ(error("nodes.csv", "id,x\a\na,1\n"),
            "own/nodes.csv:1: column 'x\\x07' has a control character" + expected);
  EXPECT_EQ(error("nodes.csv", "id,x\na,\x1b]0;t\a\n"),
            "own/nodes.csv:2: column 'x': '\\x1b]0;t\\x07' has a control character" + expected)
      << "no message carries it either";
}

TEST_F(CsvGraph, RefusesWeightsWhoseSumOverflows) {
  EXPECT_EQ(error("edges.csv", "source,target,weight\nalice,17,3e38\nd e,17,3e38\n"),
            "own: graph: the magnitudes of its weights sum to 1.2e+39; expected at most "
            "3.40282e+38");
}

TEST_F(CsvGraph, ReadsEdgeWeightsAndFeatures) {
  const Dataset dataset = load(
      {{"nodes.csv", "id\n1\n2\n"}, {"edges.csv", "length,source,weight,target\n7,2,0.5,1\n"}});
  EXPECT_THAT(dataset.graphs[0].weights(), ElementsAre(0.5F, 0.5F));
  EXPECT_THAT(dataset.graphs[0].edge_rows(), ElementsAre(7, 7));
  EXPECT_EQ(dataset.num_features(), 2) << "one-hot degrees, since there are no feature columns";
  EXPECT_TRUE(dataset.splits.empty());
}

TEST_F(CsvGraph, ErrorsNameFileLineAndColumn) {
  EXPECT_EQ(error("edges.csv", "source,target\nalice,17\nalice,carol\n"),
            "own/edges.csv:3: column 'target': no node 'carol' in nodes.csv");
  EXPECT_EQ(error("edges.csv", "from,to\n"),
            "own/edges.csv:1: no column 'source' on the header line");
  EXPECT_EQ(error("edges.csv", "source,target,source\n"),
            "own/edges.csv:1: two columns are called source");
  EXPECT_EQ(error("edges.csv", "source,target,weight\nalice,17,heavy\n"),
            "own/edges.csv:2: column 'weight': 'heavy'; expected a number");
  EXPECT_EQ(error("edges.csv", ""),
            "own/edges.csv: is empty; expected a header line with column names");
  EXPECT_EQ(error("nodes.csv", "id,x\na,1\nb\n"),
            "own/nodes.csv:3: 1 cells; the header line has 2 columns");
  EXPECT_EQ(
      error("nodes.csv", "id,x\na,1\nb,2\nc,three\n"),
      "own/nodes.csv:4: column 'x': 'three'; expected a number, as in most cells of the column; "
      "the setting categorical makes categories of all of them");
  EXPECT_EQ(error("nodes.csv", "id,x\na,1e39\n"),
            "own/nodes.csv:2: column 'x': '1e39'; expected a number that 32 bits hold");
  EXPECT_EQ(error("nodes.csv", "id\na\na\n"), "own/nodes.csv:3: column 'id': 'a' occurs twice");
  EXPECT_EQ(error("nodes.csv", "id,split\na,training\n"),
            "own/nodes.csv:2: column 'split': 'training'; expected train, val, test or nothing");
  EXPECT_THAT(error("nodes.csv", "id\n"), HasSubstr("no nodes"));
  EXPECT_THAT(error("nodes.csv", "name\n"), HasSubstr("no column 'id'"));
  EXPECT_THAT(error("nodes.csv", "id\n\"a\n"), HasSubstr(":2: a quoted cell does not end"));
  EXPECT_THAT(error("nodes.csv", "id\n\"a\"b\n"), HasSubstr(":2: expected a comma after a quoted"));
}

TEST_F(CsvGraph, NamesTheFileThatIsMissing) {
  folder_.write("own/nodes.csv", "id\na\n");
  const std::string path = (folder_.path() / "own").string();
  EXPECT_THAT(error_of<InvalidFile>([&] { load_dataset(path, {.use_cache = false}); }),
              HasSubstr("own: has no file edges.csv"));
}

const Column& column(const Dataset& dataset, std::size_t number) {
  return std::get<ColumnRows>(dataset.features).columns.at(number);
}

TEST_F(CsvGraph, ReadsSemicolonsTabsAndDecimalCommas) {
  const std::string expected =
      test::difference(load({{"nodes.csv", "ID;x;Label\n\"a;1\";1,5;cat\nb;-2;dog\n"},
                             {"edges.csv", "Source\tTARGET\tWeight\na;1\tb\t0,5\n"}}),
                       load({{"nodes.csv", "id,x,label\na;1,1.5,cat\nb,-2,dog\n"},
                             {"edges.csv", "source,target,weight\na;1,b,0.5\n"}}));
  EXPECT_EQ(expected, "");
}

TEST_F(CsvGraph, TellsTheKindsOfColumns) {
  const Dataset dataset =
      load({{"nodes.csv",
             "id,number,truth,colour,zip\na,1,yes,red,10\nb,NA,FALSE,blue,20\nc,3,,red,10\n"},
            {"edges.csv", "source,target,kind,len\na,b,near,\nb,c,far,2\n"}},
           {.categorical = "zip"});
  EXPECT_EQ(column(dataset, 0).kind, ColumnKind::kNumber);
  EXPECT_THAT(column(dataset, 0).values, ElementsAre(1, kMissingCell, 3));
  EXPECT_EQ(column(dataset, 1).kind, ColumnKind::kBoolean);
  EXPECT_THAT(column(dataset, 1).values, ElementsAre(1, 0, kMissingCell));
  EXPECT_THAT(column(dataset, 2).categories, ElementsAre("blue", "red"));
  EXPECT_THAT(column(dataset, 2).values, ElementsAre(1, 0, 1));
  EXPECT_THAT(column(dataset, 3).categories, ElementsAre("10", "20"));
  ASSERT_EQ(dataset.edge_columns.size(), 2U);
  EXPECT_THAT(dataset.edge_columns[0].categories, ElementsAre("far", "near"));
  EXPECT_THAT(dataset.graphs[0].edge_rows(),
              ElementsAre(1, kMissingCell, 1, kMissingCell, 0, 2, 0, 2));
}

TEST_F(CsvGraph, LeavesOutNamesOfRows) {
  std::string nodes = "id,name\n";
  for (int i = 0; i < 30; ++i) nodes += std::to_string(i) + ",n" + std::to_string(i) + "\n";
  const Dataset dataset = load({{"nodes.csv", nodes}, {"edges.csv", "source,target\n0,1\n"}});
  EXPECT_THAT(dataset.notes, ElementsAre("ignored: column 'name', a different text in each row"));
  EXPECT_EQ(dataset.columns.kind, kNodeDegrees);
}

TEST_F(CsvGraph, TakesLabelsFromTheColumnsThatAreNamed) {
  const test::Files files{{"nodes.csv", "id,a,b,label\n1,1,no,x\n2,,yes,y\n"},
                          {"edges.csv", "source,target\n1,2\n"}};
  const Dataset one = load(files, {.label_column = "b"});
  EXPECT_THAT(one.class_names, ElementsAre("no", "yes"));
  EXPECT_EQ(std::get<ColumnRows>(one.features).columns.size(), 2U) << "a and label";
  const Dataset both = load(files, {.label_column = "a,B"});
  EXPECT_EQ(both.target_kind, TargetKind::kMultiLabel);
  EXPECT_THAT(both.target_names, ElementsAre("a", "b"));
  EXPECT_EQ(both.targets[0], 1);
  EXPECT_EQ(both.targets[1], 0);
  EXPECT_TRUE(std::isnan(both.targets[2]));
  EXPECT_EQ(both.targets[3], 1);
  EXPECT_THAT(
      load(files, {.label_column = "c"}).notes,
      ElementsAre(HasSubstr("label columns c are in nodes.csv, which has id, a, b, label")));
  const test::Files numbers{{"nodes.csv", "id,a,b\n1,1,0.5\n2,,3\n"},
                            {"edges.csv", files.at("edges.csv")}};
  EXPECT_EQ(load(numbers, {.label_column = "a,b"}).target_kind, TargetKind::kRegression);
}

TEST_F(CsvGraph, ReadsSeveralGraphs) {
  test::Files files{{"nodes.csv", "graph,id,x\nA,1,1\nB,1,2\nA,2,3\nB,2,4\nB,3,5\n"},
                    {"edges.csv", "graph,source,target\nB,3,1\nA,1,2\n"},
                    {"graphs.csv", "graph,label,split,size\nB,yes,Valid,3\nA,no,train,2\n"}};
  const Dataset dataset = load(files);
  EXPECT_EQ(dataset.task, Task::kGraph);
  EXPECT_THAT(dataset.sample_names, ElementsAre("B", "A"));
  EXPECT_THAT(dataset.node_offsets, ElementsAre(0, 3, 5));
  EXPECT_THAT(column(dataset, 0).values, ElementsAre(2, 4, 5, 1, 3));
  EXPECT_THAT(dataset.graphs[0].neighbours(0), ElementsAre(2));
  EXPECT_THAT(dataset.class_names, ElementsAre("no", "yes"));
  EXPECT_THAT(dataset.classes, ElementsAre(1, 0));
  EXPECT_THAT(dataset.splits.at("own").val, ElementsAre(0));
  EXPECT_THAT(dataset.notes, ElementsAre(HasSubstr("ignored: column 'size' of graphs")));
  files["edges.csv"] = "source,target\n3,1\n";
  EXPECT_THAT(error_of<InvalidFile>([&] { load(files); }), HasSubstr("'1' occurs in two graphs"));
  files["edges.csv"] = "graph,source,target\nC,3,1\n";
  EXPECT_THAT(error_of<InvalidFile>([&] { load(files); }),
              HasSubstr("edges.csv:2: column 'graph': no graph 'C'"));
  files["edges.csv"] = "graph,source,target\nA,3,1\n";
  EXPECT_THAT(error_of<InvalidFile>([&] { load(files); }),
              HasSubstr("no node '3' in nodes.csv of that graph"));
}

TEST_F(CsvGraph, PredictsNodesOfSeveralGraphs) {
  const Dataset dataset = load({{"nodes.csv", "id,graph,label\n1,A,x\n2,B,y\n3,A,x\n"},
                                {"edges.csv", "source,target\n1,3\n"}});
  EXPECT_EQ(dataset.task, Task::kNode);
  EXPECT_EQ(dataset.graphs.size(), 2U);
  EXPECT_THAT(dataset.sample_names, ElementsAre("A/1", "A/3", "B/2"));
  EXPECT_THAT(dataset.classes, ElementsAre(0, 0, 1));
}

TEST_F(CsvGraph, SymmetrisesWhenAsked) {
  const test::Files files{{"nodes.csv", "id\na\nb\nc\n"},
                          {"edges.csv", "source,target,weight\na,b,1\nb,a,3\nb,c,5\n"}};
  const Dataset dataset = load(files, {.directed = Directed::kSymmetrise});
  EXPECT_THAT(dataset.graphs[0].weights(), ElementsAre(2, 2, 5, 5));
  EXPECT_THAT(dataset.notes,
              ElementsAre("symmetrised: every edge goes in both directions; 1 of 3 had none back"));
  EXPECT_THAT(load(files).graphs[0].weights(), ElementsAre(1, 1, 5, 5));
  EXPECT_THAT(load(files).notes,
              ElementsAre(HasSubstr("1 edges are listed again with another weight")));
}

TEST_F(CsvGraph, ManyWholeNumbersAreClassesWithANote) {
  test::Files files{{"nodes.csv", "id,label\n"}, {"edges.csv", "source,target\n0,1\n"}};
  for (int v = 0; v < 21; ++v)
    files["nodes.csv"] += std::to_string(v) + "," + std::to_string(100 * v) + "\n";
  const Dataset dataset = load(files);
  EXPECT_EQ(dataset.num_classes(), 21);
  EXPECT_THAT(dataset.notes, ElementsAre("taken as classes: the 21 whole numbers of column "
                                         "'label'; the task regression predicts them as numbers"));
  EXPECT_THAT(load(files, Targets::kClasses).notes, testing::IsEmpty());
  EXPECT_THAT(load(files, Targets::kRegression).notes, testing::IsEmpty());
}

TEST_F(CsvGraph, WhatIsNoFileIsNotTakenForAMissingOne) {
  const test::Files files = test::csv_files();
  load(files);
  const std::string place = (folder_.path() / "own/graphs.csv").string();
  ASSERT_EQ(mkfifo(place.c_str(), 0600), 0);
  EXPECT_THAT(error_of<InvalidFile>([&] { load(files); }), HasSubstr("graphs.csv: is a pipe"));
  for (const char* target : {"/dev/zero", "graphs.csv", "nosuchfile"}) {
    std::filesystem::remove(place);
    std::filesystem::create_symlink(target, place);
    EXPECT_THAT(error_of<InvalidFile>([&] { load(files); }), HasSubstr("graphs.csv: ")) << target;
  }
  std::filesystem::remove(place);
  std::filesystem::create_directory(place);
  EXPECT_THAT(error_of<InvalidFile>([&] { load(files); }), HasSubstr("graphs.csv: is a folder"));
  std::filesystem::remove(place);
  std::filesystem::create_symlink("nosuchfile", folder_.path() / "own/.#nodes.csv");  // an editor's
  EXPECT_EQ(load(files).num_nodes(), 4);
}

TEST_F(CsvGraph, InfiniteCellsAreNoCategories) {
  EXPECT_EQ(error("nodes.csv", "id,x\na,inf\nb,-inf\nc,NaN\n2,inf\n7,1\n10,2\n"),
            "own/nodes.csv:2: column 'x': 'inf'; expected a number that 32 bits hold");
}

TEST_F(CsvGraph, GivesBothDirectionsOfAnEdgeTheRowThatIsListedFirst) {
  const test::Files files{
      {"nodes.csv", "id\na\nb\nc\n"},
      {"edges.csv", "source,target,kind,len\nb,a,far,1\nc,b,near,2\na,b,near,3\nc,b,near,2\n"}};
  for (const Directed directed : {Directed::kError, Directed::kSymmetrise}) {
    const Dataset dataset = load(files, {.directed = directed});
    // a-b, b-a, b-c, c-b; far is 0.
    EXPECT_THAT(dataset.graphs[0].edge_rows(), ElementsAre(0, 1, 0, 1, 1, 2, 1, 2));
    EXPECT_THAT(dataset.notes.back(), AllOf(HasSubstr("1 edges are listed again with "),
                                            HasSubstr("other features; the first of each counts")));
  }
}

}  // namespace
}  // namespace hgnet
