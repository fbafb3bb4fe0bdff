#include "hgnet/train/threads.hpp"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <latch>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/useful_threads.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

/// Throws Error unless so many threads can be started beside those that there are. Where the system
/// refuses one (ulimit -u), libtorch's pool hangs, and OpenMP ends the process.
void require_threads(int count) {
  std::latch all_asked(1);
  std::vector<std::jthread> trials;
  trials.reserve(static_cast<std::size_t>(count));
  std::string refusal;
  try {
    for (int i = 0; i < count; ++i) trials.emplace_back([&] { all_asked.wait(); });
  } catch (const std::exception& error) {
    refusal = error.what();
  }
  all_asked.count_down();
  if (!refusal.empty())
    throw Error("libtorch needs " + std::to_string(count) + " threads more, of which only " +
                std::to_string(trials.size()) + " can be started: " + refusal);
}

/// Makes libtorch's pool, which first has a thread for every processor, whatever is asked for.
void make_pool(int threads) {
  require_threads(std::max(static_cast<int>(::sysconf(_SC_NPROCESSORS_CONF)), threads) - 1);
  at::set_num_threads(threads);
}

}  // namespace

void set_threads(int wanted) {
  static std::once_flag pool;
  const int threads = useful_threads(wanted);
  std::call_once(pool, make_pool, threads);
  require_threads(2 * (threads - 1));  // of the pool, and of OpenMP
  at::set_num_threads(threads);
  // OpenBLAS with its own threads does not follow torch's setting; other BLAS libraries lack this
  // function.
  using SetThreads = void (*)(int);
  static const auto set_blas =
      reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set_blas != nullptr) set_blas(threads);
}

int jobs_within_addresses(int jobs, int threads) {
  rlimit addresses{};
  if (::getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur == RLIM_INFINITY) return jobs;
  // A thread reserves a stack of 8 MB and an arena of malloc of 64 MB; a job has the threads of its
  // ops, one that makes batches, and tensors.
  constexpr rlim_t kThread = rlim_t{72} << 20, kTensors = rlim_t{100} << 20;
  const rlim_t of_a_job = (static_cast<rlim_t>(useful_threads(threads)) + 1) * kThread + kTensors;
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t used = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
  const rlim_t room = addresses.rlim_cur > used ? (addresses.rlim_cur - used) / of_a_job : 0;
  return static_cast<int>(std::clamp<rlim_t>(room, 1, static_cast<rlim_t>(jobs)));
}

}  // namespace hgnet
