// What a program that embeds a model needs: graphs, hierarchies of graphs, models and their files.
// The ops and layers that models are made of have their own headers; data sets and training are in
// hgnet/lab.hpp.

#pragma once

#include "hgnet/coarsening/build.hpp"         // IWYU pragma: export
#include "hgnet/coarsening/measures.hpp"      // IWYU pragma: export
#include "hgnet/coarsening/methods.hpp"       // IWYU pragma: export
#include "hgnet/config/model_config.hpp"      // IWYU pragma: export
#include "hgnet/config/model_table.hpp"       // IWYU pragma: export
#include "hgnet/core/error.hpp"               // IWYU pragma: export
#include "hgnet/core/ids.hpp"                 // IWYU pragma: export
#include "hgnet/core/memory.hpp"              // IWYU pragma: export
#include "hgnet/core/random.hpp"              // IWYU pragma: export
#include "hgnet/core/task.hpp"                // IWYU pragma: export
#include "hgnet/core/version.hpp"             // IWYU pragma: export
#include "hgnet/graph/algorithms.hpp"         // IWYU pragma: export
#include "hgnet/graph/batch.hpp"              // IWYU pragma: export
#include "hgnet/graph/generators.hpp"         // IWYU pragma: export
#include "hgnet/graph/graph.hpp"              // IWYU pragma: export
#include "hgnet/graph/hierarchy.hpp"          // IWYU pragma: export
#include "hgnet/graph/parent_map.hpp"         // IWYU pragma: export
#include "hgnet/graph/sparse_matrix.hpp"      // IWYU pragma: export
#include "hgnet/kernels/instruction_set.hpp"  // IWYU pragma: export
#include "hgnet/models/archive.hpp"           // IWYU pragma: export
#include "hgnet/models/input.hpp"             // IWYU pragma: export
#include "hgnet/models/model.hpp"             // IWYU pragma: export
#include "hgnet/nn/features.hpp"              // IWYU pragma: export
