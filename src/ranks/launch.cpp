#include "hgnet/ranks/launch.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

constexpr int kMostRanks = 4096;
constexpr int kMostPort = 65535;

int number_of(const std::string& name, const std::string& text, int least, int most) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size() || number < least || number > most)
    throw Error(name + " is '" + text + "'; expected a number from " + std::to_string(least) +
                " to " + std::to_string(most));
  return number;
}

/// Names of the variables of one kind of starter.
struct Starter {
  const char* rank;
  const char* size;
  const char* local_size;  // or null
};
constexpr Starter kTorchrun{"RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE"};
constexpr Starter kMpirun{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                          "OMPI_COMM_WORLD_LOCAL_SIZE"};

/// None if neither rank nor size is set.
std::optional<Launch> numbers_of(const Starter& starter, const Variables& variables) {
  const auto rank = variables(starter.rank);
  const auto size = variables(starter.size);
  if (!rank && !size) return std::nullopt;
  if (!rank || !size)
    throw Error(std::string(rank ? starter.rank : starter.size) + " is set, but " +
                (rank ? starter.size : starter.rank) +
                " is not: set both to train with several processes, or neither");
  Launch launch;
  launch.size = number_of(starter.size, *size, 1, kMostRanks);
  launch.rank = number_of(starter.rank, *rank, 0, launch.size - 1);
  if (starter.local_size == nullptr) return launch;
  if (const auto local = variables(starter.local_size))
    launch.local_size = number_of(starter.local_size, *local, 1, launch.size);
  return launch;
}

/// Of a step if SLURM tells it, else of the job; none if neither is set.
std::optional<std::string> of_step(const char* step, const char* job, const Variables& variables) {
  const auto value = variables(step);
  return value ? value : variables(job);
}

/// Whether srun has started this process. A batch script and the shell of salloc have SLURM_PROCID
/// or SLURM_NTASKS, too, but no step, or one that has a number above all of srun's.
bool in_step_of_srun(const Variables& variables) {
  constexpr std::uint32_t kOwnSteps = 0xfffffff0;
  const std::string step = variables("SLURM_STEP_ID").value_or("");
  std::uint32_t number = 0;
  const auto [end, failure] = std::from_chars(step.data(), step.data() + step.size(), number);
  return failure == std::errc() && end == step.data() + step.size() && number < kOwnSteps;
}

/// Tasks of the step on this machine; 1 if SLURM does not say.
int local_tasks(const Variables& variables, int size) {
  const auto tasks = of_step("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE", variables);
  const auto node = variables("SLURM_NODEID");
  if (!tasks || !node) return 1;
  const std::vector<int> by_node = tasks_of(*tasks);
  const int last = static_cast<int>(by_node.size()) - 1;
  return std::clamp(by_node[number_of("SLURM_NODEID", *node, 0, last)], 1, size);
}

std::optional<Launch> launch_of_srun(const Variables& variables) {
  if (!in_step_of_srun(variables)) return std::nullopt;
  const char* size = variables("SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS";
  std::optional<Launch> launch = numbers_of({"SLURM_PROCID", size, nullptr}, variables);
  if (launch) launch->local_size = local_tasks(variables, launch->size);
  return launch;
}

/// Jobs that share a machine, and steps of a job, meet at different ports.
std::uint16_t port_of_step(const Variables& variables) {
  constexpr int kFirst = 20000;
  constexpr long kPorts = 10000;
  constexpr long kApart = 1009;  // so that a step and the next job's first differ
  const std::string job = variables("SLURM_JOB_ID").value_or("0");
  const long step = std::stol(variables("SLURM_STEP_ID").value());
  const long number = number_of("SLURM_JOB_ID", job, 0, 2'000'000'000) + kApart * step;
  return static_cast<std::uint16_t>(kFirst + number % kPorts);
}

void find_first_of_slurm(Launch& launch, const Variables& variables) {
  const auto nodes = of_step("SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", variables);
  if (!nodes)
    throw Error(
        "SLURM_STEP_ID is set, but neither MASTER_ADDR nor SLURM_STEP_NODELIST, which would say "
        "where rank 0 is");
  const std::vector<std::string> hosts = hosts_of(*nodes);
  if (hosts.size() > 1) launch.address = hosts.front();
  launch.port = port_of_step(variables);
}

void check_first_of_mpirun(const Launch& launch) {
  if (launch.local_size < launch.size)
    throw Error("MASTER_ADDR is not set: mpirun has started " + std::to_string(launch.size) +
                " ranks on several machines, and they need the address of rank 0's");
}

}  // namespace

bool Launch::on_loopback() const {
  return address.starts_with("127.") || address == "localhost" || address == "::1";
}

Variables environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
}

std::optional<Launch> launch_from(const Variables& variables) {
  const auto address = variables("MASTER_ADDR");
  auto launch = numbers_of(kTorchrun, variables);
  if (!launch && (launch = numbers_of(kMpirun, variables)) && !address)
    check_first_of_mpirun(*launch);
  if (!launch && (launch = launch_of_srun(variables)) && launch->size > 1 && !address)
    find_first_of_slurm(*launch, variables);
  if (!launch || launch->size == 1) return std::nullopt;
  if (address) launch->address = *address;
  if (launch->on_loopback()) launch->local_size = launch->size;
  if (const auto port = variables("MASTER_PORT"))
    launch->port = static_cast<std::uint16_t>(number_of("MASTER_PORT", *port, 1, kMostPort));
  // torchrun's own store, of another version of libtorch perhaps, has the port itself.
  if (variables("TORCHELASTIC_USE_AGENT_STORE") == "True") ++launch->port;
  return launch;
}

}  // namespace hgnet
