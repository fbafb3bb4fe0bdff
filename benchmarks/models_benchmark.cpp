// One training step (forward, loss, backward, Adam) of each model, compared with the same model
// written with stock libtorch calls. Outputs and gradients are compared before anything is timed.
// Both forms are timed alternately, a few steps each, so that other load on the machine affects
// both; the best turn of each counts.

#include <ATen/Parallel.h>
#include <sys/resource.h>
#include <torch/nn/functional/loss.h>
#include <torch/optim/adam.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>

#include "comparison.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/graph/batch.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/train/adam.hpp"
#include "step_count.hpp"
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

/// 32 grids of 16 x 16 with one feature. Not colours: twins would tie, and the two forms break ties
/// differently.
Subject grids(const Model* model) {
  const Graph grid = grid_graph(16, 16);
  const Hierarchy one = model == nullptr ? Hierarchy(grid) : model->prepare(grid);
  // What depends on the graph alone is kept with it and joined, as in a training loop.
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

/// A citation graph: 1,433 sparse features, 140 labelled nodes of 7 classes.
struct Citations {
  std::string name;
  Graph graph;
  SparseMatrix features;
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> labels;
};

/// A random graph with Cora's 2,708 nodes and 5,278 edges. The features are large, so that g-unet
/// chooses clearly: with small ones a level's rows are about the squares of those below, many
/// scores are nearly 0, and their rounding, which differs from form to form, decides which nodes
/// stay.
Citations cora_sized() {
  Generator generator(2);
  const Graph graph = random_graph(2708, 5278, generator);
  std::vector<float> features(2708 * 1433, 0.0F);
  for (std::int64_t i = 0; i < 2708 * 18; ++i)
    features[i / 18 * 1433 + generator.below(1433)] = 50.0F;
  Citations result{"Cora-sized", graph, SparseMatrix::from_dense(features, 2708, 1433), {}, {}};
  for (int i = 0; i < 140; ++i) {
    result.rows.push_back(i);
    result.labels.push_back(i % 7);
  }
  return result;
}

Citations real_cora() {
  const Dataset cora = load_dataset("cora");
  const std::vector<std::int64_t>& rows = cora.splits.at("public").train;
  Citations result{"Cora", cora.graphs[0], std::get<SparseMatrix>(cora.features), rows, {}};
  for (const std::int64_t row : rows) result.labels.push_back(cora.classes[row]);
  return result;
}

/// Cora itself if HGNET_DATA names its folder.
const Citations& citations() {
  static const Citations kept = std::getenv("HGNET_DATA") != nullptr ? real_cora() : cora_sized();
  return kept;
}

Tensor dense(const SparseMatrix& sparse) {
  Tensor result = torch::zeros({sparse.num_rows(), sparse.num_columns()});
  const CsrView csr = sparse.csr();
  for (std::int64_t r = 0; r < sparse.num_rows(); ++r) {
    for (EdgeId s = csr.offsets[r]; s < csr.offsets[r + 1]; ++s)
      result.data_ptr<float>()[r * sparse.num_columns() + csr.columns[s]] = sparse.values()[s];
  }
  return result;
}

Subject cora(const Model* model) {
  const Citations& c = citations();
  const Features x = model == nullptr ? Features(dense(c.features)) : Features(c.features);
  return {c.name, Input::of(model == nullptr ? Hierarchy(c.graph) : model->prepare(c.graph), x),
          torch::tensor(c.rows, torch::kLong), torch::tensor(c.labels, torch::kLong), 1};
}

double page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_minflt);
}

/// CPU time of this thread per call: other processes on the machine are not counted.
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

/// A model and what it is trained on.
class Training {
 public:
  Training(const std::string& name, bool grid)
      : model_(config_for(name, grid), 1), subject_(grid ? grids(&model_) : cora(&model_)) {}

  Model& model() { return model_; }
  const Subject& subject() const { return subject_; }

  void step() {
    adam_.zero_grad();
    loss_of(model_.forward(subject_.input), subject_).backward();
    adam_.step();
  }

 private:
  Model model_;
  Subject subject_;
  Adam adam_{model_.parameters(), {}};
};

/// The same with stock calls.
class StockTraining {
 public:
  StockTraining(const std::string& name, bool grid)
      : model_(config_for(name, grid), 1), subject_(grid ? grids(nullptr) : cora(nullptr)) {}

  Model& model() { return model_; }
  const Subject& subject() const { return subject_; }
  Tensor forward() { return stock::forward(model_, input_); }

  void step() {
    adam_.zero_grad();
    loss_of(forward(), subject_).backward();
    adam_.step();
  }

 private:
  Model model_;
  Subject subject_;
  stock::StockInput input_{subject_.input};
  torch::optim::Adam adam_{model_.parameters(), torch::optim::AdamOptions(1e-3)};
};

/// Times our step and, if requested, the stock form's.
void compare(const std::string& name, bool grid, bool with_stock, int turns) {
  Training training(name, grid);
  std::optional<StockTraining> stock;
  if (with_stock) {
    stock.emplace(name, grid);
    const auto ours = [&] { return training.model().forward(training.subject().input); };
    const auto theirs = [&] { return stock->forward(); };
    check_agreement(evaluate(training.model(), ours, training.subject()),
                    evaluate(stock->model(), theirs, stock->subject()), name);
  }
  const auto ours = [&] { training.step(); };
  const auto theirs = [&] { stock->step(); };
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
  std::printf("| %s | %s | %.2f ms | %.0f | ", name.c_str(), training.subject().name.c_str(), best,
              1e3 * static_cast<double>(training.subject().graphs) / best);
  if (with_stock) {
    std::printf("%.2f ms | %.1f | ", stock_best, stock_best / best);
  } else {
    std::printf("| | ");
  }
  std::printf("%.1f |\n", faults);
  std::fflush(stdout);
}

/// The minimum work of a step, how long that takes at the machine's rates, and how long the step
/// took.
void bound(const std::string& name, bool grid, int turns) {
  const benchmarks::MachineRates rates = benchmarks::measure_rates();
  Training training(name, grid);
  const auto entries = grid ? 0.0 : static_cast<double>(citations().features.num_entries());
  const benchmarks::Count count =
      benchmarks::step_count(training.model(), training.subject().input, entries);
  const auto ours = [&] { training.step(); };
  milliseconds(ours, 10);
  double best = 1e9;
  for (int turn = 0; turn < turns; ++turn) best = std::min(best, milliseconds(ours, 10));
  const double computing = 1e3 * count.operations / rates.operations;
  const double moving = 1e3 * count.bytes / rates.shared_bytes;
  const double least = std::max(computing, moving);
  std::printf(
      "| %s | %s | %.1f | %.1f | %.0f, %.0f, %.0f, %.0f | %.2f ms | %.2f ms | %.2f ms | %.0f%% |\n",
      name.c_str(), training.subject().name.c_str(), count.operations * 1e-6, count.bytes * 1e-6,
      rates.operations * 1e-9, rates.cache_bytes * 1e-9, rates.shared_bytes * 1e-9,
      rates.memory_bytes * 1e-9, computing, moving, best, 100 * least / best);
  std::fflush(stdout);
}

constexpr const char* kSteps =
    "| model | input | ours, one step | graphs/s | stock calls | stock / ours | page faults per "
    "step |\n"
    "|---|---|---|---|---|---|---|\n";
constexpr const char* kBounds =
    "| model | input | million operations | MB | GFLOP/s of a product, GB/s of copies in L2, L3, "
    "memory | "
    "operations take | bytes take, in L3 | one step | larger of both / step |\n"
    "|---|---|---|---|---|---|---|---|---|\n";

int main_body(std::vector<std::string> args) {
  const bool bounds = !args.empty() && args[0] == "--bound";
  if (bounds) args.erase(args.begin());
  const std::string only = !args.empty() ? args[0] : "";
  const int turns = args.size() > 1 ? std::stoi(args[1]) : 8;
  const std::string profile = args.size() > 2 ? args[2] : "";
  std::printf("%s", bounds ? kBounds : kSteps);
  for (const bool grid : {true, false}) {
    for (const std::string name :
         {"gcn", "gin", "cheb", "gat", "g-unet", "hgnet-edgepool", "hgnet-louvain"}) {
      if (!only.empty() && only != name) continue;
      if (!profile.empty() && profile != (grid ? "grids" : "cora")) continue;
      if (bounds) {
        bound(name, grid, turns);
      } else {
        compare(name, grid, profile.empty() && name != "hgnet-louvain", turns);
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace hgnet

/// models_benchmark [--bound] [MODEL [TURNS [grids|cora]]]
/// With --bound: compared with the minimum work of a step. With a third argument: only that input
/// and our form, for a profiler.
int main(int argc, char** argv) {
  hgnet::keep_freed_memory();
  at::set_num_threads(1);
  try {
    return hgnet::main_body({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "models_benchmark: " << error.what() << "\n";
    return 1;
  }
}
