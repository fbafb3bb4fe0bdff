// Masks of dropout: what norm_act drops, and the factors that are drawn without it.

#include <gtest/gtest.h>

#include <cmath>

#include "hgnet/ops/norm_act.hpp"
#include "support/gradients.hpp"

namespace hgnet {
namespace {

using test::random_tensor;
using torch::Tensor;

/// The factors of dropout: 0 or 1 / (1 - p).
Tensor mask(torch::IntArrayRef shape, Dropout dropout, torch::ScalarType type = torch::kFloat32) {
  return norm_act(torch::ones(shape, type), {}, nullptr, Activation::kNone, dropout);
}

double share_of_zeros(const Tensor& factors) {
  return factors.eq(0).to(torch::kFloat64).mean().item<double>();
}

double correlation(const Tensor& a, const Tensor& b) {
  const Tensor x = a.to(torch::kFloat64).reshape({-1});
  const Tensor y = b.to(torch::kFloat64).reshape({-1});
  return torch::corrcoef(torch::stack({x, y}))[0][1].item<double>();
}

/// Five standard deviations of the correlation of n independent pairs.
double chance(std::int64_t n) { return 5 / std::sqrt(static_cast<double>(n)); }

void expect_factors(const Tensor& factors, double p) {
  const double n = static_cast<double>(factors.numel());
  EXPECT_NEAR(share_of_zeros(factors), p, 5 * std::sqrt(p * (1 - p) / n));
  const Tensor kept = factors.masked_select(factors.ne(0)).to(torch::kFloat64);
  EXPECT_LE((kept - 1 / (1 - p)).abs().max().item<double>(), 1e-6 / (1 - p));
  EXPECT_NEAR(factors.to(torch::kFloat64).mean().item<double>(), 1, 5 * std::sqrt(p / (1 - p) / n));
}

TEST(NormActDropout, DropsItsShareAndKeepsTheMean) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (const double p : {0.1, 0.5, 0.9}) {
      for (const std::int64_t channels : {1, 3, 33, 130}) {
        SCOPED_TRACE(testing::Message() << "p " << p << ", width " << channels);
        expect_factors(mask({200'000 / channels, channels}, {p, 17}, type), p);
      }
    }
  }
}

TEST(NormActDropout, GradientIsTheMaskOverOneLessP) {
  for (const std::int64_t channels : {1, 7, 130}) {
    const Tensor z = torch::ones({50, channels}).set_requires_grad(true);
    const Tensor y = norm_act(z, {}, nullptr, Activation::kNone, {0.3, 5});
    y.sum().backward();
    EXPECT_TRUE(z.grad().equal(y.detach()));
    EXPECT_GT(share_of_zeros(z.grad()), 0);
  }
}

TEST(NormActDropout, SeedsDecide) {
  const double p = 0.3;
  const Tensor first = mask({500, 64}, {p, 1});
  EXPECT_TRUE(first.equal(mask({500, 64}, {p, 1})));
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{2}, std::uint64_t{257},
                                   std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    const Tensor other = mask({500, 64}, {p, seed});
    EXPECT_LT(std::abs(correlation(first, other)), chance(first.numel())) << "seed " << seed;
  }
}

TEST(NormActDropout, ZeroDropsNothing) {
  const Tensor z = random_tensor({30, 7}, 1);
  EXPECT_TRUE(norm_act(z, {}, nullptr, Activation::kNone, {0.0, 9}).equal(z));
}

TEST(NormActDropout, RowsAndColumnsAreIndependent) {
  const std::int64_t rows = 2000;
  const std::int64_t columns = 256;
  const Tensor factors = mask({rows, columns}, {0.5, 3});
  for (const std::int64_t row_step : {0, 1, 2, 3, 8, 100}) {
    for (const std::int64_t column_step : {0, 1, 2, 4, 8, 16, 100}) {
      if (row_step == 0 && column_step == 0) continue;
      const Tensor a = factors.slice(0, row_step).slice(1, column_step);
      const Tensor b = factors.slice(0, 0, rows - row_step).slice(1, 0, columns - column_step);
      EXPECT_LT(std::abs(correlation(a, b)), chance(a.numel()))
          << row_step << " rows, " << column_step << " columns apart";
    }
  }
  // Sums of independent entries: a row or column that is kept or dropped as a whole would stand
  // out.
  const Tensor kept = factors.ne(0).to(torch::kFloat64);
  EXPECT_NEAR(kept.sum(1).var().item<double>(), columns * 0.25, columns * 0.25 * 0.2);
  EXPECT_NEAR(kept.sum(0).var().item<double>(), rows * 0.25, rows * 0.25 * 0.5);
}

TEST(DropoutFactors, AreZeroOrScaled) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (const double p : {0.1, 0.6}) {
      const Tensor factors = dropout_factors({3, 100, 217}, {p, 4}, type);
      EXPECT_EQ(factors.sizes(), (std::vector<std::int64_t>{3, 100, 217}));
      EXPECT_EQ(factors.scalar_type(), type);
      expect_factors(factors, p);
    }
  }
  EXPECT_TRUE(dropout_factors({1000}, {0.0, 4}, torch::kFloat32).equal(torch::ones({1000})));
}

TEST(DropoutFactors, WorkAtEveryLength) {
  for (const std::int64_t n : {0, 1, 255, 256, 257, 1000}) {
    const Tensor factors = dropout_factors({n}, {0.5, 4}, torch::kFloat32);
    ASSERT_EQ(factors.numel(), n);
    EXPECT_TRUE((factors.eq(0) | factors.eq(2)).all().item<bool>());
  }
}

TEST(DropoutFactors, SeedsDecideAndNoStretchRepeats) {
  const Dropout dropout{0.5, 4};
  const Tensor factors = dropout_factors({100'000}, dropout, torch::kFloat32);
  EXPECT_TRUE(factors.equal(dropout_factors({100'000}, dropout, torch::kFloat32)));
  EXPECT_LT(std::abs(correlation(factors, dropout_factors({100'000}, {0.5, 5}, torch::kFloat32))),
            chance(factors.numel()));
  for (const std::int64_t step : {1, 2, 16, 255, 256, 257, 512}) {
    const Tensor a = factors.slice(0, step);
    EXPECT_LT(std::abs(correlation(a, factors.slice(0, 0, factors.numel() - step))),
              chance(a.numel()))
        << step << " apart";
  }
}

}  // namespace
}  // namespace hgnet
