// One training step (forward, loss, backward, Adam) of each model, beside the same model written with stock libtorch calls.
// Outputs and gradients are compared before anything is timed. Both forms are timed in turns, a few steps each, so that whatever
// else the machine does falls on both; the best turn of each counts.

#include <ATen/Parallel.h>
#include <sys/resource.h>
#include <torch/nn/functional/loss.h>
#include <torch/optim/adam.h>

#include <cstdio>
#include <ctime>
#include <iostream>

#include "comparison.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/batch.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/train/adam.hpp"
#include "stock_models.hpp"

namespace hgnet {
namespace {

using torch::Tensor;

struct Subject {
  std::string name;
  Input input;
  Tensor rows;  // of the result that have a label; undefined: all
  Tensor labels;
  std::int64_t graphs = 1;
};

Tensor loss_of(const Tensor& result, const Subject& subject) {
  const Tensor rows = subject.rows.defined() ? result.index_select(0, subject.rows) : result;
  return torch::nn::functional::cross_entropy(rows, subject.labels);
}

/// 32 grids of 16 x 16 with one feature. Not colours: twins would tie, and the two forms settle ties differently.
Subject grids(const Model* model) {
  const Graph grid = grid_graph(16, 16);
  const Hierarchy one = model == nullptr ? Hierarchy(grid) : model->prepare(grid);
  // What depends on the graph alone is kept with it and joined, as a training loop has it.
  for (int l = 0; l <= one.num_levels(); ++l) {
    one.graph(l).reverse();
    for (const SelfLoopFill fill : {SelfLoopFill::kOne, SelfLoopFill::kTwo, SelfLoopFill::kNone})
      one.graph(l).gcn_normalisation(fill);
  }
  const std::vector<const Hierarchy*> copies(32, &one);
  Generator generator(1);
  Tensor x = torch::empty({32 * 256, 1});
  for (std::int64_t v = 0; v < x.size(0); ++v) x[v] = static_cast<float>(generator.uniform());
  Tensor labels = torch::empty({32}, torch::kLong);
  for (int g = 0; g < 32; ++g) labels[g] = static_cast<std::int64_t>(generator.below(2));
  return {"32 grids 16x16",
          {x, Hierarchy::joined(copies), Batch::repeat(grid, 32).graph_of_node()},
          {},
          labels,
          32};
}

/// A graph of Cora's size: 2,708 nodes, 5,278 edges, 1,433 sparse features, 140 labelled nodes of 7 classes.
Subject cora_sized(const Model* model, bool dense) {
  Generator generator(2);
  const Graph graph = random_graph(2708, 5278, generator);
  std::vector<float> features(2708 * 1433, 0.0F);
  for (std::int64_t i = 0; i < 2708 * 18; ++i)
    features[i / 18 * 1433 + generator.below(1433)] = 1.0F / 18;
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> labels;
  for (int i = 0; i < 140; ++i) {
    rows.push_back(i);
    labels.push_back(i % 7);
  }
  const Features x = dense ? Features(torch::tensor(features).view({2708, 1433}))
                           : Features(SparseMatrix::from_dense(features, 2708, 1433));
  return {"Cora-sized", Input::of(model == nullptr ? Hierarchy(graph) : model->prepare(graph), x),
          torch::tensor(rows, torch::kLong), torch::tensor(labels, torch::kLong), 1};
}

double page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_minflt);
}

/// Time of this thread on a core, per call: what others do on the machine is not counted.
double milliseconds(const std::function<void()>& step, int times) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  };
  const double begin = now();
  for (int i = 0; i < times; ++i) step();
  return (now() - begin) / times;
}

/// Logits and all gradients.
std::vector<Tensor> evaluate(Model& model, const std::function<Tensor()>& forward,
                             const Subject& subject) {
  model.zero_grad();
  const Tensor logits = forward();
  loss_of(logits, subject).backward();
  std::vector<Tensor> result{logits.detach()};
  for (const Tensor& p : model.parameters())
    result.push_back(p.grad().defined() ? p.grad().clone() : torch::zeros_like(p));
  model.zero_grad();
  return result;
}

void check_agreement(const std::vector<Tensor>& ours, const std::vector<Tensor>& stock,
                     const std::string& name) {
  double scale = 0;
  for (std::size_t i = 1; i < stock.size(); ++i)
    scale = std::max(scale, stock[i].abs().max().item<double>());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double error = (ours[i] - stock[i]).abs().max().item<double>();
    const double size = i == 0 ? std::max(1.0, stock[0].abs().max().item<double>()) : scale;
    if (!(error <= 2e-3 * size)) {
      throw std::runtime_error(name + ": the forms do not agree (tensor " + std::to_string(i) +
                               " is off by " + std::to_string(error) + " of " +
                               std::to_string(size) + ")");
    }
  }
}

ModelConfig config_for(const std::string& name, bool grid) {
  ModelConfig c = model_defaults(name);
  c.task = grid ? Task::kGraph : Task::kNode;
  c.inputs = grid ? 1 : 1433;
  c.outputs = grid ? 2 : 7;
  c.norm = grid ? Norm::kBatch : Norm::kNone;
  c.activation = grid ? Activation::kRelu : Activation::kElu;
  if (c.model == "hgnet") {
    c.levels = grid ? 3 : 1;
  } else if (c.model == "g-unet") {
    c.levels = grid ? 3 : 4;
    c.keep = grid ? std::vector<double>{0.5, 0.5, 0.5} : std::vector<double>{2000, 1000, 500, 200};
  } else {
    c.layers = grid ? 4 : 2;
    c.residual = grid;
  }
  if (name == "gat") {
    c.hidden = grid ? 8 : 8;
    c.heads = grid ? 4 : 8;
  }
  return c;
}

/// Our step, and the other form's, or none.
void compare(const std::string& name, bool grid, bool with_stock, int turns) {
  const ModelConfig config = config_for(name, grid);
  Model model(config, 1);
  Model other(config, 1);
  const Subject subject = grid ? grids(&model) : cora_sized(&model, false);
  const Subject for_stock = grid ? grids(nullptr) : cora_sized(nullptr, true);
  const stock::StockInput stock_input(for_stock.input);
  if (with_stock) {
    check_agreement(evaluate(
                        model, [&] { return model.forward(subject.input); }, subject),
                    evaluate(
                        other, [&] { return stock::forward(other, stock_input); }, for_stock),
                    name);
  }
  Adam adam(model.parameters(), {});
  torch::optim::Adam stock_adam(other.parameters(), torch::optim::AdamOptions(1e-3));
  const auto ours = [&] {
    adam.zero_grad();
    loss_of(model.forward(subject.input), subject).backward();
    adam.step();
  };
  const auto theirs = [&] {
    stock_adam.zero_grad();
    loss_of(stock::forward(other, stock_input), for_stock).backward();
    stock_adam.step();
  };
  milliseconds(ours, 10);
  if (with_stock) milliseconds(theirs, 2);
  double best = 1e9;
  double stock_best = 1e9;
  double faults = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const double before = page_faults();
    best = std::min(best, milliseconds(ours, 10));
    faults = (page_faults() - before) / 10;
    if (with_stock) stock_best = std::min(stock_best, milliseconds(theirs, 3));
  }
  std::printf("| %s | %s | %.2f ms | %.0f | ", name.c_str(), subject.name.c_str(), best,
              1e3 * static_cast<double>(subject.graphs) / best);
  if (with_stock) {
    std::printf("%.2f ms | %.1f | ", stock_best, stock_best / best);
  } else {
    std::printf("| | ");
  }
  std::printf("%.1f |\n", faults);
  std::fflush(stdout);
}

int main_body(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  const int turns = argc > 2 ? std::atoi(argv[2]) : 8;
  const std::string profile =
      argc > 3 ? argv[3] : "";  // "grids" or "cora": our steps alone, for a profiler
  std::printf(
      "| model | input | ours, one step | graphs/s | stock calls | stock / ours | page faults per "
      "step |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const bool grid : {true, false}) {
    for (const std::string name :
         {"gcn", "gin", "cheb", "gat", "g-unet", "hgnet-edgepool", "hgnet-louvain"}) {
      if (!only.empty() && only != name) continue;
      if (!profile.empty() && profile != (grid ? "grids" : "cora")) continue;
      compare(name, grid, profile.empty() && name != "hgnet-louvain", turns);
    }
  }
  return 0;
}

}  // namespace
}  // namespace hgnet

/// models_benchmark [MODEL [TURNS [grids|cora]]]
int main(int argc, char** argv) {
  hgnet::benchmarks::keep_freed_memory();
  at::set_num_threads(1);
  try {
    return hgnet::main_body(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "models_benchmark: " << error.what() << "\n";
    return 1;
  }
}
