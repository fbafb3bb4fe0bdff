#include "hgnet/nn/join.hpp"

#include "nn/joins/joins.hpp"

namespace hgnet {
namespace {

struct JoinRow {
  JoinKind kind;
  std::shared_ptr<Join> (*make)(const JoinOptions&, Generator&);
};

constexpr JoinRow kJoins[] = {{JoinKind::kRgcn, make_rgcn_join},
                              {JoinKind::kSum, make_sum_join},
                              {JoinKind::kConcat, make_concat_join},
                              {JoinKind::kParent, make_parent_join}};

}  // namespace

Join::Join(std::shared_ptr<GraphLayer> layer, const BlockOptions& options) {
  block = register_module("block", Block(std::move(layer), options));
}

torch::Tensor unscored(const FineLevel& level, const torch::Tensor& coarse) {
  return level.score.defined() ? coarse / level.score.unsqueeze(1) : coarse;
}

std::shared_ptr<Join> make_join(JoinKind kind, const JoinOptions& options, Generator& generator) {
  for (const JoinRow& row : kJoins) {
    if (row.kind == kind) return row.make(options, generator);
  }
  throw Error("unknown join");
}

}  // namespace hgnet
