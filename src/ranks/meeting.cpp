#include "ranks/meeting.hpp"

#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <thread>

#include "hgnet/core/error.hpp"
#include "ranks/leave_behind.hpp"
#include "ranks/loopback.hpp"
#include "ranks/reset_threads.hpp"
#include "ranks/store_text.hpp"

namespace hgnet {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;
using Store = c10::intrusive_ptr<c10d::Store>;

constexpr const char* kVerdict = "verdict";
constexpr const char* kAgreed = "agreed";
constexpr Milliseconds kForLateRanks{5000};

std::string place(const Launch& launch) {
  return launch.address + ":" + std::to_string(launch.port);
}

std::string host_of(const Launch& launch) {
  return launch.on_loopback() ? "127.0.0.1" : launch.address;
}

Milliseconds patience(const Launch& launch) {
  return Milliseconds(static_cast<std::int64_t>(launch.timeout * 1000));
}

/// What must be the same on all ranks.
std::string self(const Launch& launch) {
  return "hgnet " + launch.program + " of " + std::to_string(launch.size) + " ranks";
}

/// The result of `work`, which may never return, or an Error after the limit.
template <class Work>
auto within(Milliseconds limit, const std::string& otherwise, Work work) {
  using Result = decltype(work());
  auto promise = std::make_shared<std::promise<Result>>();
  std::future<Result> result = promise->get_future();
  std::thread([promise, work = std::move(work)] {
    try {
      promise->set_value(work());
    } catch (...) {
      promise->set_exception(std::current_exception());
    }
  }).detach();
  if (result.wait_for(limit) != std::future_status::ready) throw Error(otherwise);
  return result.get();
}

c10::intrusive_ptr<c10d::TCPStore> open_store(const Launch& launch) {
  if (launch.port != 0 && !is_free(launch.port))
    throw Error("rank 0 cannot listen at " + place(launch) +
                ": the port is in use; choose another with MASTER_PORT");
  c10d::TCPStoreOptions options;
  options.port = launch.port;
  options.isServer = true;
  options.waitWorkers = false;
  options.timeout = patience(launch);
  try {
    return c10::make_intrusive<c10d::TCPStore>(host_of(launch), options);
  } catch (const std::exception& error) {
    throw Error("rank 0 cannot listen at " + place(launch) + " (" + reason_of(error) + ")");
  }
}

Store connect(const Launch& launch) {
  c10d::TCPStoreOptions options;
  options.port = launch.port;
  options.waitWorkers = false;
  options.timeout = patience(launch);
  std::string why = wait_for_listener(host_of(launch), launch.port, launch.timeout);
  try {
    if (why.empty()) return c10::make_intrusive<c10d::TCPStore>(host_of(launch), options);
  } catch (const std::exception& error) {
    why = reason_of(error);
  }
  throw Error("rank " + std::to_string(launch.rank) + " has not found rank 0 at " + place(launch) +
              " within " + std::to_string(static_cast<int>(launch.timeout)) + " s: " + why);
}

void take_place(c10d::Store& store, const Launch& launch) {
  if (store.add(rank_key("taken", launch.rank), 1) != 1)
    throw Error("rank " + std::to_string(launch.rank) + " is taken at " + place(launch) +
                ": two processes have this rank, or another run uses the port (MASTER_PORT)");
  store.set(rank_key("self", launch.rank), bytes_of(self(launch)));
}

/// Rank 0: what is wrong with those who have come, or kAgreed.
std::string judge(c10d::Store& store, const Launch& launch) {
  const auto until = Clock::now() + patience(launch);
  for (int other = 1; other < launch.size; ++other) {
    while (!store.check({rank_key("self", other)})) {
      const std::string given_up = launch.given_up ? launch.given_up() : "";
      if (!given_up.empty()) return given_up;
      if (Clock::now() > until) {
        std::string missing;
        for (int rank = other; rank < launch.size; ++rank) {
          if (!store.check({rank_key("self", rank)}))
            missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
        }
        return "of " + std::to_string(launch.size) + " ranks, these have not come within " +
               std::to_string(static_cast<int>(launch.timeout)) + " s: " + missing;
      }
      std::this_thread::sleep_for(Milliseconds(20));
    }
    const std::string theirs = text_of(store.get(rank_key("self", other)));
    if (theirs != self(launch))
      return "rank " + std::to_string(other) + " is " + theirs + ", but rank 0 is " + self(launch);
  }
  return kAgreed;
}

/// After a verdict that came before all ranks had: they are to read it, too.
void await_late_ranks(c10d::Store& store, const Launch& launch) {
  const auto until = Clock::now() + std::min(patience(launch), kForLateRanks);
  const auto gone = [&] { return launch.given_up && !launch.given_up().empty(); };
  for (int other = 1; other < launch.size; ++other) {
    while (!store.check({rank_key("self", other)}) && Clock::now() < until && !gone())
      std::this_thread::sleep_for(Milliseconds(20));
  }
}

Meeting host(const Launch& launch) {
  const auto server = open_store(launch);
  Launch here = launch;
  here.port = server->getPort();
  if (here.on_loopback()) hear_loopback_only(here.port);
  if (launch.listening) launch.listening(here.port);
  take_place(*server, here);
  const std::string verdict = judge(*server, here);
  server->set(kVerdict, bytes_of(verdict));
  if (verdict != kAgreed) {
    await_late_ranks(*server, here);
    std::this_thread::sleep_for(Milliseconds(500));  // so that the others can read it
    throw Error(verdict);
  }
  return {server, connect(here)};
}

/// What rank 0 says of those who have come.
std::string verdict_of(c10d::Store& store, const Launch& launch) {
  try {
    take_place(store, launch);
    store.wait({kVerdict}, patience(launch) + std::chrono::seconds(2));
    return text_of(store.get(kVerdict));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error("rank " + std::to_string(launch.rank) + " has found no rank 0 at " + place(launch) +
                " to agree with; does another program use the port? (" + reason_of(error) + ")");
  }
}

Meeting join(const Launch& launch) {
  const Milliseconds limit = 2 * patience(launch) + std::chrono::seconds(5);
  const std::string silence = "rank " + std::to_string(launch.rank) + " has found something at " +
                              place(launch) +
                              " that does not answer like rank 0; does another program use the "
                              "port? Choose another with MASTER_PORT";
  return within(limit, silence, [launch]() -> Meeting {
    Store store = connect(launch);
    try {
      const std::string verdict = verdict_of(*store, launch);
      if (verdict != kAgreed) throw Error(verdict);
      return {store, connect(launch)};
    } catch (...) {
      leave_behind(std::move(store));
      throw;
    }
  });
}

}  // namespace

Meeting meet(const Launch& launch) {
  hold_reset_threads();
  return launch.rank == 0 ? host(launch) : join(launch);
}

}  // namespace hgnet
