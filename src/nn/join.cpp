#include "hgnet/nn/join.hpp"

namespace hgnet {

using MakeJoin = std::shared_ptr<Join>(const JoinOptions&, Generator&);

#define HGNET_ROW(value, name, divides, of_layer, reads_edge_rows, join) MakeJoin make_##join;
HGNET_JOINS(HGNET_ROW)
#undef HGNET_ROW

Join::Join(std::shared_ptr<GraphLayer> layer, const BlockOptions& options) {
  block = register_module("block", Block(std::move(layer), options));
}

torch::Tensor unscored(const FineLevel& level, const torch::Tensor& coarse) {
  return level.score.defined() ? coarse / level.score.unsqueeze(1) : coarse;
}

std::shared_ptr<Join> make_join(JoinKind kind, const JoinOptions& options, Generator& generator) {
  switch (kind) {
#define HGNET_ROW(value, name, divides, of_layer, reads_edge_rows, join) \
  case JoinKind::value: return make_##join(options, generator);
    HGNET_JOINS(HGNET_ROW)
#undef HGNET_ROW
  }
  throw Error("unknown join");
}

}  // namespace hgnet
