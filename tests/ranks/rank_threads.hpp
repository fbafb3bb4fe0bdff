#pragma once

#include <exception>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "hgnet/ranks/ranks.hpp"

namespace hgnet::test {

/// Launches for so many ranks that meet on a free port of this machine. All must be used, each on a
/// thread of its own, the first one's before the others': they wait for its port.
class Launches {
 public:
  Launches(int size, double timeout, bool one_machine = true)
      : size_(size), timeout_(timeout), one_machine_(one_machine) {}

  Launch of(int rank) {
    Launch launch;
    launch.rank = rank;
    launch.size = size_;
    launch.local_size = one_machine_ ? size_ : 1;
    launch.timeout = timeout_;
    launch.port = 0;
    if (rank == 0) {
      launch.listening = [this](std::uint16_t port) { port_.set_value(port); };
    } else {
      launch.port = shared_.get();
    }
    return launch;
  }

 private:
  int size_;
  double timeout_;
  bool one_machine_;
  std::promise<std::uint16_t> port_;
  std::shared_future<std::uint16_t> shared_ = port_.get_future().share();
};

/// Runs work(ranks) on a thread for each of `size` ranks, which take each other for processes of
/// one machine or of several. Returns the errors, by rank; empty: none.
inline std::vector<std::string> on_ranks(int size, const std::function<void(const Ranks&)>& work,
                                         double timeout = 20, bool one_machine = true) {
  Launches launches(size, timeout, one_machine);
  std::vector<std::string> errors(static_cast<std::size_t>(size));
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        const Ranks ranks(launches.of(rank));
        try {
          work(ranks);
        } catch (const std::exception& error) {
          ranks.report(error.what());
          throw;
        }
      } catch (const std::exception& error) {
        errors[static_cast<std::size_t>(rank)] = error.what();
      }
    });
  }
  threads.clear();
  return errors;
}

inline std::vector<std::string> no_errors(int size) {
  return std::vector<std::string>(static_cast<std::size_t>(size));
}

}  // namespace hgnet::test
