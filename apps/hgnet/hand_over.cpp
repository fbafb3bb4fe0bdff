// hgnet starts without libtorch, whose set-up takes half a second. To compute with tensors it
// becomes the program of the same name that loads libtorch, with the same arguments. Both define
// all commands, and nothing has been printed or written until then.

#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "hgnet/core/error.hpp"
#include "requests.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;

/// Below this program's folder in a build folder, HGNET_TORCH_PROGRAM where it is installed.
fs::path torch_program() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path below = here / "torch/hgnet";
  return fs::exists(below) ? below : (here / HGNET_TORCH_PROGRAM).lexically_normal();
}

std::vector<std::string> arguments() {
  std::vector<std::string> result;
  std::ifstream file("/proc/self/cmdline");
  for (std::string each; std::getline(file, each, '\0');) result.push_back(each);
  if (result.empty()) throw Error("cannot read /proc/self/cmdline");
  return result;
}

/// Below it, libtorch and OpenBLAS end in their own ways, or do not end at all.
void require_address_space() {
  constexpr rlim_t kLeast = rlim_t{1} << 30;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < kLeast)
    throw Error("there is not enough memory: the limit on addresses (ulimit -v) is " +
                std::to_string(limit.rlim_cur / 1024) + " kB; libtorch needs " +
                std::to_string(kLeast / 1024));
}

[[noreturn]] void hand_over() {
  require_address_space();
  std::vector<std::string> words = arguments();
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const fs::path program = torch_program();
  ::execv(program.c_str(), argv.data());
  const std::string reason = std::strerror(errno);
  throw Error("cannot start " + program.string() +
              ", the part of hgnet that trains and applies models: " + reason);
}

}  // namespace

void run_train(const TrainRequest& /*options*/) { hand_over(); }
void run_tune(const TuneRequest& /*options*/) { hand_over(); }
void run_evaluate(const EvaluateRequest& /*options*/) { hand_over(); }
void run_predict(const PredictRequest& /*options*/) { hand_over(); }
void run_compare(const CompareRequest& /*options*/) { hand_over(); }
void run_reproduce(const ReproduceRequest& /*options*/, const std::vector<PlannedFit>& /*fits*/) {
  hand_over();
}
void run_probe(const ProbeRequest& /*options*/) { hand_over(); }
void run_selfcheck(const SelfcheckRequest& /*options*/) { hand_over(); }
Judge model_judge(const std::string& /*name*/, int /*threads*/) { hand_over(); }

}  // namespace hgnet::app
