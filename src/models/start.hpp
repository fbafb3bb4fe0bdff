// The starting point of every network.

#pragma once

#include "hgnet/graph/edge_dropout.hpp"
#include "hgnet/models/input.hpp"
#include "hgnet/nn/layers/molecule.hpp"
#include "hgnet/nn/tail.hpp"

namespace hgnet {

/// G_0; while training, without a share of its edges.
inline Graph start_graph(const Input& input, double edge_dropout, bool training,
                         Generator& generator) {
  return drop_edges(input.hierarchy.graph(0), training ? edge_dropout : 0.0, generator);
}

/// The features, with dropout while training; for molecules, the encoded atoms.
inline Features start_rows(const Input& input, double dropout, bool training,
                           const AtomEncoder& atoms, Generator& generator) {
  Features x = input.x.dropped(draw_dropout(dropout, training, generator));
  return atoms ? Features(atoms->forward(x)) : x;
}

}  // namespace hgnet
