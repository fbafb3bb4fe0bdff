#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/sparse_matrix.hpp"

namespace hgnet {

/// A Weisfeiler-Lehman colour: a hash, so that equal ones mean the same in all graphs.
using Colour = std::uint64_t;

/// The colour that a row of features begins with: the sum over its entries other than 0, mixed.
Colour colour_of_entry(std::int64_t column, float value);
Colour colour_of_row(Colour sum_of_entries);

/// By row; equal rows have equal colours, dense or sparse.
std::vector<Colour> colours_of_rows(std::span<const float> dense, std::int64_t width);
std::vector<Colour> colours_of_rows(const SparseMatrix& rows);

/// One round: the colour of each node becomes a hash of its own and of the multiset of its
/// neighbours' colours, each together with the row of the edge to it, if edges have rows and those
/// count. Weights do not count.
std::vector<Colour> refined(const Graph& graph, std::span<const Colour> colours,
                            bool edge_rows = true);

/// Columns of ColourRows: a round's colour as a number that a float holds.
inline constexpr std::int64_t kColourColumns = std::int64_t{1} << 24;

/// Counts of colours, row by row.
class ColourRows {
 public:
  /// Counts the colours of nodes begin .. end - 1 after one of the rounds in the current row.
  void count(int round, std::span<const Colour> colours);
  /// Ends the current row.
  void end_row();
  /// Adds the rows of another one.
  void append(const ColourRows& other);

  SparseMatrix matrix() const;

 private:
  void grow();

  struct Slot {
    std::int64_t row = -1;  // in which it is taken
    NodeId column = 0;
    float count = 0;
  };
  std::vector<Slot> table_ = std::vector<Slot>(64);
  std::vector<std::uint32_t> taken_;  // slots of the current row
  std::vector<EdgeId> offsets_{0};
  std::vector<NodeId> columns_;
  std::vector<float> values_;
};

}  // namespace hgnet
