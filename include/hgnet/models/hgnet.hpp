#pragma once

#include <memory>
#include <vector>

#include "hgnet/models/network.hpp"
#include "hgnet/nn/block.hpp"
#include "hgnet/nn/join.hpp"
#include "hgnet/nn/layers/edge_rows.hpp"
#include "hgnet/nn/pool.hpp"

namespace hgnet {

/// The parts of an HgnetNetwork. For L levels: L + 1 blocks, L pools and L joins, each in the order
/// of levels.
struct HgnetParts {
  NodeEncoder encoder{nullptr};  // where layers read edge rows: in front of the first block
  EdgeLevels edges{nullptr};     // the same: the edge rows of every level
  std::vector<Block> blocks = {};
  std::vector<std::shared_ptr<Pool>> pools = {};
  std::vector<std::shared_ptr<Join>> joins = {};
  double input_dropout = 0;
  double edge_dropout = 0;
};

/// The path to coarser levels and back:
///   for l = 0 .. L-1:   x_l = block_l(G_l, x);   G_{l+1}, parent_l, x = pool_l(G_l, x_l)
///   x = block_L(G_L, x)
///   for l = L-1 .. 0:   x = join_l(G_l, x_l, parent_l, x)
/// HGNet and g-U-Net differ only in their parts; custom pools and joins fit in the same way.
class HgnetNetwork : public Network {
 public:
  /// Throws Error if the numbers of parts do not match.
  explicit HgnetNetwork(HgnetParts parts);

  torch::Tensor forward(const Input& input, Generator& generator) override;

  int num_levels() const { return static_cast<int>(pools_.size()); }
  std::int64_t width() const override;
  std::vector<torch::Tensor> first_layer_parameters() const override;
  std::vector<std::string> structure() const override;
  ReceptiveField receptive_field() const override;

 private:
  PoolLevel first_level(const Input& input, Generator& generator) const;
  PoolLevel next_level(const PoolLevel& level, const Pooled& pooled) const;

  NodeEncoder encoder_{nullptr};
  EdgeLevels edges_{nullptr};
  std::vector<Block> blocks_;
  std::vector<std::shared_ptr<Pool>> pools_;
  std::vector<std::shared_ptr<Join>> joins_;
  double input_dropout_;
  double edge_dropout_;
};

/// The parts for a configuration; `outputs` is the width of the result's rows. To use a custom
/// pool, take these parts, replace the pools, and make an HgnetNetwork of them.
HgnetParts hgnet_parts(const ModelConfig& config, std::int64_t outputs, Generator& generator);
HgnetParts g_unet_parts(const ModelConfig& config, std::int64_t outputs, Generator& generator);

}  // namespace hgnet
