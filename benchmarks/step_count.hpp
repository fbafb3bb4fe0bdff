// The minimum work of a training step, counted from widths, nodes and edges, and how fast this
// machine can do it.

#pragma once

#include "hgnet/models/model.hpp"

namespace hgnet::benchmarks {

/// Floating-point operations, and bytes that pass between the caches near the core and the memory
/// beyond them.
struct Count {
  double operations = 0;
  double bytes = 0;

  Count& operator+=(const Count& other) {
    operations += other.operations;
    bytes += other.bytes;
    return *this;
  }
};

/// For one training step: forward, backward, Adam. Each matrix is counted as read or written once
/// for each time that it must be: batch norm has to see all rows before it can produce the first,
/// forward and backward, and neighbours have to be complete before they are gathered. Levels that a
/// model rebuilds in each step are counted at the sizes that random scores give. `feature_entries`
/// is the number of entries of sparse features, 0 for dense ones.
Count step_count(const Model& model, const Input& input, double feature_entries);

struct MachineRates {
  double operations;    // per second: a large product of float matrices, one thread
  double cache_bytes;   // per second read and written, copying within the second-level cache
  double shared_bytes;  // within the shared cache
  double memory_bytes;  // in main memory
};

MachineRates measure_rates();

}  // namespace hgnet::benchmarks
