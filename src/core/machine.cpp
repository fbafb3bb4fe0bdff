#include "hgnet/core/machine.hpp"

#include <fstream>
#include <thread>

namespace hgnet {
namespace {

/// The first "model name : ..." of Linux' list of processors; empty if there is none.
std::string processor_name() {
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

}  // namespace

std::string machine() {
  const std::string name = processor_name();
  const unsigned cores = std::thread::hardware_concurrency();
  return (name.empty() ? "" : name + ", ") + std::to_string(cores) +
         (cores == 1 ? " core" : " cores");
}

}  // namespace hgnet
