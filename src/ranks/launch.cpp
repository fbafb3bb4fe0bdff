#include "hgnet/ranks/launch.hpp"

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
  const char* local_size;
};
constexpr Starter kTorchrun{"RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE"};
constexpr Starter kMpirun{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                          "OMPI_COMM_WORLD_LOCAL_SIZE"};
constexpr Starter kSrun{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_NTASKS_PER_NODE"};

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
  if (const auto local = variables(starter.local_size))
    launch.local_size = number_of(starter.local_size, *local, 1, launch.size);
  return launch;
}

/// Jobs that share a machine meet at different ports.
std::uint16_t port_of_job(const Variables& variables) {
  constexpr int kFirst = 20000;
  constexpr int kPorts = 10000;
  const std::string job = variables("SLURM_JOB_ID").value_or("0");
  return static_cast<std::uint16_t>(kFirst +
                                    number_of("SLURM_JOB_ID", job, 0, 2'000'000'000) % kPorts);
}

void find_first_of_slurm(Launch& launch, const Variables& variables) {
  const auto nodes = variables("SLURM_JOB_NODELIST");
  if (!nodes)
    throw Error(
        "SLURM_NTASKS is set, but neither MASTER_ADDR nor SLURM_JOB_NODELIST, which would say "
        "where "
        "rank 0 is");
  const std::vector<std::string> hosts = hosts_of(*nodes);
  if (hosts.size() > 1) {
    launch.address = hosts.front();
  } else {
    launch.local_size = launch.size;
  }
  launch.port = port_of_job(variables);
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
  if (!launch && (launch = numbers_of(kSrun, variables)) && launch->size > 1 && !address)
    find_first_of_slurm(*launch, variables);
  if (!launch || launch->size == 1) return std::nullopt;
  if (address) launch->address = *address;
  if (const auto port = variables("MASTER_PORT"))
    launch->port = static_cast<std::uint16_t>(number_of("MASTER_PORT", *port, 1, kMostPort));
  // torchrun's own store, of another version of libtorch perhaps, has the port itself.
  if (variables("TORCHELASTIC_USE_AGENT_STORE") == "True") ++launch->port;
  return launch;
}

}  // namespace hgnet
