#pragma once

namespace hgnet {

/// Sets the number of threads for the calling thread's ops, and for BLAS in the whole process: as
/// many as wanted, up to the number of cores. Throws Error if the system does not let them start.
void set_threads(int wanted);

}  // namespace hgnet
