#pragma once

namespace hgnet {

/// Sets the number of threads for the calling thread's ops, and for BLAS in the whole process.
void set_threads(int threads);

}  // namespace hgnet
