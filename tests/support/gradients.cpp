#include "support/gradients.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace hgnet::test {
namespace {

using torch::Tensor;

Tensor probe_like(const Tensor& output) {
  return random_tensor(output.sizes(), 99).to(output.scalar_type());
}

void expect_close(const Tensor& got, const Tensor& expected, double tolerance, const char* what) {
  ASSERT_EQ(got.sizes(), expected.sizes()) << what;
  if (got.numel() == 0) return;
  // Relative to the largest entry: sums cancel, so single entries may have no correct digits at
  // all.
  const double scale = std::max(1.0, expected.abs().max().item<double>());
  const double error = (got - expected).abs().max().item<double>();
  EXPECT_LE(error, tolerance * scale) << what << "\ngot\n" << got << "\nexpected\n" << expected;
}

Inputs in_type(const Inputs& inputs, torch::ScalarType type) {
  Inputs result;
  for (const Tensor& input : inputs) result.push_back(input.to(type));
  return result;
}

}  // namespace

Tensor random_tensor(torch::IntArrayRef shape, std::uint64_t seed) {
  return torch::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), torch::kFloat64);
}

Evaluation evaluate(const Function& f, const Inputs& inputs) {
  Inputs leaves;
  for (const Tensor& input : inputs)
    leaves.push_back(input.detach().clone().set_requires_grad(true));
  Evaluation result;
  const Tensor output = f(leaves);
  result.output = output.detach();
  if (!output.requires_grad()) {  // a naive form that does not use its inputs
    for (const Tensor& leaf : leaves) result.gradients.push_back(torch::zeros_like(leaf));
    return result;
  }
  const Inputs gradients = torch::autograd::grad({(output * probe_like(output)).sum()}, leaves, {},
                                                 c10::nullopt, false, true);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    result.gradients.push_back(gradients[i].defined() ? gradients[i]
                                                      : torch::zeros_like(leaves[i]));
  }
  return result;
}

void expect_equal_functions(const Function& f, const Function& expected, const Inputs& inputs) {
  const Evaluation reference = evaluate(expected, inputs);
  for (const auto& [type, tolerance] :
       {std::pair{torch::kFloat64, 1e-12}, std::pair{torch::kFloat32, 2e-5}}) {
    const Evaluation got = evaluate(f, in_type(inputs, type));
    EXPECT_EQ(got.output.scalar_type(), type);
    expect_close(got.output.to(torch::kFloat64), reference.output, tolerance, "output");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      expect_close(got.gradients[i].to(torch::kFloat64), reference.gradients[i], tolerance,
                   ("gradient of input " + std::to_string(i)).c_str());
    }
  }
}

void expect_gradients_match_differences(const Function& f, const Inputs& inputs) {
  constexpr double kStep = 1e-6;
  const Evaluation evaluation = evaluate(f, inputs);
  const Tensor probe = probe_like(evaluation.output);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Inputs moved = inputs;
    moved[i] = inputs[i].clone();
    const Tensor flat = moved[i].view(-1);
    Tensor differences = torch::zeros_like(inputs[i]).view(-1);
    for (std::int64_t j = 0; j < flat.size(0); ++j) {
      const double value = flat[j].item<double>();
      flat[j] = value + kStep;
      const double above = (f(moved) * probe).sum().item<double>();
      flat[j] = value - kStep;
      const double below = (f(moved) * probe).sum().item<double>();
      flat[j] = value;
      differences[j] = (above - below) / (2 * kStep);
    }
    expect_close(evaluation.gradients[i], differences.view(inputs[i].sizes()), 1e-7,
                 ("gradient of input " + std::to_string(i)).c_str());
  }
}

void expect_gradients_match_differences(const torch::Tensor& parameter,
                                        const std::function<double()>& loss) {
  constexpr double kStep = 1e-6;
  const torch::NoGradGuard no_grad;
  const torch::Tensor values = parameter.detach().view(-1);
  const torch::Tensor gradient =
      parameter.grad().defined() ? parameter.grad().view(-1) : torch::zeros_like(values);
  for (const std::int64_t i : std::set<std::int64_t>{0, values.numel() / 2, values.numel() - 1}) {
    const double value = values[i].item<double>();
    values[i] = value + kStep;
    const double above = loss();
    values[i] = value - kStep;
    const double below = loss();
    values[i] = value;
    const double difference = (above - below) / (2 * kStep);
    EXPECT_NEAR(gradient[i].item<double>(), difference, 1e-6 * std::max(1.0, std::abs(difference)))
        << "entry " << i;
  }
}

void expect_gradients_match_differences(torch::nn::Module& module, const Inputs& others,
                                        const std::function<torch::Tensor()>& output) {
  const auto loss = [&] {
    const Tensor y = output();
    return (y * probe_like(y)).sum();
  };
  loss().backward();
  const auto number = [&] { return loss().item<double>(); };
  for (const auto& parameter : module.named_parameters()) {
    SCOPED_TRACE(parameter.key());
    expect_gradients_match_differences(parameter.value(), number);
  }
  for (const Tensor& other : others) expect_gradients_match_differences(other, number);
}

void expect_same_bits_for_any_thread_count(const Function& f, const Inputs& inputs) {
  const Inputs single = in_type(inputs, torch::kFloat32);
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const Evaluation one = evaluate(f, single);
  for (const int threads : {1, 2, 5}) {
    at::set_num_threads(threads);
    for (int repetition = 0; repetition < 2; ++repetition) {
      const Evaluation many = evaluate(f, single);
      EXPECT_TRUE(many.output.equal(one.output)) << threads << " threads";
      for (std::size_t i = 0; i < single.size(); ++i) {
        EXPECT_TRUE(many.gradients[i].equal(one.gradients[i]))
            << threads << " threads, gradient of input " << i;
      }
    }
  }
  at::set_num_threads(before);
}

}  // namespace hgnet::test
