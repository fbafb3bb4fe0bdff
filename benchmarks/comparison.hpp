// Benchmarks that compare our implementation of a piece of work with others. All are checked to
// agree before any of them is timed, and all are timed in one run, which ends with a table of
// ratios.

#pragma once

#include <torch/types.h>

#include <functional>
#include <string>
#include <vector>

namespace hgnet::benchmarks {

using Work = std::function<torch::Tensor()>;

struct Form {
  std::string name;  // "ours", "index_add", ...
  Work work;
};

struct Comparison {
  std::string name;         // "spmm forward"
  std::string size;         // "100k nodes, 1M edges, C=64"
  std::int64_t edges = 0;   // directed edges, or rows, processed per call
  std::int64_t bytes = 0;   // gathered, or at least read and written, per call
  std::vector<Form> forms;  // ours first
  double tolerance = 1e-4;  // of the agreement, relative to the largest entry
  bool checked = false;     // whether the forms were checked to agree
};

/// The gradient that backward passes start from: fixed, but not constant.
torch::Tensor probe_like(const torch::Tensor& y);

/// Times the backward pass of `forward` for x: records the graph once and computes its gradient in
/// each call.
Work backward_of(const std::function<torch::Tensor(const torch::Tensor&)>& forward,
                 const torch::Tensor& x);

/// Registers each form with 1 and 2 threads. Before the first is timed, all are checked to agree;
/// run() throws if they do not.
void add(Comparison comparison);

/// Registers the copy rate, runs everything that was added, prints time, edges/s and GB/s of each
/// and the ratios at the end. Takes Google Benchmark's command line.
int run(int argc, char** argv);

}  // namespace hgnet::benchmarks
