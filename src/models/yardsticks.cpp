// Models that see no edges: wl, a linear layer on counts of colours, and mlp.

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "hgnet/config/edge_use.hpp"
#include "hgnet/core/text.hpp"
#include "hgnet/graph/wl.hpp"
#include "hgnet/models/network.hpp"
#include "hgnet/nn/linear.hpp"
#include "hgnet/nn/tail.hpp"

namespace hgnet {
namespace {

using torch::Tensor;

std::vector<Colour> colours_of(const Features& x) {
  if (x.is_sparse()) return colours_of_rows(x.sparse());
  const Tensor rows = x.dense().to(torch::kFloat32).contiguous();
  return colours_of_rows({rows.data_ptr<float>(), static_cast<std::size_t>(rows.numel())},
                         rows.size(1));
}

/// Counts of colours for an input that is not prepared; see colour_rows.
SparseMatrix count_colours(const Input& input, const ModelConfig& config) {
  std::vector<std::vector<Colour>> colours{colours_of(input.x)};
  const Graph& graph = input.hierarchy.graph(0);
  for (int round = 1; round <= config.layers; ++round)
    colours.push_back(refined(graph, colours.back(), reads_edge_rows(config)));
  ColourRows rows;
  const auto count = [&](std::span<const NodeId> nodes) {
    for (int round = 0; round <= config.layers; ++round) {
      for (const NodeId v : nodes) rows.count(round, std::span(colours[round]).subspan(v, 1));
    }
    rows.end_row();
  };
  if (config.task == Task::kNode) {
    for (NodeId v = 0; v < graph.num_nodes(); ++v) count(std::span(&v, 1));
  } else {
    for (NodeId g = 0; g < input.graph_of_node.num_parents(); ++g)
      count(input.graph_of_node.members(g));
  }
  return rows.matrix();
}

/// Whether an ascending list has the value; `at` moves on to it, or to the first that is greater.
bool reaches(const float*& at, const float* end, float value) {
  for (std::ptrdiff_t step = 1; end - at > step && at[step] < value; step *= 2) at += step;
  at = std::lower_bound(at, end, value);
  return at != end && *at == value;
}

/// y = ((counts - mean) scale) W + b, over the colours that are told apart, the rare ones together,
/// and those that were not seen in training together. The last have the weight that they begin
/// with, 0: nothing was learnt about them.
class WlNetwork : public Network {
 public:
  explicit WlNetwork(const ModelConfig& config) : config_(config) {
    const std::int64_t columns = config.colours + 2;
    colours_ = register_buffer("colours", torch::full({config.colours}, kUnused, torch::kFloat32));
    rare_ = register_buffer("rare", torch::zeros({0}, torch::kFloat32));
    mean_ = register_buffer("mean", torch::zeros({columns}, torch::kFloat32));
    scale_ = register_buffer("scale", torch::zeros({columns}, torch::kFloat32));
    weight_ =
        register_parameter("weight", torch::zeros({config.outputs, columns}, torch::kFloat32));
    bias_ = register_parameter("bias", torch::zeros({config.outputs}, torch::kFloat32));
  }

  Tensor forward(const Input& input, Generator&) override {
    const bool prepared = input.x.width() == kColourColumns && input.x.is_sparse();
    const SparseMatrix counts = prepared ? input.x.sparse() : count_colours(input, config_);
    const Tensor weight = weight_ * scale_;
    return Features(told_apart(counts)).times(weight) + (bias_ - weight.mv(mean_));
  }

  /// The most frequent colours, of those in two samples or more, and all others that there are;
  /// mean and deviation of their counts.
  void learn_colours(const SparseMatrix& rows, std::span<const std::int64_t> samples) override {
    std::unordered_map<NodeId, std::int64_t> seen;
    const CsrView csr = rows.csr();
    for (const std::int64_t sample : samples) {
      for (EdgeId s = csr.offsets[sample]; s < csr.offsets[sample + 1]; ++s) ++seen[csr.columns[s]];
    }
    std::vector<std::pair<std::int64_t, NodeId>> order;
    for (const auto& [column, count] : seen) order.emplace_back(-count, column);
    std::sort(order.begin(), order.end());
    std::vector<float> kept, rare;
    for (const auto& [count, column] : order) {
      const bool frequent = count < -1 && std::ssize(kept) < config_.colours;
      (frequent ? kept : rare).push_back(static_cast<float>(column));
    }
    kept.resize(config_.colours, kUnused);
    std::sort(kept.begin(), kept.end());
    std::sort(rare.begin(), rare.end());
    const torch::NoGradGuard no_grad;
    colours_.copy_(torch::tensor(kept));
    rare_.resize_({std::ssize(rare)}).copy_(torch::tensor(rare));
    learn_scales(rows, samples);
  }

  std::vector<std::string> lists() const override { return {"rare"}; }
  std::int64_t width() const override { return config_.outputs; }
  std::vector<std::string> structure() const override {
    return {"colours after 0 .. " + std::to_string(config_.layers) +
                " rounds, scaled: " + std::to_string(config_.colours) +
                ", rare ones as one, those not seen in training as one",
            "linear " + widths(config_.colours + 2, config_.outputs)};
  }
  ReceptiveField receptive_field() const override {
    return {config_.layers, true,
            std::to_string(config_.layers) + (config_.layers == 1 ? " hop" : " hops") +
                ", counted over the graph"};
  }
  std::vector<Tensor> first_layer_parameters() const override { return {weight_}; }

 private:
  static constexpr float kUnused = static_cast<float>(kColourColumns);

  void learn_scales(const SparseMatrix& rows, std::span<const std::int64_t> samples) {
    const SparseMatrix counts = told_apart(rows);
    const CsrView csr = counts.csr();
    std::vector<double> sum(config_.colours + 2, 0.0);
    std::vector<double> squares(sum);
    for (const std::int64_t sample : samples) {
      for (EdgeId s = csr.offsets[sample]; s < csr.offsets[sample + 1]; ++s) {
        const double value = counts.values()[s];
        sum[csr.columns[s]] += value;
        squares[csr.columns[s]] += value * value;
      }
    }
    const auto n = static_cast<double>(samples.size());
    auto mean = mean_.accessor<float, 1>();
    auto scale = scale_.accessor<float, 1>();
    for (std::size_t c = 0; c < sum.size(); ++c) {
      const double variance = squares[c] / n - sum[c] / n * (sum[c] / n);
      mean[c] = static_cast<float>(sum[c] / n);
      scale[c] = variance > 1e-12 ? static_cast<float>(1 / std::sqrt(variance)) : 0.0F;
    }
  }

  /// A list of colours, which a file may have brought.
  static Tensor in_order(const Tensor& colours) {
    const Tensor list = colours.to(torch::kFloat32);
    const float* begin = list.data_ptr<float>();
    const float* end = begin + list.numel();
    const auto descends = [](float a, float b) { return !(a <= b); };
    if (std::adjacent_find(begin, end, descends) != end || (begin != end && std::isnan(*begin)))
      throw Error("wl: the list of colours of the model is not in order");
    return list;
  }

  /// Counts by the model's own columns; the last two have rare colours and those not seen.
  SparseMatrix told_apart(const SparseMatrix& rows) const {
    const Tensor kept = in_order(colours_), rare = in_order(rare_);
    const float* kept_end = kept.data_ptr<float>() + kept.numel();
    const float* rare_end = rare.data_ptr<float>() + rare.numel();
    const CsrView csr = rows.csr();
    std::vector<EdgeId> offsets{0};
    std::vector<NodeId> columns;
    std::vector<float> values;
    for (std::int64_t row = 0; row < rows.num_rows(); ++row) {
      const float* in_kept = kept.data_ptr<float>();
      const float* in_rare = rare.data_ptr<float>();
      float others[2] = {0, 0};
      for (EdgeId s = csr.offsets[row]; s < csr.offsets[row + 1]; ++s) {
        const auto colour = static_cast<float>(csr.columns[s]);
        if (!reaches(in_kept, kept_end, colour)) {
          others[reaches(in_rare, rare_end, colour) ? 0 : 1] += rows.values()[s];
          continue;
        }
        columns.push_back(static_cast<NodeId>(in_kept - kept.data_ptr<float>()));
        values.push_back(rows.values()[s]);
      }
      for (const int i : {0, 1}) {
        if (others[i] == 0) continue;
        columns.push_back(static_cast<NodeId>(config_.colours + i));
        values.push_back(others[i]);
      }
      offsets.push_back(static_cast<EdgeId>(columns.size()));
    }
    return SparseMatrix(config_.colours + 2, std::move(offsets), std::move(columns),
                        std::move(values));
  }

  ModelConfig config_;
  Tensor colours_;  // ascending; kUnused where there are fewer
  Tensor rare_;     // the others of the training samples, ascending
  Tensor mean_, scale_;
  Tensor weight_, bias_;
};

/// Nodes: y = act(x W1 + b1) W2 + b2. Graphs: the rows as they are; readout and classifier follow.
class RowsNetwork : public Network {
 public:
  RowsNetwork(const ModelConfig& config, Generator& generator) : config_(config) {
    if (config.task == Task::kGraph) return;
    first_ = register_module("first", Linear(config.inputs, config.hidden, generator));
    second_ = register_module("second", Linear(config.hidden, config.outputs, generator));
  }

  Tensor forward(const Input& input, Generator& generator) override {
    if (config_.task == Task::kGraph)
      return input.x.is_sparse() ? input.x.times(torch::eye(input.x.width(), torch::kFloat32))
                                 : input.x.dense();
    const Features x =
        input.x.dropped(draw_dropout(config_.input_dropout, is_training(), generator));
    const Dropout dropout = draw_dropout(config_.dropout, is_training(), generator);
    return second_->forward(
        norm_act(x.times(first_->weight), first_->bias, nullptr, config_.activation, dropout));
  }

  std::int64_t width() const override {
    return config_.task == Task::kGraph ? config_.inputs : config_.outputs;
  }
  std::vector<std::string> structure() const override {
    if (config_.task == Task::kGraph) return {"rows of the nodes, without their edges"};
    return {"linear " + widths(config_.inputs, config_.hidden),
            "linear " + widths(config_.hidden, config_.outputs)};
  }
  ReceptiveField receptive_field() const override { return {0, true, "0 hops"}; }
  std::vector<Tensor> first_layer_parameters() const override {
    return first_ ? first_->parameters() : std::vector<Tensor>();
  }

 private:
  ModelConfig config_;
  Linear first_{nullptr};
  Linear second_{nullptr};
};

}  // namespace

std::shared_ptr<Network> make_wl_network(const ModelConfig& config, std::int64_t, Generator&) {
  return std::make_shared<WlNetwork>(config);
}

std::shared_ptr<Network> make_rows_network(const ModelConfig& config, std::int64_t,
                                           Generator& generator) {
  return std::make_shared<RowsNetwork>(config, generator);
}

}  // namespace hgnet
