#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

#include "hgnet/models/config.hpp"
#include "hgnet/models/input.hpp"
#include "hgnet/nn/layer.hpp"
#include "hgnet/nn/tail.hpp"

namespace hgnet {

/// How far information travels to a node of G_0, in edges of G_0.
struct ReceptiveField {
  std::int64_t at_least = 0;  // every node hears of all nodes this near
  bool bounded = true;        // whether no node hears of any farther away
  std::string text;
};

/// The part of a model that gives every node of G_0 a row.
class Network : public torch::nn::Module {
 public:
  /// [N, width()]. The generator is for dropout.
  virtual torch::Tensor forward(const Input& input, Generator& generator) = 0;

  virtual std::int64_t width() const = 0;
  /// One line per layer.
  virtual std::vector<std::string> structure() const = 0;
  virtual ReceptiveField receptive_field() const = 0;
  /// See Model::prepare.
  virtual Hierarchy prepare(const Graph& graph) const;
};

/// `outputs` is the width of its rows: for node tasks that of the predictions.
std::shared_ptr<Network> make_flat_network(const ModelConfig& config, std::int64_t outputs,
                                           Generator& generator);
std::shared_ptr<Network> make_g_unet(const ModelConfig& config, std::int64_t outputs,
                                     Generator& generator);
std::shared_ptr<Network> make_hgnet(const ModelConfig& config, std::int64_t outputs,
                                    Generator& generator);

}  // namespace hgnet
