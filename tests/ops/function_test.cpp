// What every op has in common as a node of libtorch's graph.

#include "ops/function.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(Function, NoticesInputsThatChangedInPlace) {
  const Tensor weight = random_tensor({2, 3}, 2).set_requires_grad(true);
  Tensor x = random_tensor({4, 3}, 1);
  const Tensor sum = small_linear(x, weight).sum();
  x.add_(1);
  EXPECT_THAT(test::error_of<c10::Error>([&] { sum.backward(); }), HasSubstr("inplace operation"));
}

}  // namespace
}  // namespace hgnet
