#include "hgnet/nn/tail.hpp"

#include <gtest/gtest.h>

#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using torch::Tensor;

constexpr std::int64_t kRows = 7;
constexpr std::int64_t kTailWidth = 5;

Tensor naive_activation(Activation activation, const Tensor& x) {
  switch (activation) {
    case Activation::kNone: return x;
    case Activation::kRelu: return torch::where(x > 0, x, 0 * x);
    case Activation::kLeakyRelu: return torch::where(x > 0, x, 0.01 * x);
    case Activation::kElu: return torch::where(x > 0, x, x.clamp_max(0).exp() - 1);
  }
  throw std::logic_error("unknown activation");
}

Tensor naive_tail(const TailImpl& tail, Activation activation, const Tensor& z, const Tensor& bias,
                  const Tensor& residual) {
  Tensor y = test::naive_norm(tail, bias.defined() ? z + bias : z);
  y = naive_activation(activation, y);
  return residual.defined() ? y + residual : y;
}

void expect_tail(const TailOptions& options, bool training, bool with_bias, bool with_residual) {
  SCOPED_TRACE(testing::Message() << "training " << training << ", bias " << with_bias
                                  << ", residual " << with_residual);
  Generator generator(1);
  Tail tail(kTailWidth, options);
  test::randomise(*tail);
  tail->train(training);
  Inputs inputs{test::random_rows({kRows, kTailWidth}, 1)};
  if (with_bias) inputs.push_back(test::random_rows({kTailWidth}, 2));
  if (with_residual) inputs.push_back(test::random_rows({kRows, kTailWidth}, 3));
  const auto bias = [&](const Inputs& in) { return with_bias ? in[1] : Tensor(); };
  const auto residual = [&](const Inputs& in) { return with_residual ? in.back() : Tensor(); };
  test::expect_naive(
      *tail,
      [&](const Inputs& in) { return tail->forward(in[0], bias(in), generator, residual(in)); },
      [&](const Inputs& in) {
        return naive_tail(*tail, options.activation, in[0], bias(in), residual(in));
      },
      inputs);
}

TEST(Tail, EqualsItsEquationWithEveryPart) {
  for (const auto& [activation, name] : EnumNames<Activation>::values) {
    for (const Norm norm : {Norm::kNone, Norm::kBatch}) {
      SCOPED_TRACE(std::string(name) + ", norm " + std::string(enum_name(norm)));
      for (int parts = 0; parts < 8; ++parts)
        expect_tail({norm, activation}, (parts & 1) != 0, (parts & 2) != 0, (parts & 4) != 0);
    }
  }
}

TEST(Tail, StatisticsRunAfterThoseOfTheRowsWhileTraining) {
  Generator generator(1);
  Tail tail(kTailWidth, TailOptions{Norm::kBatch});
  EXPECT_TRUE(tail->weight.equal(torch::ones({kTailWidth})));
  EXPECT_TRUE(tail->bias.equal(torch::zeros({kTailWidth})));
  Tensor mean = torch::zeros({kTailWidth}, torch::kFloat64);
  Tensor variance = torch::ones({kTailWidth}, torch::kFloat64);
  tail->to(torch::kFloat64);
  const Tensor bias = test::random_rows({kTailWidth}, 9);
  for (std::uint64_t call = 1; call <= 3; ++call) {
    const Tensor z = test::random_rows({kRows, kTailWidth}, call);
    tail->forward(z, bias, generator);
    const Tensor rows = z + bias;
    mean = 0.9 * mean + 0.1 * rows.mean(0);
    variance =
        0.9 * variance + 0.1 * (rows - rows.mean(0)).square().sum(0) / (kRows - 1);  // unbiased
    EXPECT_TRUE(tail->running_mean.allclose(mean, 1e-12));
    EXPECT_TRUE(tail->running_var.allclose(variance, 1e-12));
  }
  tail->eval();
  tail->forward(test::random_rows({kRows, kTailWidth}, 4), bias, generator);
  EXPECT_TRUE(tail->running_mean.allclose(mean, 1e-12));
  EXPECT_TRUE(tail->running_var.allclose(variance, 1e-12));
}

TEST(Tail, WithoutNormHasNoParameters) {
  EXPECT_TRUE(Tail(kTailWidth, TailOptions{})->parameters().empty());
  EXPECT_TRUE(Tail(kTailWidth, TailOptions{})->buffers().empty());
}

TEST(Tail, DropsEntriesWhileTrainingButNotTheResidual) {
  constexpr double kDropout = 0.3;
  Generator generator(1);
  Tail tail(kTailWidth, TailOptions{Norm::kNone, Activation::kNone, kDropout});
  const Tensor z = torch::rand({4000, kTailWidth}) + 1;
  const Tensor residual = torch::rand({4000, kTailWidth});
  const Tensor bias = torch::ones({kTailWidth});
  const Tensor y = tail->forward(z, bias, generator, residual) - residual;
  const Tensor kept = y.abs() > 0.5;
  EXPECT_TRUE(y.allclose(kept * (z + bias) / (1 - kDropout), 1e-5, 1e-5));
  EXPECT_NEAR(kept.to(torch::kFloat64).mean().item<double>(), 1 - kDropout, 0.02);
  const Tensor by_column = kept.to(torch::kFloat64).mean(0);
  EXPECT_TRUE(by_column.allclose(torch::full({kTailWidth}, 0.7, torch::kFloat64), 0, 0.04));
  EXPECT_FALSE((tail->forward(z, bias, generator, residual) - residual).equal(y));
  tail->eval();
  EXPECT_TRUE(tail->forward(z, bias, generator, residual).equal(z + bias + residual));
}

TEST(Tail, DrawsASeedOnlyWhereItDrops) {
  Generator generator(1);
  const Generator before = generator;
  EXPECT_EQ(draw_dropout(0.5, false, generator).p, 0);
  EXPECT_EQ(draw_dropout(0.0, true, generator).p, 0);
  EXPECT_EQ(Generator(generator)(), Generator(before)());
  const Dropout dropout = draw_dropout(0.5, true, generator);
  EXPECT_EQ(dropout.p, 0.5);
  EXPECT_EQ(dropout.seed, Generator(before)());
  EXPECT_NE(draw_dropout(0.5, true, generator).seed, dropout.seed);
}

TEST(Tail, ShowsItsResultToAnObserver) {
  Generator generator(1);
  Tail tail(2, TailOptions{Norm::kNone, Activation::kRelu});
  Tensor seen;
  tail->observer = [&](const Tensor& result) { seen = result; };
  const Tensor y = tail->forward(torch::tensor({{-1.0F, 2.0F}}), {}, generator);
  EXPECT_TRUE(seen.equal(y));
  EXPECT_TRUE(seen.equal(torch::tensor({{0.0F, 2.0F}})));
}

TEST(Tail, SaysWhatItDoes) {
  EXPECT_EQ(Tail(2, TailOptions{})->text(), "");
  EXPECT_EQ(Tail(2, TailOptions{Norm::kBatch, Activation::kLeakyRelu, 0.25})->text(),
            ", batch norm, leaky-relu, dropout 0.25");
}

}  // namespace
}  // namespace hgnet
