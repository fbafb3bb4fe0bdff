#pragma once

namespace hgnet {

/// Threads of this thread's ops, and of BLAS in the whole process.
void set_threads(int threads);

}  // namespace hgnet
