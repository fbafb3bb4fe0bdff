#pragma once

namespace hgnet {

/// Sets the number of threads for the calling thread's ops, and for BLAS in the whole process: as
/// many as wanted, up to the number of cores. Throws Error if the system does not let them start.
void set_threads(int wanted);

/// How many of `jobs`, with `threads` threads each, the limit on addresses (ulimit -v) leaves room
/// for; at least one. Where a thread or its memory is refused, libtorch and OpenMP crash or hang.
int jobs_within_addresses(int jobs, int threads);

}  // namespace hgnet
