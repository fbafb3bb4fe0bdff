// The three kinds of objects in the citation data sets' pickles. All throw InvalidFile.

#pragma once

#include <cstdint>
#include <vector>

#include "data/byte_stream.hpp"
#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/sparse_matrix.hpp"

namespace hgnet {

/// A scipy.sparse.csr_matrix of numbers.
SparseMatrix unpickle_csr_matrix(ByteStream stream);

/// A numpy array of two dimensions, row-major.
struct PickledMatrix {
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::vector<double> values;
};
PickledMatrix unpickle_matrix(ByteStream stream);

/// A dictionary from nodes to the lists of their neighbours.
EdgeList unpickle_neighbours(ByteStream stream);

}  // namespace hgnet
