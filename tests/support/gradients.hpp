#pragma once

#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/types.h>

#include <functional>
#include <vector>

namespace hgnet::test {

using Inputs = std::vector<torch::Tensor>;
using Function = std::function<torch::Tensor(const Inputs&)>;

struct Evaluation {
  torch::Tensor output;
  Inputs gradients;  // of sum(output * probe) for a fixed random probe; zeros if there is none
};

/// f and the gradients of its inputs, which are detached first.
Evaluation evaluate(const Function& f, const Inputs& inputs);

/// Random normal values in float64; deterministic in the seed.
torch::Tensor random_tensor(torch::IntArrayRef shape, std::uint64_t seed);

/// Checks for the same output and gradients as `expected`, in float64 and (inputs rounded) in
/// float32.
void expect_equal_functions(const Function& f, const Function& expected, const Inputs& inputs);

/// Compares backward with central differences in float64: every entry of the Jacobian's product
/// with a probe.
void expect_gradients_match_differences(const Function& f, const Inputs& inputs);

/// Compares the gradients of the first, middle and last entry with central differences of `loss`.
void expect_gradients_match_differences(const torch::Tensor& parameter,
                                        const std::function<double()>& loss);

/// The same for all parameters of a module and for `others`; the loss is sum(output() * probe).
void expect_gradients_match_differences(torch::nn::Module& module, const Inputs& others,
                                        const std::function<torch::Tensor()>& output);

/// Checks for bitwise equal output and gradients with 1, 2 and 5 threads, and twice with each, in
/// float32.
void expect_same_bits_for_any_thread_count(const Function& f, const Inputs& inputs);

}  // namespace hgnet::test
