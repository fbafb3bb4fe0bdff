// hgnet selfcheck: compares every kernel, forward and backward, with its naive form on this
// machine.

#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <chrono>
#include <functional>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "hgnet/core/random.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/kernels/instruction_set.hpp"
#include "hgnet/ops/attention.hpp"
#include "hgnet/ops/gcn_norm.hpp"
#include "hgnet/ops/segment.hpp"
#include "hgnet/ops/softmax.hpp"
#include "hgnet/ops/spmm.hpp"
#include "hgnet/train/threads.hpp"
#include "naive.hpp"
#include "requests.hpp"

namespace hgnet::app {
namespace {

using torch::Tensor;
using Inputs = std::vector<Tensor>;
using Function = std::function<Tensor(const Inputs&)>;

constexpr double kTolerance = 1e-4;

struct Check {
  std::string name;
  Function kernel;
  Function naive;
  Inputs inputs;
};

struct Outcome {
  std::string name;
  double output_error = 0;    // largest difference, relative to the largest entry
  double gradient_error = 0;  // the same over all inputs' gradients
  bool passed() const { return output_error <= kTolerance && gradient_error <= kTolerance; }
};

double relative_error(const Tensor& got, const Tensor& expected) {
  const double scale = std::max(1.0, expected.abs().max().item<double>());
  const double error = (got.to(torch::kFloat64) - expected).abs().max().item<double>() / scale;
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

/// The output, then the gradients of its sum weighted by a fixed pattern.
Inputs output_and_gradients(const Function& function, const Inputs& inputs,
                            torch::ScalarType type) {
  Inputs leaves;
  for (const Tensor& input : inputs)
    leaves.push_back(input.to(type).clone().set_requires_grad(true));
  const Tensor output = function(leaves);
  const Tensor weights =
      torch::arange(output.numel(), torch::kFloat64).cos().view(output.sizes()).to(type);
  Inputs result = torch::autograd::grad({(output * weights).sum()}, leaves);
  result.insert(result.begin(), output.detach());
  return result;
}

/// The kernel in float32, as it is used, against the naive form in float64.
Outcome carry_out(const Check& check) {
  const Inputs got = output_and_gradients(check.kernel, check.inputs, torch::kFloat32);
  const Inputs expected = output_and_gradients(check.naive, check.inputs, torch::kFloat64);
  Outcome outcome{check.name, relative_error(got[0], expected[0])};
  for (std::size_t i = 1; i < got.size(); ++i) {
    outcome.gradient_error = std::max(outcome.gradient_error, relative_error(got[i], expected[i]));
  }
  return outcome;
}

ParentMap random_parents(NodeId num_children, NodeId num_parents, Generator& generator) {
  std::vector<NodeId> parent(num_children);
  for (NodeId& p : parent) p = static_cast<NodeId>(generator.below(num_parents));
  return {std::move(parent), num_parents};
}

std::vector<Check> all_checks(std::uint64_t seed) {
  torch::manual_seed(seed);
  Generator generator(seed);
  const Graph graph = random_graph(2000, 12000, generator);  // enough work for several threads
  const ParentMap map = random_parents(2000, 150, generator);
  const std::int64_t n = graph.num_nodes();
  const std::int64_t e = graph.num_edges();
  const auto random = [](torch::IntArrayRef shape) { return torch::randn(shape, torch::kFloat64); };
  const auto segment = [&](const char* name, auto kernel, auto naive, std::int64_t rows) {
    return Check{name,
                 [=](const Inputs& in) { return kernel(in[0], map); },
                 [=](const Inputs& in) { return naive(in[0], map); },
                 {random({rows, 65})}};
  };
  const SparseMatrix features = [&] {
    std::vector<float> dense(200 * 300, 0.0F);
    for (int i = 0; i < 1200; ++i) dense[generator.below(dense.size())] = 1.0F;
    return SparseMatrix::from_dense(dense, 200, 300);
  }();
  return {
      {"spmm",
       [=](const Inputs& in) {
         return spmm({graph, in[0], in[1], false}, in[2]);
       },
       [=](const Inputs& in) {
         return naive::spmm({graph, in[0], in[1], false}, in[2]);
       },
       {random({e}), random({n}), random({n, 65})}},
      {"spmm, sparse features",
       [=](const Inputs& in) { return spmm(features, in[1], in[0]); },
       [=](const Inputs& in) { return naive::spmm(features, in[1], in[0]); },
       {random({features.num_entries()}), random({300, 65})}},
      {"GCN normalisation",
       [=](const Inputs& in) {
         const SparseOperator m = gcn_operator(graph, in[0]);
         return naive::dense(graph, m.values) + m.diagonal.diag();
       },
       [=](const Inputs& in) { return naive::gcn_matrix(graph, in[0], 1.0); },
       {random({e}).abs() + 0.1}},
      segment("segment sum", segment_sum, naive::segment_sum, n),
      segment("segment mean", segment_mean, naive::segment_mean, n),
      segment("segment max", segment_max, naive::segment_max, n),
      segment(
          "gather by parent", [](const Tensor& x, const ParentMap& m) { return gather(x, m); },
          naive::gather, map.num_parents()),
      {"segment softmax",
       [=](const Inputs& in) { return segment_softmax(graph, in[0]); },
       [=](const Inputs& in) { return naive::segment_softmax(graph, in[0]); },
       {random({e, 4})}},
      {"edge score",
       [=](const Inputs& in) { return edge_score(graph, in[0], in[1]); },
       [=](const Inputs& in) { return naive::edge_score(graph, in[0], in[1]); },
       {random({n, 2}), random({1})}},
      {"attention",
       [=](const Inputs& in) { return attention(graph, in[0], in[1], in[2]); },
       [=](const Inputs& in) { return naive::attention(graph, in[0], in[1], in[2], {}); },
       {random({n, 32}), random({n, 4}), random({n, 4})}},
  };
}

void print_text(const std::vector<Outcome>& outcomes, const SelfcheckRequest& options) {
  std::cout << "Kernels (float32) against their naive forms (float64): largest relative "
               "difference.\n"
            << "Instruction set " << instruction_set() << ", " << options.threads << " thread"
            << (options.threads == 1 ? "" : "s") << ", seed " << options.seed << ".\n\n"
            << std::left << std::setw(24) << "kernel" << std::setw(12) << "output" << std::setw(12)
            << "gradients"
            << "\n";
  for (const Outcome& outcome : outcomes) {
    std::cout << std::left << std::setw(24) << outcome.name << std::scientific
              << std::setprecision(1) << std::setw(12) << outcome.output_error << std::setw(12)
              << outcome.gradient_error << (outcome.passed() ? "ok" : "WRONG") << "\n";
  }
}

void print_json(const std::vector<Outcome>& outcomes, const SelfcheckRequest& options) {
  nlohmann::json kernels = nlohmann::json::array();
  bool passed = true;
  for (const Outcome& outcome : outcomes) {
    kernels.push_back({{"name", outcome.name},
                       {"output_error", outcome.output_error},
                       {"gradient_error", outcome.gradient_error},
                       {"passed", outcome.passed()}});
    passed = passed && outcome.passed();
  }
  std::cout << nlohmann::json{{"instruction_set", instruction_set()},
                              {"threads", options.threads},
                              {"seed", options.seed},
                              {"tolerance", kTolerance},
                              {"kernels", kernels},
                              {"passed", passed}}
                   .dump(2)
            << "\n";
}

}  // namespace

void run_selfcheck(const SelfcheckRequest& options) {
  set_threads(options.threads);
  std::vector<Outcome> outcomes;
  for (const Check& check : all_checks(options.seed)) outcomes.push_back(carry_out(check));
  if (options.json) {
    print_json(outcomes, options);
  } else {
    print_text(outcomes, options);
  }
  const auto wrong = std::count_if(outcomes.begin(), outcomes.end(),
                                   [](const Outcome& outcome) { return !outcome.passed(); });
  if (wrong > 0) {
    throw Error(std::to_string(wrong) + " of " + std::to_string(outcomes.size()) +
                " kernels are wrong on this machine");
  }
}

}  // namespace hgnet::app
