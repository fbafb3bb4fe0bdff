// What every op has in common as a node of libtorch's graph.

#include "ops/function.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "hgnet/ops/linear.hpp"
#include "hgnet/ops/norm_act.hpp"
#include "support/errors.hpp"
#include "support/gradients.hpp"

namespace hgnet {
namespace {

using test::random_tensor;
using ::testing::HasSubstr;
using torch::Tensor;

TEST(Function, RecordsNothingWithoutNeed) {
  const Tensor x = random_tensor({4, 3}, 1);
  const Tensor weight = random_tensor({2, 3}, 2).set_requires_grad(true);
  EXPECT_FALSE(small_linear(x, weight.detach()).requires_grad());
  EXPECT_TRUE(small_linear(x, weight).requires_grad());
  const torch::NoGradGuard no_grad;
  EXPECT_FALSE(small_linear(x, weight).requires_grad());
}

TEST(Function, RunsInInferenceMode) {
  const Tensor weight = random_tensor({2, 3}, 2).set_requires_grad(true);
  Tensor x;
  {
    const c10::InferenceMode inference;
    x = random_tensor({4, 3}, 1);
    EXPECT_TRUE(norm_act(small_linear(x, weight), {}, nullptr, Activation::kElu).is_inference());
  }
  const torch::NoGradGuard no_grad;
  EXPECT_FALSE(small_linear(x, weight).requires_grad());
  const at::AutoGradMode on(true);
  const Tensor sum = small_linear(x, weight).sum();
  EXPECT_THAT(test::error_of<c10::Error>([&] { sum.backward(); }), HasSubstr("inference mode"));
}

TEST(Function, KeepsNoResultAlive) {
  const Tensor x = random_tensor({4, 3}, 1).set_requires_grad(true);
  const auto node = [&] {
    const Tensor y = norm_act(x, {}, nullptr, Activation::kElu);
    return detail::weak(y.grad_fn());
  }();
  EXPECT_TRUE(node.expired());
}

TEST(Function, RefusesASecondPassUnlessItIsAskedToKeepTheGraph) {
  const Tensor x = random_tensor({4, 3}, 1).set_requires_grad(true);
  const Tensor sum = norm_act(x, {}, nullptr, Activation::kElu).sum();
  sum.backward({}, /*retain_graph=*/true);
  const Tensor once = x.grad().clone();
  sum.backward();
  EXPECT_TRUE(x.grad().equal(once + once));
  EXPECT_THAT(test::error_of<c10::Error>([&] { sum.backward(); }), HasSubstr("norm_act: "));
}

TEST(Function, WritesOverAGradientThatNobodyElseHolds) {
  const auto is_written_over = [](const Tensor& grad) {
    return detail::over(grad).data_ptr() == grad.data_ptr();
  };
  EXPECT_TRUE(is_written_over(random_tensor({4, 16}, 1)));
  EXPECT_TRUE(is_written_over(random_tensor({4, 16}, 1).to(torch::kFloat32)));
  EXPECT_FALSE(is_written_over(random_tensor({4, 12}, 1)));  // its last vectors overlap
  EXPECT_FALSE(is_written_over(random_tensor({16, 4}, 1).t()));
  EXPECT_FALSE(is_written_over(random_tensor({1}, 1).expand({4, 16})));
  std::vector<double> numbers(64);
  EXPECT_FALSE(is_written_over(torch::from_blob(numbers.data(), {4, 16}, torch::kFloat64)));
  const Tensor held = random_tensor({4, 16}, 1);
  EXPECT_FALSE(is_written_over(held.view({8, 8})));
  const Tensor also = held;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_FALSE(is_written_over(held));
}

TEST(Function, LeavesGradientsAloneThatTheCallerHolds) {
  const Tensor x = random_tensor({4, 16}, 1).set_requires_grad(true);
  const Tensor weight = random_tensor({2, 16}, 2).set_requires_grad(true);
  const Tensor gradient = random_tensor({4, 16}, 3);
  const Tensor before = gradient.clone();
  norm_act(x, {}, nullptr, Activation::kElu).backward(gradient);
  EXPECT_TRUE(gradient.equal(before));
  const ProductAndRows both = small_linear_and_rows(x, weight);
  torch::autograd::backward({both.y, both.x}, {random_tensor({4, 2}, 4), gradient});
  EXPECT_TRUE(gradient.equal(before));
  Tensor seen;
  const Tensor y = norm_act(x, {}, nullptr, Activation::kElu);
  y.register_hook([&](const Tensor& grad) { seen = grad; });
  (2 * y).backward(gradient);
  EXPECT_TRUE(seen.equal(2 * before));
}

TEST(Function, NoticesInputsThatChangedInPlace) {
  const Tensor weight = random_tensor({2, 3}, 2).set_requires_grad(true);
  Tensor x = random_tensor({4, 3}, 1);
  const Tensor sum = small_linear(x, weight).sum();
  x.add_(1);
  EXPECT_THAT(test::error_of<c10::Error>([&] { sum.backward(); }), HasSubstr("inplace operation"));
}

}  // namespace
}  // namespace hgnet
