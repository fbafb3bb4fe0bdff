#include "hgnet/train/threads.hpp"

#include <ATen/Parallel.h>
#include <dlfcn.h>

#include "core/useful_threads.hpp"

namespace hgnet {

void set_threads(int wanted) {
  const int threads = useful_threads(wanted);
  at::set_num_threads(threads);
  // OpenBLAS with its own threads does not follow torch's setting; other BLAS libraries lack this
  // function.
  using SetThreads = void (*)(int);
  static const auto set_blas =
      reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set_blas != nullptr) set_blas(threads);
}

}  // namespace hgnet
