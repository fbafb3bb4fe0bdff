#include "hgnet/train/adam.hpp"

#include <gtest/gtest.h>
#include <torch/optim/adam.h>

#include <cmath>
#include <limits>

namespace hgnet {
namespace {

/// The gradient of step t: values of every magnitude; some entries are always 0.
torch::Tensor gradient(const torch::Tensor& p, int t) {
  const torch::Tensor place = torch::arange(p.numel(), p.options().requires_grad(false));
  return torch::where(place.remainder(5) == 0, torch::zeros_like(place),
                      torch::sin(place * 1.7 + t) * torch::pow(10.0, place.remainder(7) - 5))
      .view(p.sizes());
}

class AdamSteps : public testing::TestWithParam<torch::ScalarType> {};

TEST_P(AdamSteps, AreThoseOfLibtorch) {
  const double tolerance = GetParam() == torch::kFloat64 ? 1e-12 : 2e-5;
  for (const double weight_decay : {0.0, 1e-2}) {
    std::vector<torch::Tensor> ours;
    std::vector<torch::Tensor> theirs;
    for (const std::int64_t size : {1, 3, 16, 37, 130}) {
      const torch::Tensor start = torch::linspace(-1, 2, size, GetParam());
      ours.push_back(start.clone().requires_grad_());
      theirs.push_back(start.clone().requires_grad_());
    }
    Adam adam(ours, {.learning_rate = 0.01, .weight_decay = weight_decay});
    torch::optim::Adam reference(theirs,
                                 torch::optim::AdamOptions(0.01).weight_decay(weight_decay));
    for (int t = 0; t < 100; ++t) {
      for (std::size_t i = 0; i < ours.size(); ++i) {
        ours[i].mutable_grad() = gradient(ours[i], t);
        theirs[i].mutable_grad() = gradient(theirs[i], t);
      }
      adam.step();
      reference.step();
    }
    for (std::size_t i = 0; i < ours.size(); ++i)
      EXPECT_TRUE(ours[i].allclose(theirs[i], tolerance, tolerance)) << ours[i] - theirs[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Types, AdamSteps, testing::Values(torch::kFloat32, torch::kFloat64));

// A weight whose input never occurs: m and v decay forever.
TEST(Adam, LeavesNoDenormalNumbers) {
  const torch::Tensor p = torch::full({40}, 1e-6F).requires_grad_();
  Adam adam({p}, {.learning_rate = 0.005, .weight_decay = 1e-4});
  const auto denormal = [](const torch::Tensor& x) {
    const torch::Tensor size = x.detach().abs();
    return ((size > 0) & (size < std::numeric_limits<float>::min())).any().item<bool>();
  };
  p.mutable_grad() = torch::full({40}, 1e-3F);
  adam.step();
  for (int t = 0; t < 5000; ++t) {
    p.mutable_grad() = torch::zeros({40});
    adam.step();
    ASSERT_FALSE(denormal(p) || denormal(adam.state().first[0]) || denormal(adam.state().second[0]))
        << "step " << t;
  }
  // The mode applies only to the step: other code still has denormal numbers.
  volatile float smallest = std::numeric_limits<float>::min();
  EXPECT_GT(smallest / 2, 0.0F);
}

}  // namespace
}  // namespace hgnet
