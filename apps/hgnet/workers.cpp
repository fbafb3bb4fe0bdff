#include "workers.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "hgnet/core/error.hpp"

namespace hgnet::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kOption = "--workers";

std::vector<std::string> without_workers(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == kOption) {
      ++i;  // its value
    } else if (!arguments[i].starts_with(std::string(kOption) + "=")) {
      result.push_back(arguments[i]);
    }
  }
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// Ours, with the variables of a rank.
std::vector<std::string> variables_of(int rank, int size, std::uint16_t port) {
  std::vector<std::string> variables{"RANK=" + std::to_string(rank),
                                     "WORLD_SIZE=" + std::to_string(size),
                                     "LOCAL_RANK=" + std::to_string(rank),
                                     "LOCAL_WORLD_SIZE=" + std::to_string(size),
                                     "MASTER_ADDR=127.0.0.1",
                                     "MASTER_PORT=" + std::to_string(port)};
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text = *each;
    const bool ours = text.starts_with("MASTER_ADDR=") || text.starts_with("MASTER_PORT=");
    if (!ours) variables.emplace_back(text);
  }
  return variables;
}

}  // namespace

Workers::Workers(int size, const std::vector<std::string>& arguments)
    : size_(size), arguments_(without_workers(arguments)) {}

void Workers::start(std::uint16_t port) {
  std::vector<std::string> arguments{"hgnet"};
  arguments.insert(arguments.end(), arguments_.begin(), arguments_.end());
  const std::vector<char*> argv = pointers(arguments);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  int failure = 0;
  for (int rank = 1; rank < size_ && failure == 0; ++rank) {
    std::vector<std::string> variables = variables_of(rank, size_, port);
    Worker worker{.process = 0, .rank = rank};
    failure = ::posix_spawn(&worker.process, "/proc/self/exe", &actions, nullptr, argv.data(),
                            pointers(variables).data());
    if (failure == 0) running_.push_back(worker);
  }
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    throw Error("cannot start worker " + std::to_string(running_.size() + 1) + ": " +
                std::strerror(failure));
}

std::string Workers::one_has_ended() {
  for (auto each = running_.begin(); each != running_.end(); ++each) {
    int status = 0;
    if (::waitpid(each->process, &status, WNOHANG) != each->process) continue;
    const std::string how = WIFSIGNALED(status)
                                ? std::string("by the signal ") + ::strsignal(WTERMSIG(status))
                                : "with exit code " + std::to_string(WEXITSTATUS(status));
    const int rank = each->rank;
    running_.erase(each);
    return "rank " + std::to_string(rank) + " has ended " + how;
  }
  return "";
}

Workers::~Workers() {
  constexpr std::chrono::seconds kPatience{15};
  const auto until = Clock::now() + kPatience;
  while (!running_.empty() && Clock::now() < until) {
    if (one_has_ended().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  for (const Worker& worker : running_) {
    ::kill(worker.process, SIGKILL);
    ::waitpid(worker.process, nullptr, 0);
  }
}

}  // namespace hgnet::app
