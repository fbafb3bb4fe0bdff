#include "hgnet/data/graph_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "hgnet/core/error.hpp"
#include "hgnet/graph/algorithms.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GraphFile : public testing::Test {
 protected:
  Graph read(const std::string& name, const std::string& text) const {
    return read_graph(folder_.write(name, text));
  }

  std::string error(const std::string& name, const std::string& text) const {
    return folder_.without_folder(test::error_of<InvalidFile>([&] { read(name, text); }));
  }

  test::TemporaryFolder folder_;
};

TEST_F(GraphFile, ReadsEdgeListsOfSeveralTastes) {
  const Graph plain = read("a.txt", "# a comment\n0 1\n\n1\t2\n% another\n2,0\n4, 4\n");
  EXPECT_EQ(plain.num_nodes(), 5);
  EXPECT_EQ(plain.num_undirected_edges(), 3);
  EXPECT_FALSE(plain.has_weights());
  const Graph weighted = read("b.csv", "0,1,0.5\r\n1,2,2e0\r\n");
  EXPECT_THAT(weighted.weights(), ElementsAre(0.5F, 0.5F, 2.0F, 2.0F));
  EXPECT_EQ(read("c", "7 3").num_nodes(), 8);
}

TEST_F(GraphFile, ReadsTheEdgeListsOfNetworkx) {
  const Graph bare = read("a", "0 1 {}\n1 2 {}\n");
  EXPECT_EQ(bare.num_undirected_edges(), 2);
  EXPECT_FALSE(bare.has_weights());
  const Graph weighted =
      read("b", "0 1 {'weight': 4.5}\n1 2 {'kind': 'far, away', 'weight': 2, 'since': 1999}\n");
  EXPECT_THAT(weighted.weights(), ElementsAre(4.5F, 4.5F, 2.0F, 2.0F));
  EXPECT_EQ(error("c", "0 1 {'weight': 4}\n1 2 {}\n"),
            "c:2: 2 fields; expected two node ids and a weight, as on the first line");
  EXPECT_EQ(error("d", "0 1 {'weight': 'x'}\n"), "d:1: weight ''x''; expected a number");
}

TEST_F(GraphFile, ReadsTheFormOfTheRoadNetworks) {
  const Graph graph = read("r.edges", "4 3\n1 2\n2 3\n3 2\n");
  EXPECT_EQ(graph.num_nodes(), 4);
  EXPECT_EQ(graph.num_undirected_edges(), 2);
}

TEST_F(GraphFile, ReadsMatrixMarket) {
  const Graph pattern = read(
      "p.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n% text\n3 3 2\n2 1\n3 2\n");
  EXPECT_THAT(pattern.neighbours(1), ElementsAre(0, 2));
  const Graph real =
      read("r.mtx", "%%MatrixMarket Matrix Coordinate Real General\n2 2 2\n1 2 -1.5\n2 1 -1.5\n");
  EXPECT_THAT(real.weights(), ElementsAre(-1.5F, -1.5F));
}

TEST_F(GraphFile, ErrorsNameFileLineAndField) {
  EXPECT_EQ(error("a.txt", "0 1\n1 x\n"),
            "a.txt:2: node 'x'; expected an integer from 0 to 2147483645");
  EXPECT_EQ(error("a.txt", "0 -1\n"),
            "a.txt:1: node '-1'; expected an integer from 0 to 2147483645");
  EXPECT_EQ(error("a.txt", "0 1\n1 2 3\n"), "a.txt:2: 3 fields; expected two node ids");
  EXPECT_EQ(error("a.txt", "0 1 1\n1 2\n"),
            "a.txt:2: 2 fields; expected two node ids and a weight, as on the first line");
  EXPECT_EQ(error("a.txt", "0 1 nan\n"), "a.txt:1: weight 'nan'; expected a number");
  EXPECT_EQ(error("a.txt", "0\n"), "a.txt:1: 1 fields; expected two node ids");
  EXPECT_EQ(error("a.txt", ""), "a.txt: has no edges; expected lines of two node ids");
  EXPECT_THAT(error("a.txt", "0 2000000000\n"), HasSubstr("without large gaps"));
  EXPECT_EQ(error("r.edges", ""), "r.edges: is empty; expected a first line 'nodes edges'");
  EXPECT_EQ(error("r.edges", "3 2\n1 4\n"), "r.edges:2: node '4'; expected an integer from 1 to 3");
  EXPECT_EQ(error("r.edges", "3 2\n1 2\n"),
            "r.edges:2: the file ends after 1 edges; its first line announces 2");
  EXPECT_EQ(error("m.mtx", "hello\n"), "m.mtx:1: expected '%%MatrixMarket matrix coordinate ...'");
  EXPECT_THAT(error("m.mtx", "%%MatrixMarket matrix coordinate complex general\n"),
              HasSubstr("pattern, real"));
  EXPECT_THAT(error("m.mtx", "%%MatrixMarket matrix coordinate real hermitian\n"),
              HasSubstr("symmetry"));
  EXPECT_THAT(error("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 0\n"),
              HasSubstr("m.mtx:2: the matrix is not square"));
  EXPECT_THAT(error("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n"),
              HasSubstr("row, column and value"));
  EXPECT_THROW(read_graph(folder_.path() / "missing"), InvalidFile);
  EXPECT_THROW(read_graph(folder_.path()), InvalidFile);
}

TEST(RoadNetworks, HaveTheirKnownSizes) {
  const std::filesystem::path roads = std::filesystem::path(HGNET_DEFAULT_DATA_DIR) / "roads";
  if (!std::filesystem::exists(roads)) GTEST_SKIP() << "no road networks here";
  const Graph euroroad = read_graph(roads / "euroroad.edges");
  EXPECT_EQ(euroroad.num_nodes(), 1174);
  EXPECT_EQ(euroroad.num_undirected_edges(), 1417);
  EXPECT_GT(connected_components(euroroad).num_parents(), 1);
  const Graph minnesota = read_graph(roads / "minnesota.edges");
  EXPECT_EQ(minnesota.num_nodes(), 2642);
  EXPECT_EQ(minnesota.num_undirected_edges(), 3303);
}

}  // namespace
}  // namespace hgnet
