#pragma once

namespace hgnet {

/// Sets the number of threads for the calling thread's ops, and for BLAS in the whole process: as
/// many as wanted, up to the number of cores. Throws Error if the system does not let them start.
void set_threads(int wanted);

/// How many of these jobs of so many threads have room within the limit on addresses (ulimit -v), at
/// least one. Where a thread or its memory is refused, libtorch and OpenMP crash or wait for ever.
int jobs_within_addresses(int jobs, int threads);

}  // namespace hgnet
