#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "hgnet/data/graph_file.hpp"
#include "hgnet/data/load.hpp"
#include "support/datasets.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

/// Files that networkx wrote are among the fuzz targets' inputs.
std::string sample(const std::string& name) {
  return std::string(HGNET_FUZZ_CORPUS) + "/graph_formats/" + name;
}

class GraphFormats : public testing::Test {
 protected:
  std::string error(const std::string& file, const std::string& text) const {
    const std::string path = folder_.write(file, text).string();
    return folder_.without_folder(
        error_of<InvalidFile>([&] { load_dataset(path, {.use_cache = false}); }));
  }

  test::TemporaryFolder folder_;
};

TEST_F(GraphFormats, ReadsWhatNetworkxWrites) {
  for (const std::string name : {"small.graphml", "small.gml", "small.json"}) {
    const Dataset dataset =
        load_dataset(sample(name), {.use_cache = false, .label_column = "kind"});
    EXPECT_THAT(dataset.sample_names, ElementsAre("alice", "B\u00f3b", "carol")) << name;
    EXPECT_THAT(dataset.class_names, ElementsAre("cat", "dog"));
    EXPECT_THAT(dataset.classes, ElementsAre(0, 1, 0));
    const auto& columns = std::get<ColumnRows>(dataset.features).columns;
    ASSERT_EQ(columns.size(), 2U);
    EXPECT_EQ(columns[0].name, "age");
    EXPECT_THAT(columns[0].values, ElementsAre(31, 45.5F, 27));
    EXPECT_THAT(columns[1].values, ElementsAre(1, 0, 1));
    EXPECT_THAT(dataset.graphs[0].weights(), ElementsAre(0.5F, 0.5F, 2, 2));
    ASSERT_EQ(dataset.edge_columns.size(), 1U);
    EXPECT_THAT(dataset.graphs[0].edge_rows(), ElementsAre(3, 3, 1, 1));
    EXPECT_EQ(read_graph(sample(name)).num_undirected_edges(), 2);
  }
}

TEST_F(GraphFormats, RefusesDirectedGraphsUnlessTold) {
  for (const std::string name : {"directed.graphml", "directed.json"}) {
    EXPECT_THAT(error_of<InvalidFile>([&] { load_dataset(sample(name), {.use_cache = false}); }),
                HasSubstr("the graph is directed"))
        << name;
    const Dataset dataset =
        load_dataset(sample(name), {.use_cache = false, .directed = Directed::kSymmetrise});
    EXPECT_EQ(dataset.graphs[0].num_undirected_edges(), 1);
    EXPECT_THAT(dataset.notes, ElementsAre(HasSubstr("symmetrised"), HasSubstr("listed again")));
  }
}

TEST_F(GraphFormats, ReadsSeveralGraphsOfOneFile) {
  const std::string path =
      folder_
          .write("two.graphml",
                 "<graphml><graph id='A'><node id='1'/><node id='2'/><edge source='1' "
                 "target='2'/></graph><graph id='B'><node id='1'/></graph></graphml>")
          .string();
  const Dataset dataset = load_dataset(path, {.use_cache = false});
  EXPECT_EQ(dataset.task, Task::kGraph);
  EXPECT_THAT(dataset.sample_names, ElementsAre("A", "B"));
  EXPECT_THAT(dataset.node_offsets, ElementsAre(0, 2, 3));
}

TEST_F(GraphFormats, MakesColumnsOfLists) {
  const std::string path =
      folder_
          .write(
              "lists.json",
              R"({"nodes": [{"id": 1, "x": [1, 2]}, {"id": "b", "x": [3, 4], "y": {}}], "edges": []})")
          .string();
  const Dataset dataset = load_dataset(path, {.use_cache = false});
  const auto& columns = std::get<ColumnRows>(dataset.features).columns;
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[1].name, "x 1");
  EXPECT_THAT(columns[1].values, ElementsAre(2, 4));
  EXPECT_THAT(dataset.notes, ElementsAre(HasSubstr("ignored: attribute 'y'")));
}

TEST_F(GraphFormats, ErrorsNameTheLine) {
  EXPECT_EQ(
      error("a.graphml",
            "<graphml><graph>\n<node id='1'/>\n<edge source='1' target='2'/></graph></graphml>"),
      "a.graphml:3: column 'target': no node '2' in the file");
  EXPECT_THAT(error("b.graphml", "<graphml>\n<graph>"), HasSubstr("b.graphml:2: is not XML"));
  EXPECT_THAT(error("c.graphml", "<svg/>"), HasSubstr("has no element graphml"));
  EXPECT_EQ(error("d.graphml", "<graphml><graph>\n<node/></graph></graphml>"),
            "d.graphml:2: an element node without id");
  EXPECT_EQ(error("a.gml", "graph [\n node [ id 1 ]\n node [ id 1 ] ]"),
            "a.gml:3: two nodes have the id '1'");
  EXPECT_EQ(error("b.gml", "graph [ node [ id 1 ]"), "b.gml:1: the graph does not end");
  EXPECT_THAT(error("c.gml", "graph [ node [ id 1 label \"x ] ]"), HasSubstr("does not end"));
  EXPECT_THAT(error("a.json", "{\"nodes\": []}"), HasSubstr("expected an object with 'nodes' and"));
  EXPECT_THAT(error("b.json", R"({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 3}]})"),
              HasSubstr("b.json: edge 1: column 'target': no node '3' in the file"));
  EXPECT_THAT(error("c.json", std::string(1000, '[')), HasSubstr("nested deeper than 64"));
}

TEST_F(GraphFormats, ReadsEdgeListsOfNames) {
  const std::string path =
      folder_.write("people.txt", "source target\nalice bob\nbob 17\n17 alice\n").string();
  const Dataset dataset = load_dataset(path, {.use_cache = false});
  EXPECT_THAT(dataset.sample_names, ElementsAre("alice", "bob", "17"));
  EXPECT_EQ(dataset.graphs[0].num_undirected_edges(), 3);
}

TEST_F(GraphFormats, RefusesATableOfEmptyCells) {
  std::string nodes;
  for (int i = 0; i < 6000; ++i)
    nodes += (i > 0 ? ",{\"id\":" : "{\"id\":") + std::to_string(i) + ",\"a" + std::to_string(i) +
             "\":1}";
  EXPECT_THAT(error("sparse.json", "{\"nodes\":[" + nodes + "],\"links\":[]}"),
              HasSubstr("attributes, of which most nodes have none"));
}

TEST_F(GraphFormats, DefaultsOfKeysDoNotMakeALongTableOfAShortFile) {
  std::string nodes;
  for (int i = 0; i < 400; ++i) nodes += "<node id='" + std::to_string(i) + "'/>\n";
  const auto file = [&](std::size_t length) {
    return "<graphml><key id='k' for='node' attr.name='k'><default>" + std::string(length, 'x') +
           "</default></key><graph>\n" + nodes + "</graph></graphml>";
  };
  EXPECT_THAT(
      error("long.graphml", file(1 << 20)),
      HasSubstr("with defaults of keys filled in, the file is more than 50 times as large"));
  const std::string path = folder_.write("short.graphml", file(10)).string();
  const Dataset dataset = load_dataset(path, {.use_cache = false});
  EXPECT_EQ(std::get<ColumnRows>(dataset.features).columns.front().values.size(), 400U);
}

TEST_F(GraphFormats, AmpersandsWithoutAnEndAreReadInOnePass) {
  const std::string ampersands(4 << 20, '&');  // looking for the end of each would take hours
  const std::string path =
      folder_.write("amp.gml", "graph [ node [ id 1 label \"" + ampersands + "&amp;&#233;\" ] ]")
          .string();
  EXPECT_EQ(load_dataset(path, {.use_cache = false}).sample_names.front(), ampersands + "&\u00e9");
}

}  // namespace
}  // namespace hgnet
