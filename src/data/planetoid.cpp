// The citation graphs. Node order: first the nodes of allx, which start with the training nodes (x,
// y), then the test nodes, whose rows in tx and ty are in the order of test.index.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "data/line_reader.hpp"
#include "data/pickle.hpp"
#include "data/readers.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

constexpr std::int64_t kValidationNodes = 500;
constexpr std::int64_t kMaxTestNode = 1 << 30;

/// Where a node's row is: in the matrix of the test nodes, in that of all others, or nowhere.
struct Rows {
  std::int64_t num_nodes = 0;
  std::int64_t num_other = 0;
  std::vector<std::int64_t> test_row;  // by node - num_other; -1 for a gap in the test index

  /// Calls visit(matrix, row) for each node in order, with -1 for no row.
  template <class Matrix, class Visit>
  void for_each(const Matrix& other, const Matrix& test, const Visit& visit) const {
    for (std::int64_t v = 0; v < num_other; ++v) visit(other, v);
    for (const std::int64_t row : test_row) visit(test, row);
  }
};

std::vector<std::int64_t> read_test_index(ByteStream stream) {
  LineReader reader(std::move(stream));
  std::vector<std::int64_t> index;
  while (reader.next_filled()) {
    index.push_back(reader.integer("test node", 0, kMaxTestNode));
    reader.expect_end("one node");
  }
  if (index.empty()) reader.fail("is empty; expected the test nodes");
  return index;
}

Rows place_rows(const FileSet& files, const std::vector<std::int64_t>& test_index,
                std::int64_t num_other, std::int64_t num_test) {
  const auto [low, high] = std::minmax_element(test_index.begin(), test_index.end());
  if (*low != num_other || static_cast<std::int64_t>(test_index.size()) != num_test) {
    files.fail("test.index has " + std::to_string(test_index.size()) + " nodes from " +
               std::to_string(*low) + "; expected " + std::to_string(num_test) + " from " +
               std::to_string(num_other) + ", as tx and allx have rows");
  }
  // CiteSeer leaves out 15 of 1,015.
  if (*high - *low >= 2 * num_test) files.fail("test.index leaves out most of the nodes it spans");
  Rows rows{*high + 1, num_other, std::vector<std::int64_t>(*high - *low + 1, -1)};
  for (std::int64_t i = 0; i < num_test; ++i) {
    std::int64_t& row = rows.test_row[test_index[i] - num_other];
    if (row >= 0) files.fail("test.index lists node " + std::to_string(test_index[i]) + " twice");
    row = i;
  }
  return rows;
}

/// Rows divided by their sum; a row of zeros stays zero.
SparseMatrix join_features(const FileSet& files, const Rows& rows, const SparseMatrix& other,
                           const SparseMatrix& test) {
  if (other.num_columns() != test.num_columns()) {
    files.fail("allx has " + std::to_string(other.num_columns()) + " columns, tx " +
               std::to_string(test.num_columns()));
  }
  std::vector<EdgeId> offsets{0};
  std::vector<NodeId> columns;
  std::vector<float> values;
  rows.for_each(other, test, [&](const SparseMatrix& matrix, std::int64_t row) {
    if (row >= 0) {
      const CsrView csr = matrix.csr();
      double sum = 0;
      for (EdgeId s = csr.offsets[row]; s < csr.offsets[row + 1]; ++s) sum += matrix.values()[s];
      for (EdgeId s = csr.offsets[row]; s < csr.offsets[row + 1]; ++s) {
        columns.push_back(csr.columns[s]);
        values.push_back(static_cast<float>(sum == 0 ? 0 : matrix.values()[s] / sum));
      }
    }
    offsets.push_back(static_cast<EdgeId>(columns.size()));
  });
  return {other.num_columns(), std::move(offsets), std::move(columns), std::move(values)};
}

/// The non-zero column; kUnlabelled if there is none.
std::vector<std::int32_t> join_labels(const FileSet& files, const Rows& rows,
                                      const PickledMatrix& other, const PickledMatrix& test) {
  if (other.num_columns != test.num_columns || other.num_rows != rows.num_other ||
      test.num_rows != rows.num_nodes - rows.num_other -
                           std::count(rows.test_row.begin(), rows.test_row.end(), -1)) {
    files.fail("the labels in ally and ty do not match the features in allx and tx");
  }
  std::vector<std::int32_t> labels;
  rows.for_each(other, test, [&](const PickledMatrix& matrix, std::int64_t row) {
    std::int32_t label = kUnlabelled;
    for (std::int64_t c = 0; row >= 0 && c < matrix.num_columns; ++c) {
      if (matrix.values[row * matrix.num_columns + c] == 0) continue;
      if (label != kUnlabelled) {
        files.fail("node " + std::to_string(labels.size()) + " has more than one label");
      }
      label = static_cast<std::int32_t>(c);
    }
    labels.push_back(label);
  });
  return labels;
}

Split public_split(std::int64_t num_train, std::int64_t num_other,
                   std::vector<std::int64_t> test_index) {
  Split split;
  split.train.resize(std::min(num_train, num_other));
  std::iota(split.train.begin(), split.train.end(), 0);
  split.val.resize(
      std::min(kValidationNodes, num_other - static_cast<std::int64_t>(split.train.size())));
  std::iota(split.val.begin(), split.val.end(), static_cast<std::int64_t>(split.train.size()));
  std::sort(test_index.begin(), test_index.end());
  split.test = std::move(test_index);
  return split;
}

}  // namespace

Dataset read_planetoid(const FileSet& files, const std::string& name) {
  const auto open = [&](const char* part) { return files.open("ind." + name + "." + part); };
  std::vector<std::int64_t> test_index = read_test_index(open("test.index"));
  const SparseMatrix allx = unpickle_csr_matrix(open("allx"));
  const SparseMatrix tx = unpickle_csr_matrix(open("tx"));
  const PickledMatrix ally = unpickle_matrix(open("ally"));
  const Rows rows = place_rows(files, test_index, allx.num_rows(), tx.num_rows());

  Dataset dataset;
  dataset.name = name;
  dataset.features = join_features(files, rows, allx, tx);
  dataset.columns.kind = kWords;
  dataset.classes = join_labels(files, rows, ally, unpickle_matrix(open("ty")));
  for (std::int64_t c = 0; c < ally.num_columns; ++c) {
    dataset.class_names.push_back(std::to_string(c));
  }
  try {
    dataset.graphs.push_back(Graph::from_edges(rows.num_nodes, unpickle_neighbours(open("graph"))));
  } catch (const InvalidGraph& error) {
    files.fail("ind." + name + ".graph: " + error.what());
  }
  dataset.node_offsets = {0, rows.num_nodes};
  dataset.splits["public"] =
      public_split(unpickle_matrix(open("y")).num_rows, rows.num_other, std::move(test_index));
  return dataset;
}

}  // namespace hgnet
