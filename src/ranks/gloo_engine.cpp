// Over c10d and Gloo.

#include <torch/types.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <chrono>
#include <optional>
#include <thread>

#include "hgnet/ranks/ranks.hpp"
#include "ranks/engine.hpp"
#include "ranks/loopback.hpp"
#include "ranks/meeting.hpp"
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

Group make_group(const Meeting& meeting, const Launch& launch, const char* name, int threads) {
  // The watch notices a silent rank first, and names it.
  const auto limit = Milliseconds(static_cast<std::int64_t>(launch.timeout * 1000) + 5000);
  auto options = c10d::ProcessGroupGloo::Options::create(limit);
  options->threads = threads;
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(
      launch.on_loopback() ? "127.0.0.1" : address_towards(launch.address)));
  return c10::make_intrusive<c10d::ProcessGroupGloo>(
      c10::make_intrusive<c10d::PrefixStore>(name, meeting.store), launch.rank, launch.size,
      options);
}

class GlooEngine : public Engine {
 public:
  explicit GlooEngine(const Launch& launch)
      : launch_(launch),
        meeting_(hgnet::meet(launch)),
        watch_(meeting_.for_watch, launch.rank, launch.size, launch.timeout) {
    try {
      batches_ = make_group(meeting_, launch, "batches/", 2);
      norms_ = make_group(meeting_, launch, "norms/", 1);
    } catch (const std::exception& error) {
      throw RankFailed(watch_.explain(reason_of(error)));
    }
    // A rank that left at once would close connections that others are still making.
    finish(begin(*norms_, torch::zeros({1})));
  }

  std::function<void()> begin(const at::Tensor& values) override {
    return [this, work = begin(*batches_, values)] { finish(work); };
  }

  void sum(std::span<double> values) override {
    const at::Tensor tensor = torch::from_blob(
        values.data(), {static_cast<std::int64_t>(values.size())}, torch::kFloat64);
    finish(begin(*norms_, tensor));
  }

  void meet() override {
    constexpr std::chrono::hours kLongEnough{24 * 30};
    finish(begin(*batches_, torch::zeros({1}), kLongEnough), kLongEnough);
  }

  void report(const std::string& error) override {
    if (failed_) return;
    failed_ = true;
    watch_.report("rank " + std::to_string(launch_.rank) + " has failed: " + error);
  }

  bool failed() const override { return failed_; }

  /// Rank 0 has the store: it waits until the others need it no more.
  void leave() override {
    const auto until = Clock::now() + std::chrono::seconds(5);
    watch_.hurry();
    while (launch_.rank == 0 && !watch_.all_have_left() && watch_.failure().empty() &&
           Clock::now() < until)
      std::this_thread::sleep_for(Milliseconds(5));
  }

 private:
  Work begin(c10d::ProcessGroupGloo& group, const at::Tensor& values,
             std::optional<Milliseconds> limit = {}) {
    if (const std::string failure = watch_.failure(); !failure.empty()) fail(failure);
    watch_.count();
    std::vector<at::Tensor> tensors{values};
    c10d::AllreduceOptions options;
    if (limit) options.timeout = *limit;
    return group.allreduce(tensors, options);
  }

  void finish(const Work& work) { finish(work, Seconds(launch_.timeout)); }

  void finish(const Work& work, Seconds limit) {
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
      if (Clock::now() - begin > limit) fail(watch_.explain(""));
    }
  }

  [[noreturn]] void fail(const std::string& why) {
    failed_ = true;
    throw RankFailed(why);
  }

  const Launch launch_;
  const Meeting meeting_;
  Watch watch_;
  Group batches_;
  Group norms_;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Launch& launch) {
  return std::make_unique<GlooEngine>(launch);
}

}  // namespace hgnet
