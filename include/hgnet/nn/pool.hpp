#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>

#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/coarsening/contraction.hpp"
#include "hgnet/coarsening/methods.hpp"
#include "hgnet/coarsening/top_k.hpp"
#include "hgnet/config/kinds.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/hierarchy.hpp"
#include "hgnet/ops/messages.hpp"

namespace hgnet {

/// A level on the path to coarser ones: what a pool may use besides its rows.
struct PoolLevel {
  int number = 0;             // l
  Graph graph;                // G_l
  ParentMap graph_of_node;    // which graph of the batch each node is in
  NodeOrder order;            // decides between edges of equal score
  torch::Tensor pooled = {};  // the rows that the pool below made for it; undefined at level 0
  EdgeRows edges = {};        // for layers that read them
};

struct Pooled {
  Level level;          // the parents of G_l's nodes, and G_{l+1}
  torch::Tensor x;      // rows of the coarse nodes
  torch::Tensor fine;   // rows of the fine nodes, for later use: see ProductAndRows
  torch::Tensor score;  // factor on each coarse row, for joins that divide by it; or undefined
  NodeOrder order;      // of the coarse nodes
};

/// The step to the next coarser level: G_l with rows x becomes G_{l+1} with rows. A learned pool
/// makes the level; a static one takes it from the prepared hierarchy.
class Pool : public torch::nn::Module {
 public:
  virtual Pooled forward(const PoolLevel& level, const torch::Tensor& x,
                         const Hierarchy& prepared) = 0;

  /// "edgepool".
  virtual std::string text() const = 0;
  /// How much a coarse level covers, as text: "a node of level 3 stands for up to 8 nodes".
  virtual std::string reach(int level) const = 0;
};

/// The graph that each coarse node is in, derived from its members.
ParentMap graph_of_coarse_node(const ParentMap& parent, const ParentMap& graph_of_node);

/// The text for pools that merge pairs: "a node of level 3 stands for up to 8 nodes".
std::string reach_of_pairs(int level);

struct PoolOptions {
  std::int64_t width = 0;                  // of the rows
  CoarseGraphOptions coarse = {};          // edgepool
  bool keep_score = false;                 // edgepool: for a join that divides by the score
  Keep keep = {};                          // top-k
  PooledRows pooled = PooledRows::kAfter;  // static coarsenings
};

std::shared_ptr<Pool> make_pool(Coarsening coarsening, const PoolOptions& options,
                                Generator& generator);

}  // namespace hgnet
