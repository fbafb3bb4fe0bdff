// Kills the program at random moments and lets it continue.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "hgnet/core/random.hpp"
#include "support/files.hpp"
#include "support/runs.hpp"

extern char** environ;

namespace hgnet {
namespace {

namespace fs = std::filesystem;
using test::content_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;
using Clock = std::chrono::steady_clock;

/// The running program, with its stderr in a file.
class Process {
 public:
  Process(const std::vector<std::string>& arguments, const fs::path& errors) {
    std::vector<char*> argv{const_cast<char*>(HGNET_PROGRAM)};
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0644);
    EXPECT_EQ(posix_spawn(&pid_, HGNET_PROGRAM, &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
  }

  /// Sends the signal, if any, after that time, and waits. Returns the exit code, or minus the
  /// signal that ended it.
  int finish(int signal = 0, double after = 0) {
    int status = 0;
    const auto end = Clock::now() + std::chrono::duration<double>(after);
    while (signal != 0 && Clock::now() < end) {
      if (::waitpid(pid_, &status, WNOHANG) == pid_) return WEXITSTATUS(status);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (signal != 0) ::kill(pid_, signal);
    ::waitpid(pid_, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t pid_ = 0;
};

class KillTest : public ::testing::Test {
 protected:
  KillTest() {
    ::setenv("HGNET_CACHE", (folder.path() / "cache").c_str(), 1);
    std::string edges, indicator, labels;
    for (int g = 0, node = 1; g < 60; ++g) {
      const int nodes = 5 + g % 7;
      for (int v = 0; v < nodes; ++v) {
        indicator += std::to_string(g + 1) + "\n";
        const int next = v + 1 < nodes ? node + v + 1 : g % 2 == 0 ? node : node + v / 2;
        edges += std::to_string(node + v) + ", " + std::to_string(next) + "\n";
      }
      node += nodes;
      labels += std::to_string(g % 2) + "\n";
    }
    folder.write("SHAPES/SHAPES_A.txt", edges);
    folder.write("SHAPES/SHAPES_graph_indicator.txt", indicator);
    folder.write("SHAPES/SHAPES_graph_labels.txt", labels);
  }

  std::vector<std::string> train(const std::string& name) const {
    return {"train",
            "--dataset",
            (folder.path() / "SHAPES").string(),
            "--model",
            "hgnet-edgepool",
            "--hidden",
            "16",
            "--dropout",
            "0.2",
            "--epochs",
            "60",
            "--quiet",
            "--checkpoint-seconds",
            "0.02",
            "--out",
            (folder.path() / name).string()};
  }

  /// The command that starts the run, or continues it if it has already started.
  std::vector<std::string> command(const std::string& name) const {
    if (!fs::exists(folder.path() / name / "config.toml")) {
      fs::remove_all(folder.path() / name);
      return train(name);
    }
    return {"train", "--resume", (folder.path() / name).string(), "--quiet", "--checkpoint-seconds",
            "0.02"};
  }

  std::string outcome(const std::string& name) const {
    return test::run_outcome(folder.path() / name);
  }

  fs::path errors() const { return folder.path() / "errors"; }

  TemporaryFolder folder;
};

TEST_F(KillTest, NothingIsLost) {
  const auto begin = Clock::now();
  ASSERT_EQ(Process(train("undisturbed"), errors()).finish(), 0) << content_of(errors());
  const double whole = std::chrono::duration<double>(Clock::now() - begin).count();
  const std::string expected = outcome("undisturbed");
  Generator random(static_cast<std::uint64_t>(::getpid()));
  int kills = 0;
  for (int run = 0; kills < 20; ++run) {
    const std::string name = "run" + std::to_string(run);
    for (int tries = 0;; ++tries) {
      // Mostly the later half of the time, in which it trains; a run must finish eventually.
      const double after = tries < 5 ? whole * random.uniform() : 1e3;
      const int code = Process(command(name), errors()).finish(SIGKILL, after);
      if (code == 0) break;
      ASSERT_EQ(code, -SIGKILL) << content_of(errors());
      ++kills;
    }
    ASSERT_EQ(outcome(name), expected);
  }
}

TEST_F(KillTest, InterruptSavesAndSaysHowToGoOn) {
  ASSERT_EQ(Process(train("undisturbed"), errors()).finish(), 0) << content_of(errors());
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string name = "interrupted" + std::to_string(signal);
    int code = 0;
    Process process(train(name), errors());
    // As soon as the first epoch is recorded.
    while (!fs::exists(folder.path() / name / "epochs.jsonl"))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    code = process.finish(signal);
    if (code == 0) continue;  // it finished before the signal
    EXPECT_EQ(code, 1);
    EXPECT_THAT(content_of(errors()),
                HasSubstr("hgnet train --resume " + (folder.path() / name).string()));
    ASSERT_EQ(Process(command(name), errors()).finish(), 0) << content_of(errors());
    EXPECT_EQ(outcome(name), outcome("undisturbed"));
  }
}

}  // namespace
}  // namespace hgnet
