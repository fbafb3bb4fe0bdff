#include "hgnet/nn/layer.hpp"

#include "hgnet/nn/layers/cheb.hpp"
#include "hgnet/nn/layers/edge_rows.hpp"
#include "hgnet/nn/layers/gat.hpp"
#include "hgnet/nn/layers/gcn.hpp"
#include "hgnet/nn/layers/gin.hpp"

namespace hgnet {

namespace {

std::shared_ptr<GraphLayer> make_edge_layer(const LayerOptions& o, Generator& generator) {
  if (o.kind == LayerKind::kGcn) return std::make_shared<EdgeGcnLayerImpl>(o.in, o.out, generator);
  if (o.kind == LayerKind::kGin)
    return std::make_shared<EdgeGinLayerImpl>(
        GinOptions{o.in, o.out, o.batch_norm, o.trainable_eps}, o.gin_expansion * o.out, generator);
  throw Error("no " + std::string(enum_name(o.kind)) +
              " layer reads rows of edges; they need the layer gcn or gin");
}

}  // namespace

std::shared_ptr<GraphLayer> make_layer(const LayerOptions& o, Generator& generator) {
  if (o.edge_rows) return make_edge_layer(o, generator);
  switch (o.kind) {
    case LayerKind::kGcn:
      return std::make_shared<GcnLayerImpl>(GcnOptions{o.in, o.out, o.fill}, generator);
    case LayerKind::kGin:
      return std::make_shared<GinLayerImpl>(GinOptions{o.in, o.out, o.batch_norm, o.trainable_eps},
                                            generator);
    case LayerKind::kGat:
      if (o.heads < 1 || o.out % o.heads != 0) {
        throw Error("gat: width " + std::to_string(o.out) + " cannot be split into " +
                    std::to_string(o.heads) + " heads; it must be a multiple of their number");
      }
      return std::make_shared<GatLayerImpl>(
          GatOptions{o.in, o.out / o.heads, o.heads, o.attention_dropout}, generator);
    case LayerKind::kCheb:
      return std::make_shared<ChebLayerImpl>(ChebOptions{o.in, o.out, o.cheb_order}, generator);
  }
  throw Error("unknown layer");
}

}  // namespace hgnet
