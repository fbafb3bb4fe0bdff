#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hgnet/config/model_table.hpp"
#include "hgnet/models/network.hpp"
#include "hgnet/nn/linear.hpp"

namespace hgnet {

/// A network and, for graph tasks, readout and classifier. Deterministic: all its randomness comes from the seed
/// it was made with. Not for use by several threads at once while training.
class Model : public torch::nn::Module {
 public:
  /// Throws Error for a configuration that check() refuses.
  Model(const ModelConfig& config, std::uint64_t seed);

  /// Logits, or regression targets: [nodes, outputs] or [graphs, outputs]. Throws InvalidGraph or c10::Error,
  /// saying what does not fit, for an input the model is not made for.
  torch::Tensor forward(const Input& input);

  /// What the model needs of a graph before it can be applied to it: the graph itself and, for a static coarsening, its
  /// levels. Do this once per graph and keep it; join the results for a batch (Hierarchy::joined).
  Hierarchy prepare(const Graph& graph) const;

  /// The rows of all nodes before readout and classifier: [N, width].
  torch::Tensor node_rows(const Input& input);

  const ModelConfig& config() const { return config_; }
  std::int64_t num_parameters() const;
  /// Of the first graph layer, which sees the features (molecules: of the atom encoder).
  std::vector<torch::Tensor> first_layer_parameters() const;
  ReceptiveField receptive_field() const { return network_->receptive_field(); }
  /// Structure, number of parameters and receptive field, for people to read.
  std::string describe() const;

  /// Of the dropout; part of a training checkpoint.
  Generator& generator() { return generator_; }

 private:
  void check_input(const Input& input) const;

  ModelConfig config_;
  Generator generator_;
  std::shared_ptr<Network> network_;
  Linear classifier_first_{nullptr};
  Linear classifier_second_{nullptr};
};

/// A new model, its weights drawn from the seed.
std::shared_ptr<Model> make_model(const ModelConfig& config, std::uint64_t seed);

}  // namespace hgnet
