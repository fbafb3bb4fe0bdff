#include "hgnet/graph/wl.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "hgnet/graph/generators.hpp"
#include "support/graphs.hpp"
#include "support/naive_wl.hpp"

namespace hgnet {
namespace {

std::vector<Colour> after(const Graph& graph, const std::vector<int>& labels, int rounds) {
  const std::vector<float> rows(labels.begin(), labels.end());
  std::vector<Colour> colours = colours_of_rows(rows, 1);
  for (int round = 0; round < rounds; ++round) colours = refined(graph, colours);
  return colours;
}

/// Whether two nodes of any graphs are equal in one way exactly when they are in the other.
void expect_same_partition(const std::vector<Colour>& hashed, const std::vector<int>& naive) {
  std::map<Colour, int> number;
  std::map<int, Colour> colour;
  ASSERT_EQ(hashed.size(), naive.size());
  for (std::size_t v = 0; v < hashed.size(); ++v) {
    EXPECT_EQ(number.try_emplace(hashed[v], naive[v]).first->second, naive[v]);
    EXPECT_EQ(colour.try_emplace(naive[v], hashed[v]).first->second, hashed[v]);
  }
}

TEST(Wl, AgreesWithTheDefinitionAcrossGraphs) {
  for (int rounds = 0; rounds <= 4; ++rounds) {
    test::NaiveWl naive;
    std::vector<Colour> all_hashed;
    std::vector<int> all_naive;
    Generator generator(3);
    for (const auto& [name, graph] : test::small_graphs()) {
      std::vector<int> labels;
      for (NodeId v = 0; v < graph.num_nodes(); ++v)
        labels.push_back(static_cast<int>(generator.below(3)));
      const auto hashed = after(graph, labels, rounds);
      const auto plain = naive.colours(graph, labels, rounds);
      all_hashed.insert(all_hashed.end(), hashed.begin(), hashed.end());
      all_naive.insert(all_naive.end(), plain.begin(), plain.end());
    }
    expect_same_partition(all_hashed, all_naive);
  }
}

// Every node of both has two neighbours that have two neighbours, and so on.
TEST(Wl, CannotTellASixRingFromTwoTriangles) {
  const Graph ring =
      Graph::from_edges(6, test::edges({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}));
  const Graph triangles =
      Graph::from_edges(6, test::edges({{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}));
  const std::vector<int> alike(6, 1);
  EXPECT_EQ(after(ring, alike, 10), after(triangles, alike, 10));
  EXPECT_NE(after(ring, alike, 1), after(path_graph(6), alike, 1));
}

TEST(Wl, EqualRowsHaveEqualColoursDenseOrSparse) {
  const std::vector<float> dense{0, 2, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0};
  const std::vector<Colour> colours = colours_of_rows(dense, 3);
  EXPECT_EQ(colours[0], colours[2]);
  EXPECT_NE(colours[0], colours[1]);
  EXPECT_NE(colours[0], colours[3]);
  EXPECT_EQ(colours, colours_of_rows(SparseMatrix::from_dense(dense, 4, 3)));
}

TEST(Wl, SeesTheRowsOfEdges) {
  EdgeList edges = test::edges({{0, 1}, {2, 3}});
  edges.rows = {1, 2};
  edges.row_width = 1;
  const Graph graph = Graph::from_edges(4, edges);
  const std::vector<Colour> colours = after(graph, {1, 1, 1, 1}, 1);
  EXPECT_EQ(colours[0], colours[1]);
  EXPECT_NE(colours[0], colours[2]);
}

TEST(ColourRows, CountEveryColourOnce) {
  ColourRows rows;
  Generator generator(1);
  std::vector<std::map<Colour, int>> expected;
  for (int row = 0; row < 5; ++row) {
    std::vector<Colour> colours;
    for (int i = 0; i < 40 * row; ++i) colours.push_back(generator.below(20 * row + 1));
    std::map<Colour, int>& counts = expected.emplace_back();
    for (const Colour colour : colours) ++counts[colour];
    rows.count(0, colours);
    rows.end_row();
  }
  ColourRows twice = rows;
  twice.append(rows);
  const SparseMatrix matrix = twice.matrix();
  ASSERT_EQ(matrix.num_rows(), 10);
  for (std::int64_t row = 0; row < 10; ++row) {
    std::multiset<float> got, wanted;
    for (EdgeId s = matrix.csr().offsets[row]; s < matrix.csr().offsets[row + 1]; ++s)
      got.insert(matrix.values()[s]);
    for (const auto& [colour, count] : expected[row % 5]) wanted.insert(static_cast<float>(count));
    EXPECT_EQ(got, wanted) << row;
  }
}

}  // namespace
}  // namespace hgnet
