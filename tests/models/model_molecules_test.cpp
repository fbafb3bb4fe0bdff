// Models whose nodes are atoms and whose edges are bonds.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/nn/layers/edge_rows.hpp"
#include "models/model_inputs.hpp"
#include "support/errors.hpp"
#include "support/gradients.hpp"
#include "support/model_configs.hpp"

namespace hgnet {
namespace {

using test::expect_close;
using test::input_of;
using test::molecule_models;
using test::random_tensor;
using test::ring;
using test::to_sparse;
using testing::AllOf;
using testing::HasSubstr;
using torch::Tensor;

/// Each category is chosen independently, so that a difference shows.
SparseMatrix random_atoms(std::int64_t rows, std::uint64_t seed) {
  Generator generator(seed);
  std::vector<float> dense(rows * kAtomWidth, 0.0F);
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t first = r * kAtomWidth;
    for (const std::int64_t size : kAtomColumns) {
      dense[first + static_cast<std::int64_t>(generator.below(size))] = 1;
      first += size;
    }
  }
  return SparseMatrix::from_dense(dense, rows, kAtomWidth);
}

Graph molecule(NodeId num_atoms, NodeId chord, std::uint64_t seed) {
  Generator generator(seed);
  EdgeList list;
  list.row_width = 3;
  for (NodeId v = 0; v < num_atoms; ++v) {
    for (const NodeId step : {NodeId{1}, chord}) {
      list.source.push_back(v);
      list.target.push_back((v + step) % num_atoms);
      for (const std::int64_t size : kBondColumns)
        list.rows.push_back(static_cast<float>(generator.below(size)));
    }
  }
  return Graph::from_edges(num_atoms, list);
}

std::vector<Graph> three_molecules() {
  return {molecule(12, 5, 1), Graph::from_edges(1, {}), molecule(7, 2, 2)};
}

constexpr std::int64_t kAtoms = 20;

TEST(ModelMolecules, RunForwardAndBackward) {
  const std::vector<Graph> graphs = three_molecules();
  for (auto [name, config] : molecule_models()) {
    SCOPED_TRACE(name);
    config.dropout = 0.2;
    config.edge_dropout = 0.2;
    Model model(config, 1);
    const Input input = input_of(model, graphs, random_atoms(kAtoms, 3));
    const Tensor y = model.forward(input);
    ASSERT_EQ(y.sizes(), (std::vector<std::int64_t>{3, 4}));
    (y * random_tensor({3, 4}, 2).to(torch::kFloat32)).sum().backward();
    for (const auto& parameter : model.named_parameters()) {
      SCOPED_TRACE(parameter.key());
      const Tensor gradient = parameter.value().grad();
      ASSERT_TRUE(gradient.defined());
      EXPECT_TRUE(gradient.isfinite().all().item<bool>());
      const bool encoder = parameter.key().find("bonds") != std::string::npos ||
                           parameter.key().find("atoms") != std::string::npos;
      if (encoder) {
        EXPECT_GT(gradient.abs().max().item<double>(), 0);
      }
    }
  }
}

TEST(ModelMolecules, ABatchGivesTheRowsOfItsGraphs) {
  const std::vector<Graph> graphs = three_molecules();
  for (const auto& [name, config] : molecule_models()) {
    SCOPED_TRACE(name);
    Model model(config, 1);
    std::vector<Tensor> atoms;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      Tensor rows = torch::zeros({graphs[g].num_nodes(), kAtomWidth});
      std::int64_t first = 0;
      for (const std::int64_t size : kAtomColumns) {
        for (std::int64_t v = 0; v < rows.size(0); ++v)
          rows[v][first + (7 * v + static_cast<std::int64_t>(g)) % size] = 1;
        first += size;
      }
      atoms.push_back(rows);
    }
    const Input batch = input_of(model, graphs, to_sparse(torch::cat(atoms)));
    for (int step = 0; step < 3; ++step) model.forward(batch);
    model.eval();
    std::vector<Tensor> alone;
    for (std::size_t g = 0; g < graphs.size(); ++g)
      alone.push_back(model.forward(Input::of(model.prepare(graphs[g]), to_sparse(atoms[g]))));
    expect_close(model.forward(batch), torch::cat(alone), 1e-4);
  }
}

TEST(ModelMolecules, BondsMatter) {
  const std::vector<Graph> graphs = three_molecules();
  GraphParts parts = graphs[0].parts();
  std::fill(parts.edge_rows.begin(), parts.edge_rows.end(), 0.0F);
  const Graph bland = Graph::adopt(std::move(parts));
  for (const auto& [name, config] : molecule_models()) {
    SCOPED_TRACE(name);
    Model model(config, 1);
    model.eval();
    const SparseMatrix atoms = random_atoms(graphs[0].num_nodes(), 3);
    EXPECT_FALSE(model.forward(Input::of(model.prepare(graphs[0]), atoms))
                     .equal(model.forward(Input::of(model.prepare(bland), atoms))));
  }
}

TEST(ModelMolecules, RefuseEdgesThatAreNoBonds) {
  Model model(molecule_models().front().config, 1);
  const SparseMatrix atoms = random_atoms(12, 3);
  EXPECT_THAT(test::error_of<InvalidGraph>(
                  [&] { model.forward(Input::of(Hierarchy(ring(12, 5)), atoms)); }),
              HasSubstr("bonds: edge rows have width 0; expected 3"));
  for (const float wrong : {6.0F, -1.0F, 0.5F}) {
    GraphParts parts = molecule(12, 5, 1).parts();
    parts.edge_rows[3 * 4 + 1] = wrong;
    const Hierarchy hierarchy(Graph::adopt(std::move(parts)));
    EXPECT_THAT(
        test::error_of<InvalidGraph>([&] { model.forward(Input::of(hierarchy, atoms)); }),
        AllOf(HasSubstr("bond of slot 4: column 1 is"), HasSubstr("expected a category 0 .. 5")));
  }
}

}  // namespace
}  // namespace hgnet
