#include "hgnet/ops/norm_act.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <array>
#include <cmath>
#include <limits>

#include "support/errors.hpp"
#include "support/gradients.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using test::random_tensor;
using testing::HasSubstr;
using torch::Tensor;

constexpr double kMomentum = 0.3;
constexpr double kEps = 1e-3;

enum class Mode { kPlain, kTraining, kEvaluation };
constexpr std::array kModes{Mode::kPlain, Mode::kTraining, Mode::kEvaluation};
constexpr std::array kActivations{Activation::kNone, Activation::kRelu, Activation::kLeakyRelu,
                                  Activation::kElu};

/// A norm of z's columns with its own running statistics.
BatchNormTensors norm_for(const Tensor& z, const Tensor& weight, const Tensor& bias, Mode mode) {
  const auto type = z.scalar_type();
  return {.weight = weight,
          .bias = bias,
          .running_mean = random_tensor({z.size(1)}, 21).to(type),
          .running_var = random_tensor({z.size(1)}, 22).abs().add(0.5).to(type),
          .training = mode == Mode::kTraining,
          .momentum = kMomentum,
          .eps = kEps};
}

Tensor stock_activation(const Tensor& a, Activation activation) {
  switch (activation) {
    case Activation::kNone: return a;
    case Activation::kRelu: return torch::relu(a);
    case Activation::kLeakyRelu: return torch::leaky_relu(a, 0.01);
    case Activation::kElu: return torch::elu(a);
  }
  return {};
}

Tensor stock_norm(const Tensor& z, const BatchNormTensors& norm) {
  return torch::batch_norm(z, norm.weight, norm.bias, norm.running_mean, norm.running_var,
                           norm.training, norm.momentum, norm.eps, /*cudnn_enabled=*/false);
}

// Inputs of both: z, the layer's bias, and weight and bias of the norm.

test::Function ours(Mode mode, Activation activation, Dropout dropout = {}) {
  return [=](const Inputs& in) {
    if (mode == Mode::kPlain) return norm_act(in[0], in[1], nullptr, activation, dropout);
    const BatchNormTensors norm = norm_for(in[0], in[2], in[3], mode);
    return norm_act(in[0], in[1], &norm, activation, dropout);
  };
}

test::Function stock(Mode mode, Activation activation) {
  return [=](const Inputs& in) {
    const Tensor z = in[0] + in[1];
    if (mode == Mode::kPlain) return stock_activation(z, activation);
    return stock_activation(stock_norm(z, norm_for(z, in[2], in[3], mode)), activation);
  };
}

Inputs inputs_for(std::int64_t rows, std::int64_t channels) {
  return {random_tensor({rows, channels}, 1), random_tensor({channels}, 2),
          random_tensor({channels}, 3), random_tensor({channels}, 4)};
}

TEST(NormAct, EqualsStockCallsAtEveryWidth) {
  for (const Mode mode : kModes) {
    for (const Activation activation : kActivations) {
      for (const std::int64_t channels : {1, 3, 7, 16, 33, 130}) {
        SCOPED_TRACE(testing::Message() << "mode " << static_cast<int>(mode) << ", "
                                        << enum_name(activation) << ", width " << channels);
        test::expect_equal_functions(ours(mode, activation), stock(mode, activation),
                                     inputs_for(17, channels));
      }
    }
  }
}

TEST(NormAct, EqualsStockCallsWithMoreRowsThanOneSumTakes) {
  for (const Mode mode : kModes) {
    test::expect_equal_functions(ours(mode, Activation::kElu), stock(mode, Activation::kElu),
                                 inputs_for(1000, 5));
  }
}

TEST(NormAct, BiasMayBeLeftOut) {
  for (const Mode mode : kModes) {
    test::expect_equal_functions(
        [&](const Inputs& in) {
          const BatchNormTensors norm = norm_for(in[0], in[1], in[2], mode);
          return norm_act(in[0], {}, mode == Mode::kPlain ? nullptr : &norm, Activation::kElu);
        },
        [&](const Inputs& in) {
          return stock(mode, Activation::kElu)({in[0], torch::zeros_like(in[1]), in[1], in[2]});
        },
        {random_tensor({9, 5}, 1), random_tensor({5}, 2), random_tensor({5}, 3)});
  }
}

TEST(NormAct, AResidualIsAddedAfterDropout) {
  const Dropout dropout{0.4, 7};
  for (const Mode mode : kModes) {
    const auto with = [&](const Inputs& in) {
      const BatchNormTensors norm = norm_for(in[0], in[2], in[3], mode);
      return norm_act(in[0], in[1], mode == Mode::kPlain ? nullptr : &norm, Activation::kRelu,
                      dropout, in[4]);
    };
    const auto apart = [&](const Inputs& in) {
      return ours(mode, Activation::kRelu, dropout)(in) + in[4];
    };
    for (const std::int64_t channels : {1, 7, 32, 33}) {
      Inputs in = inputs_for(300, channels);
      in.push_back(random_tensor({300, channels}, 5));
      test::expect_equal_functions(with, apart, in);
    }
    Inputs in = inputs_for(6, 3);
    in.push_back(random_tensor({6, 3}, 5));
    test::expect_gradients_match_differences(with, in);
  }
  EXPECT_THAT(
      test::error_of<c10::Error>([] {
        norm_act(torch::ones({3, 2}), {}, nullptr, Activation::kRelu, {}, torch::ones({2, 2}));
      }),
      HasSubstr("norm_act: residual must have shape [3, 2] (got [2, 2])"));
}

TEST(NormAct, VarianceOfRowsFarFromZero) {
  // 1,000 rows around 1,000 with a spread of 0.1: in float32, plain squares would keep no digit of
  // it.
  const Tensor z = (random_tensor({1000, 5}, 1) * 0.1 + 1000).to(torch::kFloat32);
  const Tensor exact = z.to(torch::kFloat64).var(0, /*unbiased=*/true);
  const BatchNormTensors norm{
      torch::ones({5}), torch::zeros({5}), torch::zeros({5}), torch::zeros({5}), true, 1.0, 1e-5};
  norm_act(z, {}, &norm, Activation::kNone);
  EXPECT_TRUE(norm.running_var.to(torch::kFloat64).allclose(exact, 1e-5)) << norm.running_var;
}

TEST(NormAct, MovesRunningStatisticsAsStockDoes) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const Tensor z = random_tensor({300, 7}, 1).mul(3).add(5).to(type);
    const Tensor bias = random_tensor({7}, 2).to(type);
    const Tensor one = torch::ones({7}, type);
    const BatchNormTensors norm = norm_for(z, one, one, Mode::kTraining);
    const BatchNormTensors expected = norm_for(z, one, one, Mode::kTraining);
    for (int call = 0; call < 3; ++call) {
      norm_act(z + call, bias, &norm, Activation::kRelu);
      stock_norm(z + call + bias, expected);
    }
    EXPECT_TRUE(norm.running_mean.allclose(expected.running_mean, 1e-5));
    EXPECT_TRUE(norm.running_var.allclose(expected.running_var, 1e-5));
  }
}

TEST(NormAct, LeavesRunningStatisticsAloneOtherwise) {
  const Tensor z = random_tensor({9, 4}, 1);
  const Tensor one = torch::ones({4}, torch::kFloat64);
  const BatchNormTensors norm = norm_for(z, one, one, Mode::kEvaluation);
  const BatchNormTensors before = norm_for(z, one, one, Mode::kEvaluation);
  norm_act(z, {}, &norm, Activation::kRelu);
  EXPECT_TRUE(norm.running_mean.equal(before.running_mean));
  EXPECT_TRUE(norm.running_var.equal(before.running_var));
}

TEST(NormAct, NoRowsGiveNoRowsAndMoveNothing) {
  for (const Mode mode : kModes) {
    const test::Evaluation got = test::evaluate(ours(mode, Activation::kElu), inputs_for(0, 5));
    EXPECT_EQ(got.output.sizes(), (std::vector<std::int64_t>{0, 5}));
    EXPECT_EQ(got.gradients[0].sizes(), (std::vector<std::int64_t>{0, 5}));
    for (int i = 1; i < 4; ++i)
      EXPECT_TRUE(got.gradients[i].equal(torch::zeros({5}, torch::kFloat64)));
  }
  const Tensor z = torch::zeros({0, 5});
  const BatchNormTensors norm = norm_for(z, torch::ones({5}), torch::zeros({5}), Mode::kTraining);
  const BatchNormTensors before = norm_for(z, norm.weight, norm.bias, Mode::kTraining);
  norm_act(z, torch::ones({5}), &norm, Activation::kElu);
  EXPECT_TRUE(norm.running_mean.equal(before.running_mean));
  EXPECT_TRUE(norm.running_var.equal(before.running_var));
}

TEST(NormAct, OneRowIsItsOwnMean) {
  const Inputs in = inputs_for(1, 7);
  for (const Mode mode : {Mode::kPlain, Mode::kEvaluation})
    test::expect_equal_functions(ours(mode, Activation::kElu), stock(mode, Activation::kElu), in);
  const test::Evaluation got = test::evaluate(ours(Mode::kTraining, Activation::kElu), in);
  EXPECT_TRUE(got.output.allclose(torch::elu(in[3]).unsqueeze(0)));
  EXPECT_TRUE(got.gradients[0].allclose(torch::zeros_like(in[0]), 0, 1e-12));
  const BatchNormTensors norm = norm_for(in[0], in[2], in[3], Mode::kTraining);
  norm_act(in[0], in[1], &norm, Activation::kElu);
  EXPECT_TRUE(norm.running_var.isfinite().all().item<bool>());  // there is no unbiased estimate
}

TEST(NormAct, NoChannelsGiveAnEmptyResult) {
  const test::Evaluation got =
      test::evaluate(ours(Mode::kPlain, Activation::kRelu, {0.5, 1}), inputs_for(3, 0));
  EXPECT_EQ(got.output.sizes(), (std::vector<std::int64_t>{3, 0}));
}

TEST(NormAct, TakesTensorsThatAreNotContiguous) {
  const Inputs wide{random_tensor({7, 20}, 1), random_tensor({14}, 2), random_tensor({7, 2}, 3),
                    random_tensor({14}, 4)};
  const Tensor probe = random_tensor({7, 20}, 5);
  for (const Mode mode : kModes) {
    // The gradient of the result is transposed, too.
    const auto call = [&](const Inputs& in) {
      return ours(mode, Activation::kElu, {0.3, 5})(in).t() * probe.to(in[0].scalar_type());
    };
    test::expect_equal_functions(
        [&](const Inputs& in) {
          return call(
              {in[0].t(), in[1].slice(0, 0, 14, 2), in[2].select(1, 1), in[3].slice(0, 0, 14, 2)});
        },
        [&](const Inputs& in) {
          return call({in[0].t().contiguous(), in[1].slice(0, 0, 14, 2).contiguous(),
                       in[2].select(1, 1).contiguous(), in[3].slice(0, 0, 14, 2).contiguous()});
        },
        wide);
  }
}

TEST(NormAct, TakesAGradientThatIsOneNumberExpanded) {
  const Tensor z = random_tensor({4, 3}, 1).set_requires_grad(true);
  norm_act(z, {}, nullptr, Activation::kNone).sum().backward();
  EXPECT_TRUE(z.grad().equal(torch::ones_like(z)));
}

TEST(NormAct, GradientsMatchDifferences) {
  const Inputs in = inputs_for(6, 3);
  for (const Mode mode : kModes) {
    for (const Activation activation : kActivations) {
      SCOPED_TRACE(enum_name(activation));
      // No value is so close to a kink that a difference could cross it.
      ASSERT_GT(stock(mode, Activation::kNone)(in).abs().min().item<double>(), 1e-4);
      test::expect_gradients_match_differences(ours(mode, activation), in);
      test::expect_gradients_match_differences(ours(mode, activation, {0.4, 3}), in);
    }
  }
}

TEST(NormAct, SameBitsForAnyThreadCount) {
  for (const Mode mode : kModes) {
    for (const std::int64_t channels : {7, 32, 33}) {
      test::expect_same_bits_for_any_thread_count(ours(mode, Activation::kElu, {0.5, 7}),
                                                  inputs_for(20000, channels));
    }
  }
}

TEST(NormAct, RunningStatisticsHaveTheSameBitsForAnyThreadCount) {
  test::expect_same_bits_for_any_thread_count(
      [](const Inputs& in) {
        const BatchNormTensors norm = norm_for(in[0], in[1], in[1], Mode::kTraining);
        norm_act(in[0], {}, &norm, Activation::kNone);
        return torch::stack({norm.running_mean, norm.running_var});
      },
      {random_tensor({20000, 33}, 1), random_tensor({33}, 2)});
}

TEST(NormAct, WhatIsNotANumberStaysSo) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (const Activation activation : kActivations) {
      for (const double p : {0.0, 0.5}) {
        const Tensor z = torch::full({5, 7}, nan, type);
        EXPECT_TRUE(norm_act(z, {}, nullptr, activation, {p, 1}).isnan().all().item<bool>());
      }
    }
    // Only in its column.
    Tensor z = random_tensor({5, 7}, 1).to(type);
    z[2][3] = nan;
    const BatchNormTensors norm =
        norm_for(z, torch::ones({7}, type), torch::zeros({7}, type), Mode::kTraining);
    const Tensor is_nan = norm_act(z, {}, &norm, Activation::kRelu).isnan();
    EXPECT_TRUE(is_nan.select(1, 3).all().item<bool>());
    EXPECT_EQ(is_nan.sum().item<std::int64_t>(), 5);
  }
}

TEST(NormAct, ExtremesAreAsInStockCalls) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const Tensor z =
        torch::tensor({-infinity, -1e30, -1000.0, -1e-30, 0.0, 1000.0, 1e30, infinity}, type)
            .view({2, 4});
    for (const Activation activation : kActivations) {
      SCOPED_TRACE(enum_name(activation));
      const Tensor expected = stock_activation(z, activation);
      EXPECT_TRUE(norm_act(z, {}, nullptr, activation).allclose(expected)) << expected;
    }
    const Tensor far = torch::tensor({-1000.0, 1000.0}, type).view({1, 2}).set_requires_grad(true);
    norm_act(far, {}, nullptr, Activation::kElu).sum().backward();
    EXPECT_TRUE(far.grad().equal(torch::tensor({0.0, 1.0}, type).view({1, 2})));
  }
}

// Rows of zeros are common: nodes without features, and what ReLU and dropout leave.
TEST(NormAct, SlopesAtZeroAreThoseOfStockCalls) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (const Activation activation : kActivations) {
      SCOPED_TRACE(enum_name(activation));
      const Tensor z = torch::zeros({2, 3}, type).set_requires_grad(true);
      const Tensor same = torch::zeros({2, 3}, type).set_requires_grad(true);
      norm_act(z, {}, nullptr, activation).sum().backward();
      stock_activation(same, activation).sum().backward();
      EXPECT_TRUE(z.grad().equal(same.grad())) << z.grad() << same.grad();
    }
  }
}

TEST(NormActDropout, MultipliesTheResultByAMaskOfSeedAndPlaceAlone) {
  const Dropout dropout{0.4, 11};
  for (const Mode mode : kModes) {
    for (const Activation activation : kActivations) {
      for (const std::int64_t channels : {1, 7, 32, 33}) {
        const Tensor factors = norm_act(torch::ones({40, channels}, torch::kFloat64), {}, nullptr,
                                        Activation::kNone, dropout);
        test::expect_equal_functions(
            ours(mode, activation, dropout),
            [&](const Inputs& in) { return stock(mode, activation)(in) * factors; },
            inputs_for(40, channels));
      }
    }
  }
}

TEST(NormAct, RefusesWrongShapesTypesAndShares) {
  const Tensor z = torch::ones({3, 2});
  const auto refusal = [](const Tensor& rows, const Tensor& bias, const BatchNormTensors* norm,
                          Dropout dropout) {
    return test::error_of<c10::Error>(
        [&] { norm_act(rows, bias, norm, Activation::kRelu, dropout); });
  };
  EXPECT_THAT(refusal(torch::ones({3}), {}, nullptr, {}),
              HasSubstr("norm_act: z must have shape [rows, channels] (got [3])"));
  EXPECT_THAT(refusal(torch::ones({3, 2}, torch::kLong), {}, nullptr, {}),
              HasSubstr("norm_act: z must be float32 or float64"));
  EXPECT_THAT(refusal({}, {}, nullptr, {}), HasSubstr("norm_act: z is an undefined tensor"));
  EXPECT_THAT(refusal(z, torch::ones({3}), nullptr, {}),
              HasSubstr("norm_act: bias must have shape [2] (got [3])"));
  EXPECT_NE(refusal(z, torch::ones({2}, torch::kFloat64), nullptr, {}), "no error");
  const Tensor two = torch::ones({2});
  for (int wrong = 0; wrong < 4; ++wrong) {
    std::array<Tensor, 4> t{two, two, two, two};
    t[wrong] = torch::ones({3});
    const BatchNormTensors norm{t[0], t[1], t[2], t[3], true};
    EXPECT_THAT(refusal(z, {}, &norm, {}),
                HasSubstr("norm_act: norm must have shape [2] (got [3])"));
  }
  for (const double p : {1.0, -0.1, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT(refusal(z, {}, nullptr, {p, 1}), HasSubstr("norm_act: dropout must be in [0, 1)"));
    EXPECT_THAT(test::error_of<c10::Error>([&] {
                  dropout_factors({4}, {p, 1}, torch::kFloat32);
                }),
                HasSubstr("dropout_factors: dropout must be in [0, 1)"));
  }
}

TEST(NormAct, IsDifferentiableOnce) {
  const Tensor z = random_tensor({4, 3}, 1).set_requires_grad(true);
  const Tensor sum = norm_act(z, {}, nullptr, Activation::kElu).sum();
  EXPECT_THAT(test::error_of<c10::Error>([&] {
                torch::autograd::grad({sum}, {z}, {}, /*retain_graph=*/true, /*create_graph=*/true);
              }),
              HasSubstr("norm_act: can be differentiated only once"));
}

}  // namespace
}  // namespace hgnet
