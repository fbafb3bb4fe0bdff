#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "hgnet/data/encoding.hpp"
#include "hgnet/data/load.hpp"
#include "support/archives.hpp"
#include "support/datasets.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using test::Files;
using testing::ElementsAre;
using testing::HasSubstr;

class Tu : public testing::Test {
 protected:
  Dataset load(const Files& files, bool node_attributes = false) const {
    for (const auto& [name, bytes] : files) folder_.write(name, bytes);
    return load_dataset((folder_.path() / "TINY").string(),
                        {.use_cache = false, .node_attributes = node_attributes});
  }

  std::string error(const std::string& part, const std::string& text,
                    bool attributes = false) const {
    Files files = test::tu_files();
    files["TINY/TINY_" + part + ".txt"] = text;
    return folder_.without_folder(error_of<InvalidFile>([&] { load(files, attributes); }));
  }

  test::TemporaryFolder folder_;
};

TEST_F(Tu, ReadsGraphsLabelsAndClasses) {
  const Dataset dataset = load(test::tu_files());
  EXPECT_EQ(dataset.name, "TINY");
  EXPECT_EQ(dataset.task, Task::kGraph);
  EXPECT_THAT(dataset.node_offsets, ElementsAre(0, 3, 5));
  EXPECT_EQ(dataset.graphs[0].num_undirected_edges(), 3);
  EXPECT_THAT(dataset.classes, ElementsAre(1, 0));
  EXPECT_THAT(dataset.class_names, ElementsAre("-1", "7"));
  const auto& features = std::get<SparseMatrix>(dataset.features);
  EXPECT_EQ(features.num_columns(), 4) << "labels 3 .. 6, of which 5 does not occur";
  EXPECT_THAT(features.csr().columns, ElementsAre(0, 1, 3, 0, 0));
  EXPECT_TRUE(dataset.splits.empty());
}

TEST_F(Tu, CountsRepeatedEdgesOnceAndKeepsSelfLoops) {
  const Graph graph = load(test::tu_files()).graphs.at(1);
  EXPECT_EQ(graph.num_undirected_edges(), 2);
  EXPECT_EQ(graph.num_self_loops(), 1);
}

TEST_F(Tu, ReadsZipArchivesTheSameAsFolders) {
  const Dataset from_folder = load(test::tu_files());
  const auto zip = folder_.write_zip("tu/TINY.zip", test::tu_files());
  EXPECT_EQ(test::difference(load_dataset(zip.string(), {.use_cache = false}), from_folder), "");
  const LoadOptions by_name{.root = folder_.path(), .use_cache = false};
  EXPECT_EQ(test::difference(load_dataset("tiny", by_name), from_folder), "");
}

TEST_F(Tu, ReadsLinesThatAreSplitBetweenBlocks) {
  constexpr int kNodes = 60'000;
  Files files{{"TINY/TINY_graph_labels.txt", "0\n"}};
  std::string& edges = files["TINY/TINY_A.txt"];
  std::string& graphs = files["TINY/TINY_graph_indicator.txt"];
  for (int v = 1; v <= kNodes; ++v) {
    graphs += "1\n";
    if (v > 1) edges += std::to_string(v) + ", " + std::to_string(v - 1) + "\n";
  }
  const std::string zip = folder_.write_zip("long.zip", files).string();
  EXPECT_EQ(load_dataset(zip, {.use_cache = false}).graphs.at(0).num_undirected_edges(),
            kNodes - 1);
  for (auto& [name, text] : files) folder_.write(name + ".gz", test::gzipped(text));
  EXPECT_EQ(load({}).graphs.at(0).num_undirected_edges(), kNodes - 1);
}

TEST_F(Tu, ReadsEverySeparatorAndLineEnd) {
  Files files = test::tu_files();
  const Dataset expected = load(files);
  files["TINY/TINY_A.txt"] = "1,2\r\n2 3\r\n\r\n1\t3\n4 ,5\n4,4";
  EXPECT_EQ(test::difference(load(files), expected), "");
}

TEST_F(Tu, TakesDegreesWhereThereAreNoLabels) {
  Files files = test::tu_files();
  files.erase("TINY/TINY_node_labels.txt");
  const Dataset dataset = load(files);
  const auto& features = std::get<SparseMatrix>(dataset.features);
  EXPECT_EQ(features.num_columns(), 3);
  EXPECT_THAT(features.csr().columns, ElementsAre(2, 2, 2, 1, 1))
      << "a self-loop is not a neighbour";
}

TEST_F(Tu, ReadsLabelsAndAttributesOfEdges) {
  Files files = test::tu_files();
  // 1-2 and back, 2-3, 1-3; 4-5 twice and back, 4-4. The second 4-5 is another one.
  files["TINY/TINY_edge_labels.txt"] = "5\n5\n-1\n-1\n5\n5\n0\n0\n5\n0\n-1\n";
  files["TINY/TINY_edge_attributes.txt"] =
      "1,2\n1,2\n3,4\n3,4\n5,6\n5,6\n7,8\n7,8\n7,8\n7,8\n9,1\n";
  const Dataset dataset = load(files);
  ASSERT_EQ(dataset.edge_columns.size(), 3U);
  EXPECT_EQ(dataset.edge_columns[0], (ColumnInfo{"edge attribute 1"}));
  EXPECT_EQ(dataset.edge_columns[2],
            (ColumnInfo{"edge label", ColumnKind::kCategory, {"-1", "0", "5"}}));
  // Slots 1-2, 1-3, 2-1, 2-3, 3-1, 3-2.
  EXPECT_THAT(dataset.graphs[0].edge_rows(),
              ElementsAre(1, 2, 2, 5, 6, 2, 1, 2, 2, 3, 4, 0, 5, 6, 2, 3, 4, 0));
  EXPECT_THAT(dataset.graphs[1].edge_rows(), ElementsAre(9, 1, 0, 7, 8, 1, 7, 8, 1)) << "4-4 first";
  EXPECT_THAT(dataset.notes, ElementsAre("1 edges are listed again with other features; the first "
                                         "of each counts"));
  const auto error = [&](const std::string& part, const std::string& text) {
    Files wrong = files;
    wrong["TINY/TINY_" + part + ".txt"] = text;
    return folder_.without_folder(error_of<InvalidFile>([&] { load(wrong); }));
  };
  EXPECT_THAT(error("edge_labels", "1\n2\n"),
              HasSubstr("_edge_labels.txt has 2 lines; expected 11, one per edge"));
  EXPECT_THAT(error("edge_attributes", "1\n2,3\n"), HasSubstr("2 attributes; expected 1"));
}

TEST_F(Tu, LeavesFeaturesOfEdgesOutOfSetsByName) {
  Files files = test::tu_files("tu/TINY/TINY");
  const LoadOptions by_name{.root = folder_.path(), .use_cache = false};
  for (const auto& [name, bytes] : files) folder_.write(name, bytes);
  const Dataset plain = load_dataset("tiny", by_name);
  EXPECT_TRUE(plain.notes.empty());
  folder_.write("tu/TINY/TINY_edge_labels.txt", "1\n1\n1\n1\n1\n1\n2\n2\n2\n2\n2\n");
  Dataset dataset = load_dataset("tiny", by_name);
  EXPECT_THAT(dataset.notes,
              ElementsAre("ignored: labels of edges; the setting edge-features = use takes them"));
  dataset.notes.clear();
  EXPECT_EQ(test::difference(dataset, plain), "");
  LoadOptions with = by_name;
  with.edge_features = EdgeFeatures::kUse;
  EXPECT_EQ(load_dataset("tiny", with).edge_columns.size(), 1U);
}

TEST_F(Tu, PutsAttributesBeforeLabels) {
  Files files = test::tu_files();
  files["TINY/TINY_node_attributes.txt"] = " 1.5, 2\n0,0\n-1,1e1\n 7,7\n8,8\n";
  EXPECT_TRUE(std::holds_alternative<SparseMatrix>(load(files).features));
  const auto dense = [](const Dataset& dataset) {
    return std::get<DenseRows>(encoded(dataset, fit_encoding(dataset, {}, {})).features);
  };
  const DenseRows both = dense(load(files, true));
  EXPECT_EQ(both.width, 6);
  EXPECT_THAT(std::vector(both.values.begin(), both.values.begin() + 12),
              ElementsAre(1.5F, 2, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0));
  std::filesystem::remove(folder_.path() / "TINY/TINY_node_labels.txt");
  files.erase("TINY/TINY_node_labels.txt");
  EXPECT_EQ(dense(load(files)).width, 2);
}

TEST_F(Tu, PredictsAttributesWhereGraphsHaveNoLabels) {
  Files files = test::tu_files();
  files["TINY/TINY_graph_attributes.txt"] = "0.5, -2\n1e2,3\n";
  EXPECT_EQ(load(files).target_kind, TargetKind::kClasses);
  std::filesystem::remove(folder_.path() / "TINY/TINY_graph_labels.txt");
  files.erase("TINY/TINY_graph_labels.txt");
  const Dataset dataset = load(files);
  EXPECT_EQ(dataset.target_kind, TargetKind::kRegression);
  EXPECT_EQ(dataset.num_tasks, 2);
  EXPECT_THAT(dataset.targets, ElementsAre(0.5F, -2, 100, 3));
  EXPECT_TRUE(dataset.classes.empty());
  files["TINY/TINY_graph_attributes.txt"] = "0.5, -2\n1\n";
  EXPECT_THAT(test::error_of<InvalidFile>([&] { load(files); }),
              HasSubstr("graph_attributes.txt:2: 1 attributes; expected 2"));
}

TEST_F(Tu, AllowsGraphsWithoutNodes) {
  Files files = test::tu_files();
  files["TINY/TINY_graph_indicator.txt"] = "2\n2\n2\n4\n4\n";
  files["TINY/TINY_graph_labels.txt"] = "1\n1\n2\n2\n1\n";
  EXPECT_THAT(load(files).node_offsets, ElementsAre(0, 0, 3, 3, 5, 5));
}

TEST_F(Tu, ErrorsNameFileLineAndField) {
  EXPECT_EQ(error("A", "1, 2\n2, 9\n"),
            "TINY/TINY_A.txt:2: node '9'; expected an integer from 1 to 5");
  EXPECT_EQ(error("A", "1, 2\n2\n"), "TINY/TINY_A.txt:2: node ''; expected an integer from 1 to 5");
  EXPECT_EQ(error("A", "0, 2\n"), "TINY/TINY_A.txt:1: node '0'; expected an integer from 1 to 5");
  EXPECT_EQ(error("A", "1, 2x\n"), "TINY/TINY_A.txt:1: node '2x'; expected an integer from 1 to 5");
  EXPECT_EQ(error("A", "1, 99999999999999999999\n"),
            "TINY/TINY_A.txt:1: node '99999999999999999999'; expected an integer from 1 to 5");
  EXPECT_EQ(error("A", "1, 2, 3\n"),
            "TINY/TINY_A.txt:1: more fields than expected, from '3'; expected two nodes");
  EXPECT_EQ(error("A", "1, 2\n3, 4\n"),
            "TINY/TINY_A.txt:2: the nodes are in different graphs, 1 and 2");
  EXPECT_EQ(error("graph_indicator", "1\n1\n3\n"),
            "TINY/TINY_graph_indicator.txt:3: graph '3'; expected an integer from 1 to 2");
  EXPECT_THAT(error("graph_indicator", "1\n2\n1\n"), HasSubstr("txt:3: graph 1 again"));
  EXPECT_THAT(error("graph_indicator", ""), HasSubstr("is empty; expected a line per node"));
  EXPECT_THAT(error("graph_labels", ""), HasSubstr("the file of graph labels is empty"));
  EXPECT_THAT(error("graph_labels", "1\nb\n"), HasSubstr("labels.txt:2: graph label 'b'"));
  EXPECT_THAT(error("node_labels", "1\n2\n"), HasSubstr("has 2 lines; expected 5, one per node"));
  EXPECT_THAT(error("node_labels", "0\n0\n0\n0\n1000000000\n"), HasSubstr("large gaps"));
  EXPECT_THAT(error("node_attributes", "1\n2,3\n", true),
              HasSubstr("txt:2: 2 attributes; expected 1"));
  EXPECT_THAT(error("node_attributes", "nan\n", true),
              HasSubstr("attribute 'nan'; expected a number"));
  EXPECT_THAT(error("node_attributes", "1\n1\n1\n1\n1\n1\n", true), HasSubstr("txt:6: more lines"));
}

TEST_F(Tu, NamesTheFileThatIsMissing) {
  Files files = test::tu_files();
  files.erase("TINY/TINY_graph_indicator.txt");
  EXPECT_THAT(error_of<InvalidFile>([&] { load(files); }),
              HasSubstr("has no file TINY_graph_indicator.txt"));
  EXPECT_THAT(error_of<InvalidFile>([&] { load(test::tu_files(), true); }),
              HasSubstr("has no file TINY_node_attributes.txt"));
}

TEST_F(Tu, GraphsWithoutLabelsCanBePredicted) {
  Files files = test::tu_files();
  files.erase("TINY/TINY_graph_labels.txt");
  const Dataset dataset = load(files);
  EXPECT_EQ(dataset.num_graphs(), 2);
  EXPECT_THAT(dataset.classes, ::testing::Each(kUnlabelled));
  EXPECT_EQ(dataset.columns.first_label, 3);
  files["TINY/TINY_graph_indicator.txt"] = "1\n1\n1\n1\n999999\n";
  EXPECT_THAT(error_of<InvalidFile>([&] { load(files); }),
              HasSubstr("graph 999999, but only 5 nodes"));
}

TEST_F(Tu, ReadsEmptyFilesAsEmptySets) {
  const Files files{{"TINY/TINY_A.txt", ""},
                    {"TINY/TINY_graph_indicator.txt", ""},
                    {"TINY/TINY_graph_labels.txt", ""}};
  EXPECT_EQ(load(files).num_graphs(), 0);
}

TEST_F(Tu, RefusesDamagedArchives) {
  const std::string whole = test::content_of(folder_.write_zip("whole.zip", test::tu_files()));
  const Dataset expected =
      load_dataset((folder_.path() / "whole.zip").string(), {.use_cache = false});
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const std::string zip = folder_.write("cut.zip", whole.substr(0, size)).string();
    try {
      // Perhaps only the directory at the end was cut off; then nothing is lost.
      const Dataset dataset = load_dataset(zip, {.use_cache = false});
      EXPECT_EQ(dataset.num_graphs(), expected.num_graphs()) << size;
    } catch (const InvalidFile&) {
    }
  }
  for (std::size_t at = 0; at < whole.size(); at += 5) {
    std::string bytes = whole;
    bytes[at] ^= 0x10;
    const std::string zip = folder_.write("bad.zip", bytes).string();
    try {
      // The change may be in a time stamp; the graphs are protected by a checksum.
      EXPECT_EQ(load_dataset(zip, {.use_cache = false}).graphs.at(0).num_edges(), 6) << at;
    } catch (const InvalidFile&) {
    }
  }
  EXPECT_THROW(load_dataset(folder_.write("text.zip", "no archive").string()), InvalidFile);
}

}  // namespace
}  // namespace hgnet
