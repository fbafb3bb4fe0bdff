#pragma once

#include <memory>
#include <vector>

#include "hgnet/models/network.hpp"
#include "hgnet/nn/block.hpp"
#include "hgnet/nn/join.hpp"
#include "hgnet/nn/layers/molecule.hpp"
#include "hgnet/nn/pool.hpp"

namespace hgnet {

/// What HGNet's frame is put together from. For L levels: L + 1 blocks, L pools, L joins, each by level.
struct HgnetParts {
  AtomEncoder atoms{nullptr};  // molecules: in front of the first block
  BondLevels bonds{nullptr};   // molecules: the edge rows of every level
  std::vector<Block> blocks = {};
  std::vector<std::shared_ptr<Pool>> pools = {};
  std::vector<std::shared_ptr<Join>> joins = {};
  double input_dropout = 0;
  double edge_dropout = 0;
};

/// The way to coarser levels and back:
///   for l = 0 .. L-1:   x_l = block_l(G_l, x);   G_{l+1}, parent_l, x = pool_l(G_l, x_l)
///   x = block_L(G_L, x)
///   for l = L-1 .. 0:   x = join_l(G_l, x_l, parent_l, x)
/// HGNet and g-U-Net are parts put into this frame; so is a pool or a join of one's own.
class HgnetNetwork : public Network {
 public:
  /// Throws Error when the numbers of parts do not fit together.
  explicit HgnetNetwork(HgnetParts parts);

  torch::Tensor forward(const Input& input, Generator& generator) override;

  int num_levels() const { return static_cast<int>(pools_.size()); }
  std::int64_t width() const override;
  std::vector<torch::Tensor> first_layer_parameters() const override;
  std::vector<std::string> structure() const override;
  ReceptiveField receptive_field() const override;

 private:
  AtomEncoder atoms_{nullptr};
  BondLevels bonds_{nullptr};
  std::vector<Block> blocks_;
  std::vector<std::shared_ptr<Pool>> pools_;
  std::vector<std::shared_ptr<Join>> joins_;
  double input_dropout_;
  double edge_dropout_;
};

/// The parts that a configuration asks for; `outputs` is the width of the result's rows. To put a pool of one's own into the frame, take
/// these, change the pools, and make an HgnetNetwork of them.
HgnetParts hgnet_parts(const ModelConfig& config, std::int64_t outputs, Generator& generator);
HgnetParts g_unet_parts(const ModelConfig& config, std::int64_t outputs, Generator& generator);

}  // namespace hgnet
