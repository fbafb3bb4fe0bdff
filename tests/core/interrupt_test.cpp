#include "hgnet/core/interrupt.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace hgnet {
namespace {

constexpr int kDone = 42;

/// The wait status of a child that runs f and then exits with kDone.
int status_of(const std::function<void()>& f) {
  const pid_t child = ::fork();
  if (child == 0) {
    // Whoever started the tests may ignore them, as nohup in a script does.
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
    f();
    ::_exit(kDone);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

void expect_done(int status) {
  ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), kDone);
}

void expect_killed_by(int signal, int status) {
  ASSERT_TRUE(WIFSIGNALED(status)) << "exit code " << WEXITSTATUS(status);
  EXPECT_EQ(WTERMSIG(status), signal);
}

void require(bool condition) {
  if (!condition) ::_exit(1);
}

class Interrupt : public testing::TestWithParam<int> {};

TEST_P(Interrupt, FirstSignalSetsTheFlagOnly) {
  expect_done(status_of([] {
    const InterruptGuard guard;
    require(!guard.requested() && guard.signal() == 0);
    ::raise(GetParam());
    require(guard.requested() && guard.signal() == GetParam());
  }));
}

TEST_P(Interrupt, SecondSignalEndsTheProgramWhicheverCameFirst) {
  for (const int first : {SIGINT, SIGTERM}) {
    expect_killed_by(GetParam(), status_of([first] {
                       const InterruptGuard guard;
                       ::raise(first);
                       ::raise(GetParam());
                     }));
  }
}

TEST_P(Interrupt, OldActionIsBackAfterTheGuard) {
  expect_killed_by(GetParam(), status_of([] {
                     {
                       const InterruptGuard guard;
                       ::raise(GetParam());
                     }
                     ::raise(GetParam());
                   }));
  expect_done(status_of([] {
    static volatile std::sig_atomic_t calls = 0;
    std::signal(GetParam(), [](int) { calls = calls + 1; });
    {
      const InterruptGuard guard;
      ::raise(GetParam());
    }
    require(calls == 0);
    ::raise(GetParam());
    require(calls == 1);
  }));
}

TEST_P(Interrupt, IgnoredSignalStaysIgnored) {
  expect_done(status_of([] {
    std::signal(GetParam(), SIG_IGN);
    const InterruptGuard guard;
    ::raise(GetParam());
    require(!guard.requested());
    const int other = GetParam() == SIGINT ? SIGTERM : SIGINT;
    ::raise(other);
    require(guard.signal() == other);
    ::raise(GetParam());
  }));
}

TEST_P(Interrupt, InnerGuardSharesTheFlagAndALaterOneStartsAnew) {
  expect_done(status_of([] {
    {
      const InterruptGuard outer;
      {
        const InterruptGuard inner;
        ::raise(GetParam());
        require(inner.requested());
      }
      require(outer.requested());
    }
    const InterruptGuard later;
    require(!later.requested());
    ::raise(GetParam());
    require(later.requested());
  }));
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, testing::Values(SIGINT, SIGTERM));

}  // namespace
}  // namespace hgnet
