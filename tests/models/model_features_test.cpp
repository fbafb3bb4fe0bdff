// Sparse rows of features.

#include <gtest/gtest.h>

#include "models/model_inputs.hpp"
#include "support/gradients.hpp"
#include "support/model_configs.hpp"

namespace hgnet {
namespace {

using test::all_models;
using test::expect_close;
using test::input_of;
using test::kNodes;
using test::random_tensor;
using test::small;
using test::three_graphs;
using test::to_sparse;
using torch::Tensor;

/// Half of the entries are zero.
Tensor half_zero(std::int64_t rows, std::int64_t width) {
  return random_tensor({rows, width}, 1).relu().to(torch::kFloat32);
}

void expect_sparse_equals_dense(const ModelConfig& config) {
  const Tensor x = half_zero(kNodes, config.inputs);
  Model dense(config, 1);
  Model sparse(config, 1);
  const Tensor y = dense.forward(input_of(dense, three_graphs(), x));
  const Tensor z = sparse.forward(input_of(sparse, three_graphs(), to_sparse(x)));
  expect_close(z, y, 1e-5);
  const Tensor probe = random_tensor(y.sizes(), 2).to(torch::kFloat32);
  (y * probe).sum().backward();
  (z * probe).sum().backward();
  for (const auto& parameter : dense.named_parameters()) {
    SCOPED_TRACE(parameter.key());
    const Tensor gradient = sparse.named_parameters()[parameter.key()].grad();
    ASSERT_EQ(gradient.defined(), parameter.value().grad().defined());
    if (gradient.defined()) expect_close(gradient, parameter.value().grad(), 1e-4);
  }
}

TEST(ModelFeatures, SparseRowsGiveTheSameAsDenseOnes) {
  for (const auto& [name, config] : all_models()) {
    SCOPED_TRACE(name);
    expect_sparse_equals_dense(config);
    ModelConfig wide = config;
    wide.inputs = 40;  // layers that gather the narrower of X and X W behave differently here
    expect_sparse_equals_dense(wide);
  }
}

TEST(ModelFeatures, SparseRowsHaveAResidualToo) {
  ModelConfig config = small("gcn");
  config.inputs = config.hidden;
  config.layers = 3;
  config.residual = true;
  expect_sparse_equals_dense(config);
}

TEST(ModelFeatures, DropoutLeavesTheZerosOfSparseRows) {
  ModelConfig config = small("gcn");
  config.input_dropout = 0.5;
  Model model(config, 1);
  const Tensor x = half_zero(kNodes, 5);
  const Input input = input_of(model, three_graphs(), to_sparse(x));
  const Tensor y = model.forward(input);
  EXPECT_FALSE(y.equal(model.forward(input)));
  Model same(config, 1);
  EXPECT_TRUE(y.equal(same.forward(input)));
  const Input zeros = input_of(model, three_graphs(), to_sparse(torch::zeros_like(x)));
  EXPECT_TRUE(model.forward(zeros).equal(torch::zeros({kNodes, 4})));  // biases start at 0
}

}  // namespace
}  // namespace hgnet
