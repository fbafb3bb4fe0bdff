#pragma once

#include <span>

#include "hgnet/core/ids.hpp"

namespace hgnet {

/// The positions of a sparse matrix's entries, row by row. A slot is an index into `columns`; row r
/// owns the slots offsets[r] .. offsets[r + 1] - 1. Does not own what it points to.
struct CsrView {
  std::span<const EdgeId> offsets;  // one more entry than there are rows
  std::span<const NodeId> columns;
  std::int64_t num_columns = 0;

  std::int64_t num_rows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t num_slots() const { return static_cast<std::int64_t>(columns.size()); }
};

}  // namespace hgnet
