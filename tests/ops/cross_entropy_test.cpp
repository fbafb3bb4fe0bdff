#include "hgnet/ops/cross_entropy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/nn/functional/loss.h>

#include <cmath>
#include <limits>

#include "support/errors.hpp"
#include "support/gradients.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using test::random_tensor;
using ::testing::HasSubstr;
using torch::Tensor;

Tensor stock(const Tensor& x, const std::vector<std::int32_t>& classes, const Tensor& weights) {
  const auto options =
      torch::nn::functional::CrossEntropyFuncOptions().ignore_index(-1).weight(weights);
  return torch::nn::functional::cross_entropy(
      x, torch::tensor(classes, torch::kInt32).to(torch::kLong), options);
}

TEST(CrossEntropy, EqualsTheStockOne) {
  for (const std::int64_t width : {1, 2, 7, 40}) {
    SCOPED_TRACE(width);
    std::vector<std::int32_t> classes;
    for (int i = 0; i < 30; ++i) classes.push_back((i * 7) % (static_cast<int>(width) + 1) - 1);
    const Tensor weights = random_tensor({width}, 3).abs() + 0.1;
    for (const bool weighted : {false, true}) {
      const auto of = [&](auto function) {
        return [=](const Inputs& in) {
          return function(in[0], classes, weighted ? weights.to(in[0].scalar_type()) : Tensor());
        };
      };
      test::expect_equal_functions(of(cross_entropy), of(stock),
                                   {5 * random_tensor({30, width}, 1)});
    }
  }
}

TEST(CrossEntropy, GradientsMatchDifferences) {
  const auto loss = [](const Inputs& in) { return cross_entropy(in[0], {0, -1, 2, 2}); };
  test::expect_gradients_match_differences(loss, {random_tensor({4, 3}, 1)});
}

TEST(CrossEntropy, OfNoClassIsZeroAndOfNoNumberNone) {
  const Tensor x = torch::ones({2, 3}).set_requires_grad(true);
  const Tensor none = cross_entropy(x, {-1, -1});
  EXPECT_EQ(none.item<double>(), 0);
  none.backward();
  EXPECT_TRUE(x.grad().equal(torch::zeros({2, 3})));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(cross_entropy(torch::tensor({{0.0, infinity}}), {0}).item<double>()));
  EXPECT_TRUE(std::isnan(cross_entropy(torch::tensor({{0.0, std::nan("")}}), {0}).item<double>()));
}

TEST(CrossEntropy, RefusesWrongShapesAndClasses) {
  const Tensor x = torch::ones({2, 3});
  const auto refusal = [&](const std::vector<std::int32_t>& classes, const Tensor& weights) {
    return test::error_of<c10::Error>([&] { cross_entropy(x, classes, weights); });
  };
  EXPECT_THAT(refusal({0}, {}), HasSubstr("cross_entropy: x must have shape [1, channels]"));
  EXPECT_THAT(refusal({0, 3}, {}), HasSubstr("cross_entropy: class 3 of 3"));
  EXPECT_THAT(refusal({0, 1}, torch::ones({2})),
              HasSubstr("cross_entropy: weights must have shape [3] (got [2])"));
}

}  // namespace
}  // namespace hgnet
