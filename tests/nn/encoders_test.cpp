// The encoders of atoms and bonds, and of features of edges.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "hgnet/nn/layers/edge_rows.hpp"
#include "nn/checks.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using test::Inputs;
using testing::HasSubstr;
using torch::Tensor;

using Categories = std::vector<std::int64_t>;

TEST(NodeEncoder, AddsOneRowPerColumnOfAtoms) {
  const std::vector<Categories> atoms{{0, 0, 0, 0, 0, 0, 0, 0, 0},
                                      {118, 4, 11, 11, 9, 5, 5, 1, 1},
                                      {5, 1, 2, 3, 4, 0, 2, 1, 0},
                                      {6, 0, 4, 5, 3, 0, 2, 0, 1}};
  // The sizes from SPEC, one after the other.
  const Categories first{0, 119, 124, 136, 148, 158, 164, 170, 172};
  std::vector<EdgeId> offsets{0};
  std::vector<NodeId> columns;
  for (const Categories& atom : atoms) {
    for (std::size_t c = 0; c < atom.size(); ++c)
      columns.push_back(static_cast<NodeId>(first[c] + atom[c]));
    offsets.push_back(static_cast<EdgeId>(columns.size()));
  }
  const SparseMatrix x(174, offsets, columns, std::vector<float>(columns.size(), 1.0F));

  Generator generator(1);
  NodeEncoder encoder(kAtomColumns, 7, generator);
  ASSERT_EQ(encoder->embedding.size(0), 174);
  test::randomise(*encoder);
  test::expect_naive(
      *encoder, [&](const Inputs&) { return encoder->forward(x); },
      [&](const Inputs&) {
        std::vector<Tensor> rows;
        for (const Categories& atom : atoms) {
          Tensor sum = torch::zeros({7}, torch::kFloat64);
          for (std::size_t c = 0; c < atom.size(); ++c)
            sum = sum + encoder->embedding[first[c] + atom[c]];
          rows.push_back(sum);
        }
        return torch::stack(rows);
      },
      {});
}

/// A path with one edge for each of the 60 combinations of 5, 6 and 2 categories.
Graph every_bond() {
  EdgeList list;
  list.row_width = 3;
  for (int kind = 0; kind < 60; ++kind) {
    list.source.push_back(kind);
    list.target.push_back(kind + 1);
    for (const int category : {kind / 12, kind / 2 % 6, kind % 2})
      list.rows.push_back(static_cast<float>(category));
  }
  return Graph::from_edges(61, list);
}

/// By slot.
Tensor expanded(const EdgeRows& edges) {
  if (!edges.row_of_slot) return edges.rows;
  const auto parents = edges.row_of_slot->parents();
  const std::vector<std::int64_t> index(parents.begin(), parents.end());
  return edges.rows.index_select(0, torch::tensor(index));
}

TEST(EdgeEncoder, AddsOneRowPerColumnForEveryCombination) {
  const Graph graph = every_bond();
  const EdgeRows inputs = edge_inputs(graph, 0);
  Generator generator(1);
  EdgeEncoder encoder(0, 7, generator);
  ASSERT_EQ(encoder->embedding.size(0), 13);
  test::randomise(*encoder);
  test::expect_naive(
      *encoder, [&](const Inputs&) { return expanded(encoder->forward(inputs)); },
      [&](const Inputs&) {
        std::vector<Tensor> rows;
        for (EdgeId s = 0; s < graph.num_edges(); ++s) {
          const float* row = graph.edge_rows().data() + 3 * s;
          rows.push_back(encoder->embedding[static_cast<std::int64_t>(row[0])] +
                         encoder->embedding[5 + static_cast<std::int64_t>(row[1])] +
                         encoder->embedding[11 + static_cast<std::int64_t>(row[2])]);
        }
        return torch::stack(rows);
      },
      {});
}

/// The row of a coarse edge by looking at every fine edge.
Tensor pooled_row(const Tensor& fine_rows, const Graph& fine, const ParentMap& parent, NodeId from,
                  NodeId to, EdgePooling pooling) {
  Tensor sum = torch::zeros({fine_rows.size(1)}, fine_rows.options());
  double count = 0;
  for (NodeId v = 0; v < fine.num_nodes(); ++v) {
    for (EdgeId s = fine.offsets()[v]; s < fine.offsets()[v + 1]; ++s) {
      if (parent.parent(v) != to || parent.parent(fine.columns()[s]) != from) continue;
      sum = sum + fine_rows[s];
      ++count;
    }
  }
  return pooling == EdgePooling::kSum ? sum : sum / count;
}

/// The path of all kinds of bonds with rows of numbers instead.
Graph numbered_path(std::int64_t width) {
  GraphParts parts = every_bond().parts();
  const auto count = static_cast<std::int64_t>(parts.columns.size());
  const Tensor rows = test::random_rows({count, width}, 4).to(torch::kFloat32);
  parts.edge_rows.assign(rows.data_ptr<float>(), rows.data_ptr<float>() + rows.numel());
  parts.edge_row_width = width;
  return Graph::adopt(std::move(parts));
}

TEST(EdgeEncoder, IsALinearOfFeatures) {
  for (const std::int64_t width : {1, 3, 20}) {
    const Graph graph = numbered_path(width);
    Generator generator(1);
    EdgeEncoder encoder(width, 7, generator);
    test::randomise(*encoder);
    test::expect_naive(
        *encoder, [&](const Inputs&) { return encoder->forward(edge_inputs(graph, width)).rows; },
        [&](const Inputs&) {
          std::vector<Tensor> rows;
          for (EdgeId s = 0; s < graph.num_edges(); ++s) {
            Tensor sum = encoder->bias;
            for (std::int64_t c = 0; c < width; ++c)
              sum = sum + encoder->embedding[c] * graph.edge_rows()[s * width + c];
            rows.push_back(sum);
          }
          return torch::stack(rows);
        },
        {});
  }
}

TEST(EdgeInputs, OutliveTheirGraph) {
  Tensor rows;
  {
    const Graph graph = numbered_path(2);
    rows = edge_inputs(graph, 2).rows;
  }
  EXPECT_TRUE(rows.equal(edge_inputs(numbered_path(2), 2).rows));
}

TEST(EdgeInputs, RefuseRowsOfAnotherWidth) {
  EXPECT_THAT(error_of<InvalidGraph>([] { edge_inputs(numbered_path(2), 4); }),
              HasSubstr("edges: edge rows have width 2; expected 4"));
  EXPECT_EQ(edge_inputs(Graph::from_edges(3, {}), 4).rows.size(0), 0) << "no edges, any width";
}

/// Two levels of pairs above the path, closed to rings so that several edges fall together.
void expect_levels(const Graph& graph, std::int64_t inputs) {
  std::vector<NodeId> thirds;
  std::vector<NodeId> few;
  for (NodeId v = 0; v < 61; ++v) thirds.push_back(v % 6);
  for (NodeId v = 0; v < 6; ++v) few.push_back(v / 2);
  const ParentMap first(thirds, 6);
  const ParentMap second(few, 3);
  const Level one{first, coarse_graph(graph, first)};
  const Level two{second, coarse_graph(one.graph, second)};
  for (const EdgePooling pooling : {EdgePooling::kMean, EdgePooling::kSum}) {
    Generator generator(1);
    EdgeLevels levels(inputs, 4, 2, pooling, generator);
    test::randomise(*levels);
    test::expect_naive(
        *levels,
        [&](const Inputs&) {
          const EdgeRows input = levels->of_input(graph);
          return levels->of_level(2, levels->of_level(1, input, graph, one), one.graph, two).rows;
        },
        [&](const Inputs&) {
          Tensor rows = expanded(levels->encoder->forward(edge_inputs(graph, inputs)));
          const Graph* fine = &graph;
          for (const Level* level : {&one, &two}) {
            std::vector<Tensor> pooled;
            for (NodeId to = 0; to < level->graph.num_nodes(); ++to) {
              for (const NodeId from : level->graph.neighbours(to))
                pooled.push_back(pooled_row(rows, *fine, level->parent, from, to, pooling));
            }
            const LinearImpl& linear = *levels->linears[level == &one ? 0 : 1];
            rows = torch::stack(pooled).mm(linear.weight.t()) + linear.bias;
            fine = &level->graph;
          }
          return rows;
        },
        {});
  }
}

TEST(EdgeLevels, AreLinearsOfThePooledEncodedRows) {
  expect_levels(every_bond(), 0);
  expect_levels(numbered_path(3), 3);
}

std::string error_of_bond(const std::vector<float>& row) {
  const EdgeList list{{0}, {1}, {}, row, std::ssize(row)};
  const Graph graph = Graph::from_edges(2, list);
  return error_of<InvalidGraph>([&] { edge_inputs(graph, 0); });
}

TEST(BondKinds, RefuseRowsThatAreNotCategories) {
  EXPECT_THAT(error_of_bond({5, 0, 0}), HasSubstr("column 0 is 5; expected a category 0 .. 4"));
  EXPECT_THAT(error_of_bond({0, 6, 0}), HasSubstr("column 1 is 6; expected a category 0 .. 5"));
  EXPECT_THAT(error_of_bond({0, 0, 2}), HasSubstr("column 2 is 2; expected a category 0 .. 1"));
  EXPECT_THAT(error_of_bond({-1, 0, 0}), HasSubstr("column 0 is -1"));
  EXPECT_THAT(error_of_bond({1.5, 0, 0}), HasSubstr("column 0 is 1.5"));
  EXPECT_THAT(error_of_bond({1, 0}), HasSubstr("edge rows have width 2; expected 3"));
}

}  // namespace
}  // namespace hgnet
