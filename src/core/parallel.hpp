#pragma once

#ifndef HGNET_OPENMP
#include <thread>
#include <vector>
#endif

namespace hgnet {

/// Runs body(0) .. body(parts - 1), each on its own thread, and returns when all are done. `body`
/// must not throw. With OpenMP the threads are the ones that libtorch uses: two pools that both
/// spin while they wait would compete for the cores. Without OpenMP (thread sanitizer cannot see
/// into its runtime), threads are started each time.
template <class Body>
void run_parts(int parts, const Body& body) {
  if (parts <= 1) {
    body(0);
    return;
  }
#ifdef HGNET_OPENMP
#pragma omp parallel for num_threads(parts) schedule(static, 1)
  for (int part = 0; part < parts; ++part) body(part);
#else
  std::vector<std::jthread> threads;
  threads.reserve(parts - 1);
  for (int part = 1; part < parts; ++part) threads.emplace_back([&body, part] { body(part); });
  body(0);  // the others join when they go out of scope
#endif
}

}  // namespace hgnet
