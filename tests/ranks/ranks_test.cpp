// Ranks as threads of one process: what they exchange, and what happens when one is missing or
// fails.

#include "hgnet/ranks/ranks.hpp"

#include <gmock/gmock.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <torch/torch.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <sstream>

#include "hgnet/ranks/gradient_sum.hpp"
#include "ranks/loopback.hpp"
#include "ranks/rank_threads.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::Launches;
using test::no_errors;
using test::on_ranks;
using ::testing::Each;
using ::testing::HasSubstr;
using torch::Tensor;

TEST(Ranks, AloneChangesNothing) {
  const Ranks ranks;
  const Tensor values = torch::ones({3});
  ranks.sum(values);
  EXPECT_TRUE(values.equal(torch::ones({3})));
  EXPECT_EQ(ranks.of_first("a"), "a");
  EXPECT_EQ(ranks.of_all("a"), std::vector<std::string>{"a"});
  ranks.meet();
}

/// So many values of a rank, none of them round.
Tensor values_of(int rank, std::int64_t count) {
  return torch::arange(count).to(torch::kFloat32) * 0.1F + rank / 3.0F;
}

void expect_sums(int size, std::int64_t count, bool one_machine) {
  SCOPED_TRACE(testing::Message() << size << " ranks, " << count << " values, one machine "
                                  << one_machine);
  std::vector<Tensor> sums(size);
  const auto work = [&](const Ranks& ranks) {
    const Tensor values = values_of(ranks.rank(), count);
    const auto later = ranks.sum_later(values);
    std::vector<double> few{1.0, static_cast<double>(ranks.rank())};
    ranks.sum(few);
    EXPECT_EQ(few, (std::vector<double>{1.0 * size, size * (size - 1) / 2.0}));
    later();
    sums[ranks.rank()] = values;
  };
  EXPECT_EQ(on_ranks(size, work, 20, one_machine), no_errors(size));
  Tensor expected = torch::zeros({count}, torch::kFloat64);
  for (int rank = 0; rank < size; ++rank) expected += values_of(rank, count).to(torch::kFloat64);
  for (const Tensor& sum : sums) {
    EXPECT_TRUE(sum.equal(sums[0]));
    EXPECT_TRUE(torch::allclose(sum.to(torch::kFloat64), expected, 1e-5, 1e-5));
  }
}

TEST(Ranks, SumsAreTheSameOnAllRanks) {
  for (const int size : {2, 3, 4, 7}) expect_sums(size, 1000, true);
}

TEST(Ranks, SumsOfManyValuesAreTheSameOnAllRanks) {
  // More than two processes send to each other before they read, and no whole number of parts.
  for (const int size : {2, 3, 4}) {
    expect_sums(size, 5'000, true);
    expect_sums(size, 1'000'003, true);
    expect_sums(size, 1'000'003, false);
  }
}

TEST(Ranks, TextOfAllReachesAll) {
  EXPECT_EQ(on_ranks(3,
                     [](const Ranks& ranks) {
                       const std::string own(ranks.rank() * 2, 'a');
                       EXPECT_EQ(ranks.of_all(own), (std::vector<std::string>{"", "aa", "aaaa"}));
                       EXPECT_EQ(ranks.of_first(std::to_string(ranks.rank())), "0");
                       EXPECT_EQ(ranks.of_all(""), std::vector<std::string>(3));
                       ranks.meet();
                     }),
            no_errors(3));
}

TEST(Ranks, AnErrorOfOneReachesAll) {
  const auto errors = on_ranks(3, [](const Ranks& ranks) {
    ranks.meet();
    if (ranks.rank() == 1) throw Error("no more paper");
    ranks.sum(torch::ones({1}));
  });
  EXPECT_EQ(errors[1], "no more paper");
  EXPECT_THAT(errors[0], HasSubstr("rank 1 has failed: no more paper"));
  EXPECT_THAT(errors[2], HasSubstr("rank 1 has failed: no more paper"));
}

TEST(Ranks, ARankThatDoesNotComeToAnExchangeIsNamed) {
  const auto errors = on_ranks(
      2,
      [](const Ranks& ranks) {
        if (ranks.rank() == 0) ranks.sum(torch::ones({1}));
        if (ranks.rank() == 1) {
          std::this_thread::sleep_for(std::chrono::seconds(4));
          ranks.sum(torch::ones({1}));
        }
      },
      1);
  EXPECT_THAT(errors[0], HasSubstr("rank 1 hangs"));
  EXPECT_THAT(errors[1], HasSubstr("rank 1 hangs"));
}

TEST(Ranks, AMeetingTakesAsLongAsTheLastNeedsToCome) {
  EXPECT_EQ(on_ranks(
                3,
                [](const Ranks& ranks) {
                  for (int meeting = 0; meeting < 20; ++meeting) ranks.meet();
                  std::this_thread::sleep_for(std::chrono::milliseconds(2500 * ranks.rank()));
                  ranks.meet();
                  ranks.sum(torch::ones({1}));
                },
                1),
            no_errors(3));
}

TEST(Ranks, ARankThatFailsOrLeavesEndsTheMeetingOfTheOthers) {
  auto errors = on_ranks(3, [](const Ranks& ranks) {
    if (ranks.rank() == 1) throw Error("no more paper");
    ranks.meet();
  });
  EXPECT_THAT(errors[0], HasSubstr("rank 1 has failed: no more paper"));
  EXPECT_THAT(errors[2], HasSubstr("rank 1 has failed: no more paper"));
  errors = on_ranks(3, [](const Ranks& ranks) {
    if (ranks.rank() != 1) ranks.meet();
  });
  EXPECT_THAT(errors[0], HasSubstr("rank 1 has left while others wait for it"));
  EXPECT_THAT(errors[2], HasSubstr("rank 1 has left while others wait for it"));
}

constexpr const char* kStoppedRank = "HGNET_TEST_STOPPED_RANK";

/// So many ranks on this machine, of which the test below starts one: "RANK PORT" in the variable.
Launch launch_of_stopped(int rank, std::uint16_t port) {
  Launch launch;
  launch.rank = rank;
  launch.size = launch.local_size = 2;
  launch.port = port;
  launch.timeout = 10;  // a process needs some seconds to start on a busy machine
  return launch;
}

TEST(Ranks, DISABLED_StopsOnceItIsConnected) {
  const char* told = std::getenv(kStoppedRank);
  ASSERT_NE(told, nullptr);
  int rank = 0, started = 0;
  std::uint16_t port = 0;
  std::istringstream(told) >> rank >> port >> started;
  ASSERT_EQ(::write(started, "", 1), 1);
  const Ranks ranks(launch_of_stopped(rank, port));
  std::raise(SIGSTOP);
}

/// A process that is the rank and stops, as if it hung while it loads data.
class StoppedRank {
 public:
  StoppedRank(int rank, std::uint16_t port) {
    int started[2];  // to load libtorch may take longer than ranks wait for each other
    EXPECT_EQ(::pipe(started), 0);
    const std::string told =
        std::to_string(rank) + " " + std::to_string(port) + " " + std::to_string(started[1]);
    ::setenv(kStoppedRank, told.c_str(), 1);
    std::vector<std::string> words{"ranks_tests", "--gtest_also_run_disabled_tests",
                                   "--gtest_filter=Ranks.DISABLED_StopsOnceItIsConnected"};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    EXPECT_EQ(::posix_spawn(&process_, "/proc/self/exe", nullptr, nullptr, argv.data(), environ),
              0);
    ::close(started[1]);
    char byte = 0;
    EXPECT_EQ(::read(started[0], &byte, 1), 1);
    ::close(started[0]);
  }
  ~StoppedRank() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  StoppedRank(const StoppedRank&) = delete;
  StoppedRank& operator=(const StoppedRank&) = delete;

 private:
  pid_t process_ = 0;
};

/// Of the connections that this process has accepted at the port.
void reset_connections(std::uint16_t port) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int descriptor = std::stoi(entry.path().filename().string());
    sockaddr_in6 address{};  // as c10d listens
    socklen_t length = sizeof address;
    auto* pointer = reinterpret_cast<sockaddr*>(&address);
    if (::getsockname(descriptor, pointer, &length) != 0 || ntohs(address.sin6_port) != port ||
        ::getpeername(descriptor, pointer, &length) != 0)
      continue;
    address = {};
    address.sin6_family = AF_UNSPEC;
    EXPECT_EQ(::connect(descriptor, pointer, sizeof address), 0);
  }
}

TEST(Ranks, AStoreThatResetsItsConnectionsEndsAllRanksInOrder) {
  Launches launches(2, 5);
  std::vector<std::string> errors(2);
  const auto work = [&](int rank) {
    const Launch launch = launches.of(rank);
    errors[rank] = test::error_of<Error>([&] {
      const Ranks ranks(launch);
      ranks.meet();
      if (rank == 1) reset_connections(launch.port);
      while (true) ranks.sum(torch::ones({1}));
    });
  };
  std::jthread first([&] { work(0); });
  work(1);
  first.join();
  EXPECT_THAT(errors, Each(HasSubstr("rank 0")));
}

TEST(Ranks, AMissingRankIsNamedOnAllThatCame) {
  Launches launches(3, 1);
  std::vector<std::string> errors(2);
  std::jthread first(
      [&] { errors[0] = test::error_of<Error>([&] { Ranks ranks(launches.of(0)); }); });
  errors[1] = test::error_of<Error>([&] { Ranks ranks(launches.of(1)); });
  first.join();
  EXPECT_THAT(errors, Each(HasSubstr("of 3 ranks, these have not come within 1 s: 2")));
}

/// Errors by rank of three, of which one has another program and the last comes later.
std::vector<std::string> errors_with_other_program(int which, std::chrono::seconds later) {
  Launches launches(3, 5);
  std::vector<std::string> errors(3);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < 3; ++rank) {
    threads.emplace_back([&, rank] {
      Launch launch = launches.of(rank);
      if (rank == which) launch.program = "0.0.1";
      if (rank == 2) std::this_thread::sleep_for(later);
      errors[rank] = test::error_of<Error>([&] { Ranks ranks(launch); });
    });
  }
  threads.clear();
  return errors;
}

TEST(Ranks, RanksOfDifferentProgramsRefuseEachOther) {
  const std::string own = ", but rank 0 is hgnet " + version() + " of 3 ranks";
  EXPECT_THAT(errors_with_other_program(2, std::chrono::seconds(0)),
              Each("rank 2 is hgnet 0.0.1 of 3 ranks" + own));
  EXPECT_THAT(errors_with_other_program(1, std::chrono::seconds(2)),
              Each("rank 1 is hgnet 0.0.1 of 3 ranks" + own));
}

TEST(Ranks, RanksThatCountDifferentlyRefuseEachOther) {
  Launches launches(2, 5);
  std::string first_error;
  std::jthread first(
      [&] { first_error = test::error_of<Error>([&] { Ranks ranks(launches.of(0)); }); });
  Launch other = launches.of(1);
  other.size = 3;
  EXPECT_THAT(test::error_of<Error>([&] { Ranks ranks(other); }), HasSubstr("but rank 0 is hgnet"));
  first.join();
  EXPECT_THAT(first_error, HasSubstr("rank 1 is hgnet"));
}

TEST(Ranks, TwoProcessesWithOneRankRefuse) {
  Launches launches(2, 3);
  std::vector<std::string> errors(2);
  std::jthread first(
      [&] { errors[0] = test::error_of<Error>([&] { Ranks ranks(launches.of(0)); }); });
  Launch twin = launches.of(1);
  twin.rank = 0;
  twin.listening = nullptr;
  EXPECT_THAT(test::error_of<Error>([&] { Ranks ranks(twin); }), HasSubstr("the port is in use"));
  std::jthread second(
      [&] { errors[1] = test::error_of<Error>([&] { Ranks ranks(launches.of(1)); }); });
  second.join();
  first.join();
  EXPECT_THAT(errors, Each("no error"));
}

/// Listens, accepts nothing.
class OtherProgram {
 public:
  OtherProgram() {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    socklen_t length = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), length), 0);
    EXPECT_EQ(::listen(socket_, 4), 0);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length), 0);
    port_ = ntohs(address.sin_port);
  }
  ~OtherProgram() { ::close(socket_); }

  std::uint16_t port() const { return port_; }

 private:
  int socket_;
  std::uint16_t port_ = 0;
};

TEST(Ranks, APortOfAnotherProgramIsAnErrorOnEveryRank) {
  static const OtherProgram other;  // to the end: c10d's threads do not survive that it closes
  Launch launch;
  launch.size = 2;
  launch.timeout = 1;
  launch.port = other.port();
  EXPECT_THAT(test::error_of<Error>([&] { Ranks ranks(launch); }), HasSubstr("the port is in use"));
  launch.rank = 1;
  EXPECT_THAT(test::error_of<Error>([&] { Ranks ranks(launch); }),
              HasSubstr("does another program use"));
}

TEST(Ranks, NoRankZeroIsAnError) {
  Launch launch;
  launch.rank = 1;
  launch.size = 2;
  launch.timeout = 1;
  launch.port = OtherProgram().port();  // closed again
  EXPECT_THAT(test::error_of<Error>([&] { Ranks ranks(launch); }),
              HasSubstr("rank 1 has not found rank 0 at 127.0.0.1"));
}

/// Of an interface of this machine other than loopback; empty: it has none.
std::string outer_address() {
  ifaddrs* list = nullptr;
  EXPECT_EQ(::getifaddrs(&list), 0);
  std::string address;
  for (const ifaddrs* each = list; each != nullptr && address.empty(); each = each->ifa_next) {
    char text[NI_MAXHOST] = "";
    if (each->ifa_addr != nullptr && each->ifa_addr->sa_family == AF_INET &&
        (each->ifa_flags & IFF_LOOPBACK) == 0 &&
        ::getnameinfo(each->ifa_addr, sizeof(sockaddr_in), text, sizeof text, nullptr, 0,
                      NI_NUMERICHOST) == 0)
      address = text;
  }
  ::freeifaddrs(list);
  return address;
}

TEST(Ranks, LoopbackIsNoAddressForRanksElsewhere) {
  EXPECT_EQ(reachable_address("10.0.0.1", {"10.0.0.1", "10.0.0.2"}), "10.0.0.1");
  EXPECT_EQ(reachable_address("127.0.1.1", {"127.0.1.1", "127.0.0.1"}), "127.0.1.1");
  const std::string outer = outer_address();
  if (outer.empty()) GTEST_SKIP() << "this machine has no address other than loopback's";
  // The way to an address of this machine begins at it.
  EXPECT_EQ(reachable_address("127.0.1.1", {"127.0.1.1", outer}), outer);
}

TEST(Ranks, AProcessThatStopsEndsTheMeetingOfTheOthers) {
  for (const int stopped : {0, 1}) {
    const std::uint16_t port = OtherProgram().port();  // closed again
    const StoppedRank other(stopped, port);
    const auto begin = std::chrono::steady_clock::now();
    const std::string error = test::error_of<Error>([&] {
      const Ranks ranks(launch_of_stopped(1 - stopped, port));
      ranks.meet();
    });
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
    EXPECT_THAT(error, HasSubstr(stopped == 0 ? "rank 0 hangs or cannot be reached"
                                              : "no sign of life for 1"));
  }
}

TEST(GradientSum, AParameterThatOneRankReachesHasItsSumOnAll) {
  EXPECT_EQ(
      on_ranks(2,
               [](const Ranks& ranks) {
                 const auto options = torch::requires_grad();
                 const std::vector<Tensor> p{torch::ones({5}, options), torch::ones({7}, options)};
                 GradientSum sum(ranks, p);
                 for (int step = 0; step < 2; ++step) {
                   for (const Tensor& each : p) Tensor(each).mutable_grad() = Tensor();
                   const bool reaches = ranks.rank() == step;
                   sum.begin();
                   (reaches ? p[0].sum() + 2 * p[1].sum() : p[0].sum()).backward();
                   sum.finish();
                   EXPECT_TRUE(p[0].grad().equal(torch::full({5}, 2.0F)));
                   ASSERT_TRUE(p[1].grad().defined());
                   EXPECT_TRUE(p[1].grad().equal(torch::full({7}, 2.0F)));
                 }
               }),
      no_errors(2));
}

TEST(GradientSum, GradientsAreSumsAndUnusedOnesStayNone) {
  EXPECT_EQ(
      on_ranks(
          2,
          [](const Ranks& ranks) {
            const auto options = torch::requires_grad();
            const std::vector<Tensor> p{torch::ones({5}, options), torch::ones({7}, options),
                                        torch::ones({2}, options), torch::ones({300}, options)};
            GradientSum sum(ranks, p, /*bucket_bytes=*/40);
            EXPECT_EQ(sum.num_buckets(), 3);
            for (int step = 1; step <= 2; ++step) {
              for (const Tensor& each : p) Tensor(each).mutable_grad() = Tensor();
              const double factor = step * (ranks.rank() + 1);
              sum.begin();
              ((p[0].sum() + p[0].square().sum() + p[3].sum() + p[1].sum()) * factor).backward();
              sum.finish();
              EXPECT_TRUE(p[0].grad().equal(torch::full({5}, 9.0F * step)));
              EXPECT_TRUE(p[1].grad().equal(torch::full({7}, 3.0F * step)));
              EXPECT_FALSE(p[2].grad().defined());
              EXPECT_TRUE(p[3].grad().equal(torch::full({300}, 3.0F * step)));
            }
          }),
      no_errors(2));
}

}  // namespace
}  // namespace hgnet
