#include "hgnet/nn/features.hpp"

#include <gtest/gtest.h>

#include "hgnet/nn/linear.hpp"
#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using torch::Tensor;

TEST(Features, KnowTheirShape) {
  const Features dense(torch::zeros({4, 3}));
  EXPECT_EQ(dense.num_rows(), 4);
  EXPECT_EQ(dense.width(), 3);
  EXPECT_FALSE(dense.is_sparse());
  const Features sparse(test::random_sparse(6, 5));
  EXPECT_EQ(sparse.num_rows(), 6);
  EXPECT_EQ(sparse.width(), 5);
  EXPECT_TRUE(sparse.is_sparse());
  EXPECT_THROW(static_cast<void>(sparse.dense()), c10::Error);
  EXPECT_THROW(dense.times(torch::zeros({2, 4})), c10::Error);
  EXPECT_THROW(sparse.times(torch::zeros({2, 4})), c10::Error);
}

TEST(Linear, IsAProductAndABias) {
  Generator generator(1);
  for (const auto& [in, out] : {std::pair{3, 5}, std::pair{6, 2}, std::pair{5, 300}}) {
    Linear linear(in, out, generator);
    test::randomise(*linear);
    const auto naive = [&](const Tensor& x) { return x.mm(linear->weight.t()) + linear->bias; };
    test::expect_naive(
        *linear, [&](const Inputs& x) { return linear->forward(x[0]); },
        [&](const Inputs& x) { return naive(x[0]); }, {test::random_rows({4, in}, 1)});
    const SparseMatrix sparse = test::random_sparse(6, in);
    test::expect_naive(
        *linear, [&](const Inputs&) { return linear->forward(sparse); },
        [&](const Inputs&) { return naive(test::to_dense(sparse)); }, {});
  }
}

/// Through a product with the unit matrix.
Tensor rows_of(const Features& x) { return x.times(torch::eye(x.width())); }

void expect_dropped(const Features& x, const Tensor& whole) {
  constexpr double kDropout = 0.4;
  const Tensor y = rows_of(x.dropped({kDropout, 7}));
  const Tensor kept = y != 0;
  EXPECT_TRUE(y.allclose(kept * whole / (1 - kDropout), 1e-6, 1e-6));
  const double entries = (whole != 0).sum().item<double>();
  EXPECT_NEAR(kept.sum().item<double>() / entries, 1 - kDropout, 0.03);
  EXPECT_TRUE(rows_of(x.dropped({kDropout, 7})).equal(y));
  EXPECT_FALSE(rows_of(x.dropped({kDropout, 8})).equal(y));
  EXPECT_TRUE(rows_of(x.dropped({})).equal(rows_of(x)));
}

TEST(Features, DropoutTakesEntriesAndScalesTheRest) {
  const SparseMatrix sparse = test::random_sparse(1000, 20);
  const Tensor whole = test::to_dense(sparse).to(torch::kFloat32);
  expect_dropped(sparse, whole);
  expect_dropped(whole, whole);
}

}  // namespace
}  // namespace hgnet
