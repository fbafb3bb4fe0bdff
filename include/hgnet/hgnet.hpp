// Everything the library offers.

#pragma once

#include "hgnet/core/error.hpp"           // IWYU pragma: export
#include "hgnet/core/ids.hpp"             // IWYU pragma: export
#include "hgnet/core/random.hpp"          // IWYU pragma: export
#include "hgnet/core/version.hpp"         // IWYU pragma: export
#include "hgnet/graph/algorithms.hpp"     // IWYU pragma: export
#include "hgnet/graph/batch.hpp"          // IWYU pragma: export
#include "hgnet/graph/generators.hpp"     // IWYU pragma: export
#include "hgnet/graph/graph.hpp"          // IWYU pragma: export
#include "hgnet/graph/hierarchy.hpp"      // IWYU pragma: export
#include "hgnet/graph/parent_map.hpp"     // IWYU pragma: export
#include "hgnet/graph/sparse_matrix.hpp"  // IWYU pragma: export
#include "hgnet/ops/attention.hpp"        // IWYU pragma: export
#include "hgnet/ops/gcn_norm.hpp"         // IWYU pragma: export
#include "hgnet/ops/segment.hpp"          // IWYU pragma: export
#include "hgnet/ops/softmax.hpp"          // IWYU pragma: export
#include "hgnet/ops/spmm.hpp"             // IWYU pragma: export
