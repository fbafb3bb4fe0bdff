// Everything the library offers.

#pragma once

#include "hgnet/coarsening/build.hpp"         // IWYU pragma: export
#include "hgnet/coarsening/coarse_graph.hpp"  // IWYU pragma: export
#include "hgnet/coarsening/contraction.hpp"   // IWYU pragma: export
#include "hgnet/coarsening/louvain.hpp"       // IWYU pragma: export
#include "hgnet/coarsening/matching.hpp"      // IWYU pragma: export
#include "hgnet/coarsening/methods.hpp"       // IWYU pragma: export
#include "hgnet/coarsening/report.hpp"        // IWYU pragma: export
#include "hgnet/coarsening/top_k.hpp"         // IWYU pragma: export
#include "hgnet/core/error.hpp"               // IWYU pragma: export
#include "hgnet/core/ids.hpp"                 // IWYU pragma: export
#include "hgnet/core/random.hpp"              // IWYU pragma: export
#include "hgnet/core/version.hpp"             // IWYU pragma: export
#include "hgnet/data/color_connectivity.hpp"  // IWYU pragma: export
#include "hgnet/data/dataset.hpp"             // IWYU pragma: export
#include "hgnet/data/download.hpp"            // IWYU pragma: export
#include "hgnet/data/graph_file.hpp"          // IWYU pragma: export
#include "hgnet/data/load.hpp"                // IWYU pragma: export
#include "hgnet/data/registry.hpp"            // IWYU pragma: export
#include "hgnet/data/split.hpp"               // IWYU pragma: export
#include "hgnet/data/splits.hpp"              // IWYU pragma: export
#include "hgnet/data/statistics.hpp"          // IWYU pragma: export
#include "hgnet/data/tu_writer.hpp"           // IWYU pragma: export
#include "hgnet/data/verify.hpp"              // IWYU pragma: export
#include "hgnet/graph/algorithms.hpp"         // IWYU pragma: export
#include "hgnet/graph/batch.hpp"              // IWYU pragma: export
#include "hgnet/graph/generators.hpp"         // IWYU pragma: export
#include "hgnet/graph/graph.hpp"              // IWYU pragma: export
#include "hgnet/graph/hierarchy.hpp"          // IWYU pragma: export
#include "hgnet/graph/parent_map.hpp"         // IWYU pragma: export
#include "hgnet/graph/sparse_matrix.hpp"      // IWYU pragma: export
#include "hgnet/ops/attention.hpp"            // IWYU pragma: export
#include "hgnet/ops/gcn_norm.hpp"             // IWYU pragma: export
#include "hgnet/ops/instruction_set.hpp"      // IWYU pragma: export
#include "hgnet/ops/segment.hpp"              // IWYU pragma: export
#include "hgnet/ops/softmax.hpp"              // IWYU pragma: export
#include "hgnet/ops/spmm.hpp"                 // IWYU pragma: export
