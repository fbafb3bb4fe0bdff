// Over c10d and Gloo.

#include <torch/types.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <chrono>
#include <thread>

#include "hgnet/ranks/ranks.hpp"
#include "ranks/engine.hpp"
#include "ranks/leave_behind.hpp"
#include "ranks/loopback.hpp"
#include "ranks/meeting.hpp"
#include "ranks/pairs.hpp"
#include "ranks/store_text.hpp"
#include "ranks/watch.hpp"

namespace hgnet {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;
using Seconds = std::chrono::duration<double>;
using Group = c10::intrusive_ptr<c10d::ProcessGroupGloo>;
using Work = c10::intrusive_ptr<c10d::Work>;

/// How long a rank that waits lets other threads go first instead of sleeping.
constexpr Milliseconds kAwake{5};

/// How often a rank that waits looks whether another has failed.
constexpr Milliseconds kSlice{200};

/// Up to here a sum takes less time than another thread needs to begin it.
constexpr std::size_t kSmall = std::size_t{128} << 10;

/// How long Gloo waits: the watch notices a silent rank first, and names it.
Milliseconds limit_of(const Launch& launch) {
  return Milliseconds(static_cast<std::int64_t>(launch.timeout * 1000) + 2000);
}

c10::intrusive_ptr<c10d::Store> part_of(const Meeting& meeting, const char* name) {
  return c10::make_intrusive<c10d::PrefixStore>(name, meeting.store);
}

/// Where the other ranks reach this one, after all have told theirs.
std::string agreed_address(const Meeting& meeting, const Launch& launch) {
  const auto store = part_of(meeting, "address/");
  const std::string own = own_address(launch);
  store->set(std::to_string(launch.rank), bytes_of(own));
  std::vector<std::string> all;
  for (int rank = 0; rank < launch.size; ++rank)
    all.push_back(text_of(store->get(std::to_string(rank))));
  return reachable_address(own, all);
}

Group make_group(const Meeting& meeting, const Launch& launch, const std::string& address) {
  auto options = c10d::ProcessGroupGloo::Options::create(limit_of(launch));
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(address));
  return c10::make_intrusive<c10d::ProcessGroupGloo>(part_of(meeting, "group/"), launch.rank,
                                                     launch.size, options);
}

class GlooEngine : public Engine {
 public:
  explicit GlooEngine(const Launch& launch)
      : launch_(launch),
        meeting_(hgnet::meet(launch)),
        watch_(meeting_.for_watch, launch.rank, launch.size, launch.timeout) {}

  /// Throws RankFailed if a rank has gone since the meeting.
  void connect() {
    try {
      const std::string address = agreed_address(meeting_, launch_);
      group_ = make_group(meeting_, launch_, address);
      pairs_ =
          std::make_unique<Pairs>(part_of(meeting_, "pairs/"), launch_, address, limit_of(launch_));
    } catch (const Error& error) {
      watch_.report("rank " + std::to_string(launch_.rank) + " has failed: " + error.what());
      throw;
    } catch (const std::exception& error) {
      throw RankFailed(watch_.explain(reason_of(error)));
    }
    // Also waits until all are connected: a rank that left at once would close connections that
    // others are still making.
    const at::Tensor local = torch::full({1}, launch_.local_size == launch_.size ? 1.0F : 0.0F);
    sum(local);
    one_machine_ = local.item<float>() == static_cast<float>(launch_.size);
  }

  std::function<void()> begin(const at::Tensor& values) override {
    // Between processes of one machine a sum is copying, which takes a core whoever does it.
    if (one_machine_ || values.nbytes() <= kSmall) return [this, values] { sum(values); };
    return [this, work = begin_in_group(values)] { finish(work); };
  }

  void sum(const at::Tensor& values) override {
    check_and_count();
    const auto begin = Clock::now();
    try {
      pairs_->sum(values);
    } catch (const std::exception& error) {
      const bool late = Clock::now() - begin >= Seconds(launch_.timeout);
      fail(watch_.explain(late ? "" : reason_of(error)));
    }
  }

  void meet() override {
    // Not by an exchange: Gloo gives up after its limit, whatever an exchange asks for.
    if (const std::string failure = watch_.meet(); !failure.empty()) fail(failure);
  }

  void report(const std::string& error) override {
    if (failed_) return;
    failed_ = true;
    pairs_->close();
    watch_.report("rank " + std::to_string(launch_.rank) + " has failed: " + error);
  }

  /// Also if only the watch knows: the stores' connections may be reset by then.
  bool failed() const override { return failed_ || !watch_.failure().empty(); }

  /// Rank 0 has the store: it waits until the others need it no more.
  void leave() override {
    if (failed()) return watch_.wait_until_told();
    const auto until = Clock::now() + std::chrono::seconds(5);
    watch_.hurry();
    while (launch_.rank == 0 && !watch_.all_have_left() && watch_.failure().empty() &&
           Clock::now() < until)
      std::this_thread::sleep_for(Milliseconds(5));
  }

 private:
  void check_and_count() {
    if (const std::string failure = watch_.failure(); !failure.empty()) fail(failure);
    watch_.count();
  }

  Work begin_in_group(const at::Tensor& values) {
    check_and_count();
    std::vector<at::Tensor> tensors{values};
    return group_->allreduce(tensors);
  }

  void finish(const Work& work) {
    const auto begin = Clock::now();
    // Most exchanges are shorter than it takes to wake a sleeping processor, four threads in turn.
    while (!work->isCompleted() && Clock::now() - begin < kAwake) std::this_thread::yield();
    while (true) {
      try {
        work->wait(kSlice);
        return;
      } catch (const std::exception& error) {  // it has failed, or takes longer
        const bool done = work->isCompleted();
        if (done && work->isSuccess()) return;
        if (done) fail(watch_.explain(reason_of(error)));
      }
      if (const std::string failure = watch_.failure(); !failure.empty()) fail(failure);
      if (Clock::now() - begin > Seconds(launch_.timeout)) fail(watch_.explain(""));
    }
  }

  [[noreturn]] void fail(const std::string& why) {
    failed_ = true;
    pairs_->close();
    throw RankFailed(why);
  }

  const Launch launch_;
  const Meeting meeting_;
  Watch watch_;
  Group group_;
  std::unique_ptr<Pairs> pairs_;
  bool one_machine_ = false;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Launch& launch) {
  auto engine = std::make_unique<GlooEngine>(launch);
  try {
    engine->connect();
  } catch (...) {
    leave_behind(std::move(engine));
    throw;
  }
  return engine;
}

}  // namespace hgnet
