#include "child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

#include "hgnet/core/error.hpp"

extern char** environ;

namespace hgnet::app {
namespace {

/// A pipe; its ends are closed when they are not needed any more.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  ~Pipe() {
    close_reading();
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_reading() { close(ends_[0]); }
  void close_writing() { close(ends_[1]); }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(std::exchange(end, -1));
  }

  std::array<int, 2> ends_{-1, -1};
};

/// Starts the program; the error number, or 0.
int start(const std::vector<std::string>& arguments, const Pipe& in, const Pipe& out, pid_t& pid) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.reading(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.writing(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;  // with the signals that this program ignores
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  sigaddset(&usual, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int reason = posix_spawnp(&pid, argv.front(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

/// Writes and reads at the same time: both pipes are smaller than what goes through them.
std::string exchange(Pipe& in, std::string_view input, Pipe& out) {
  ::fcntl(in.writing(), F_SETFL, O_NONBLOCK);
  std::string output;
  std::array<char, 1 << 16> buffer;
  while (true) {
    if (input.empty()) in.close_writing();
    std::array<pollfd, 2> ends{{{out.reading(), POLLIN, 0}, {in.writing(), POLLOUT, 0}}};
    if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) break;
    if (ends[1].revents != 0) {
      const ssize_t written = ::write(in.writing(), input.data(), input.size());
      if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
      if (written < 0 && errno != EAGAIN && errno != EINTR) input = {};  // it reads no more
    }
    if (ends[0].revents == 0) continue;
    const ssize_t count = ::read(out.reading(), buffer.data(), buffer.size());
    if (count == 0 || (count < 0 && errno != EINTR)) break;
    if (count > 0) output.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return output;
}

}  // namespace

std::optional<std::string> output_of(const std::vector<std::string>& arguments,
                                     const std::string& input) {
  Pipe in;
  Pipe out;
  pid_t pid = 0;
  const int reason = start(arguments, in, out, pid);
  if (reason == ENOENT) return std::nullopt;
  if (reason != 0) throw Error("cannot run " + arguments.front() + ": " + std::strerror(reason));
  in.close_reading();
  out.close_writing();
  std::string output = exchange(in, input, out);
  out.close_reading();
  in.close_writing();
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Error(arguments.front() + " failed");
  return output;
}

}  // namespace hgnet::app
