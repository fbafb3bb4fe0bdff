#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hgnet/core/version.hpp"

namespace hgnet {

/// How one of several processes finds the others: rank 0 opens a store at `address`, and the rest
/// come to it.
struct Launch {
  int rank = 0;
  int size = 1;
  int local_size = 1;                 // ranks on this machine; 1 if not known
  std::string address = "127.0.0.1";  // of rank 0
  std::uint16_t port = 29500;         // 0, for rank 0 only: any that is free
  double timeout = 60;                // seconds without a sign of life
  std::string program = version();    // the same on all ranks

  /// Rank 0: called once the store listens, with its port.
  std::function<void(std::uint16_t port)> listening;
  /// Rank 0: called while it waits for the others; a text is why they will not come.
  std::function<std::string()> given_up;

  /// Whether all ranks are on this machine, and nothing needs to listen beyond it.
  bool on_loopback() const;
};

/// The value of a variable, if it is set.
using Variables = std::function<std::optional<std::string>(const std::string& name)>;
Variables environment();

/// What the starter of this process has told it; none if it runs alone. The first that is set of
///   RANK, WORLD_SIZE                              torchrun, or by hand
///   OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE    mpirun
///   SLURM_PROCID, SLURM_STEP_NUM_TASKS            srun
/// counts; SLURM's only in a step that srun has started: a batch script has some of them, too, and
/// runs alone. MASTER_ADDR and MASTER_PORT say where rank 0 is; otherwise it is on the first machine
/// of SLURM_STEP_NODELIST, or on this one. Throws Error, naming them, for variables that are missing
/// or wrong.
std::optional<Launch> launch_from(const Variables& variables);

/// Host names of a SLURM list: "node[01-03,7],login" is node01, node02, node03, node7, login.
/// Throws Error if it is none.
std::vector<std::string> hosts_of(const std::string& node_list);

/// Tasks on each machine, of SLURM's form: "2(x3),1" is 2, 2, 2, 1. Throws Error if it is none.
std::vector<int> tasks_of(const std::string& tasks_per_node);

}  // namespace hgnet
