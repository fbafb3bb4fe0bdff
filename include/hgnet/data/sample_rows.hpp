// One row per sample, for models that see no edges.

#pragma once

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// How often each Weisfeiler-Lehman colour of the feature rows occurs in a sample after 0 .. rounds
/// rounds; see ColourRows. For a node task, a row has the node's own colours. The result does not
/// depend on the number of threads. `edge_rows`: whether the rows of edges count.
SparseMatrix colour_rows(const Dataset& dataset, int rounds, int threads = 1,
                         bool edge_rows = true);

/// The sums, or means, of the feature rows of each graph's nodes.
SparseMatrix pooled_rows(const Dataset& dataset, bool mean);

/// A data set of graphs with a single node each, which has the sample's row.
Dataset one_node_graphs(const Dataset& dataset, SparseMatrix rows);

}  // namespace hgnet
