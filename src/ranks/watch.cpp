#include "ranks/watch.hpp"

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <sstream>
#include <vector>

#include "ranks/store_text.hpp"

namespace hgnet {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds kBetweenBeats{0.5};
constexpr Seconds kInAHurry{0.01};
/// Without a sign of life for so long, a rank is gone if exchanges fail, too.
constexpr Seconds kGone{2.5};
constexpr Seconds kForVerdict{6};
/// So long the store stays for others to read why a run has failed: three beats.
constexpr Seconds kToTell{1.5};
constexpr const char* kFailure = "failure";
constexpr const char* kTrouble = "trouble";
constexpr const char* kMet = "met";

std::string seconds_text(Seconds seconds) {
  return std::to_string(std::max(1L, std::lround(seconds.count()))) + " s";
}

/// What a rank writes into the store: a number that changes, and how many exchanges and meetings it
/// has begun.
struct Beat {
  long number = 0;
  long exchanges = 0;
  long meetings = 0;
};

std::string to_text(Beat beat) {
  return std::to_string(beat.number) + " " + std::to_string(beat.exchanges) + " " +
         std::to_string(beat.meetings);
}

Beat beat_of(const std::string& text) {
  Beat beat;
  std::istringstream(text) >> beat.number >> beat.exchanges >> beat.meetings;
  return beat;
}

}  // namespace

struct Watch::State {
  State(c10::intrusive_ptr<c10d::Store> with, int own, int all, double seconds)
      : store(std::move(with)), rank(own), size(all), timeout(seconds), last(all) {
    for (Last& each : last) each.changed = Clock::now();
  }

  void run() {
    try {
      for (long number = 0;; ++number) {
        store->set(rank_key("beat", rank), bytes_of(to_text({number, exchanges, meetings})));
        pass_on();
        if (store->check({kFailure})) return fail(text_of(store->get(kFailure)));
        if (rank == 0) look_at_others();
        if (meetings > met && store->check({kMet})) have_met(std::stol(text_of(store->get(kMet))));
        ++rounds;
        if (!sleep()) break;
      }
      store->set(rank_key("left", rank), bytes_of("1"));
      end("");
    } catch (const std::exception&) {
      end(rank == 0 ? "the store of rank 0 has failed" : "rank 0 has ended or cannot be reached");
      have_told();  // nobody can be, any more
    }
  }

  /// False if the rank is to leave.
  bool sleep() {
    std::unique_lock lock(mutex);
    const bool waits = hurries || meetings > met;
    changed.wait_for(lock, waits ? kInAHurry : kBetweenBeats,
                     [&] { return leaving || !outgoing.empty() || asked; });
    return !leaving;
  }

  void have_met(long number) {
    const std::scoped_lock lock(mutex);
    met = number;
    changed.notify_all();
  }

  /// Writes into the store what this rank has to say.
  void pass_on() {
    std::unique_lock lock(mutex);
    const std::string text = outgoing;
    const std::string asked_for = asked ? question : "";
    asked = false;
    lock.unlock();
    if (!text.empty()) store->compareSet(kFailure, {}, bytes_of(text));
    if (!asked_for.empty()) store->compareSet(kTrouble, {}, bytes_of(asked_for));
  }

  /// Rank 0: finds ranks without a sign of life, those that keep others waiting, and whether all
  /// have come to a meeting.
  void look_at_others() {
    const bool trouble = store->check({kTrouble});
    const long awaited = trouble ? std::stol(text_of(store->get(kTrouble))) : 0;
    bool all = true;
    long all_met = meetings;
    for (int other = 1; other < size; ++other) {
      if (store->check({rank_key("left", other)})) {
        if (meetings > met)
          return judge("rank " + std::to_string(other) + " has left while others wait for it");
        continue;
      }
      all = false;
      Last& seen = last[other];
      const std::string text = store->check({rank_key("beat", other)})
                                   ? text_of(store->get(rank_key("beat", other)))
                                   : "";
      if (text != seen.text) seen = {text, Clock::now()};
      const Seconds silent = Clock::now() - seen.changed;
      if (silent > (trouble ? std::min(kGone, timeout) : timeout))
        return judge("rank " + std::to_string(other) +
                     " has ended, hangs or has lost its connection: no sign of life for " +
                     seconds_text(silent));
      if (awaited > 0 && beat_of(text).exchanges < awaited) return judge(hangs(other));
      all_met = std::min(all_met, beat_of(text).meetings);
    }
    if (all_met > met) store->set(kMet, bytes_of(std::to_string(all_met)));
    if (awaited > exchanges) return judge(hangs(0));
    all_left = all;
  }

  std::string hangs(int which) const {
    return "rank " + std::to_string(which) + " hangs: the others have waited for it for " +
           seconds_text(timeout);
  }

  void judge(const std::string& verdict) { store->compareSet(kFailure, {}, bytes_of(verdict)); }

  /// Others learn the reason from the store, which ends with rank 0: it waits until they know.
  void fail(const std::string& why) {
    if (rank > 0) say_that_it_knows();
    end(why);
    if (rank == 0) await_others();
    have_told();
  }

  void say_that_it_knows() {
    try {
      store->set(rank_key("knows", rank), bytes_of("1"));
    } catch (const std::exception&) {  // rank 0 has not waited
    }
  }

  void await_others() {
    const auto until = Clock::now() + kToTell;
    try {
      for (int other = 1; other < size; ++other) {
        while (!store->check({rank_key("knows", other)}) &&
               !store->check({rank_key("left", other)}) && Clock::now() < until)
          std::this_thread::sleep_for(kInAHurry);
      }
    } catch (const std::exception&) {  // the store is gone, and with it whom to wait for
    }
  }

  void have_told() {
    const std::scoped_lock lock(mutex);
    told = true;
    changed.notify_all();
  }

  void end(const std::string& why) {
    const std::scoped_lock lock(mutex);
    failure = why;
    ended = true;
    changed.notify_all();
  }

  const c10::intrusive_ptr<c10d::Store> store;
  const int rank;
  const int size;
  const Seconds timeout;
  std::atomic<long> exchanges = 0;
  std::atomic<long> meetings = 0;  // that this rank has come to
  std::atomic<long> met = 0;       // that all have
  std::atomic<long> rounds = 0;    // through the store
  std::atomic<bool> all_left = false;

  std::mutex mutex;
  std::condition_variable changed;
  bool leaving = false;
  bool hurries = false;
  bool asked = false;
  bool ended = false;
  bool told = false;     // others know of the failure, or have had time to learn of it
  std::string question;  // the number of the exchange that others are awaited at; 0: it failed
  std::string outgoing;  // a failure to report
  std::string failure;

 private:
  struct Last {
    std::string text;
    Clock::time_point changed;
  };
  std::vector<Last> last;  // rank 0: the beats of the others
};

Watch::Watch(c10::intrusive_ptr<c10d::Store> store, int rank, int size, double timeout)
    : state_(std::make_shared<State>(std::move(store), rank, size, timeout)),
      thread_([state = state_] { state->run(); }) {}

Watch::~Watch() {
  std::unique_lock lock(state_->mutex);
  state_->leaving = true;
  state_->changed.notify_all();
  const bool done = state_->changed.wait_for(lock, kGone, [&] { return state_->ended; });
  lock.unlock();
  if (done) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

void Watch::count() { ++state_->exchanges; }

std::string Watch::meet() {
  std::unique_lock lock(state_->mutex);
  const long meeting = ++state_->meetings;
  state_->asked = true;  // wakes the thread
  state_->changed.notify_all();
  long rounds = state_->rounds;
  while (!state_->changed.wait_for(lock, state_->timeout,
                                   [&] { return state_->ended || state_->met >= meeting; })) {
    if (state_->rounds == rounds)
      return "rank 0 hangs or cannot be reached: its store has not answered for " +
             seconds_text(state_->timeout);
    rounds = state_->rounds;
  }
  return state_->failure;
}

std::string Watch::failure() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->failure;
}

void Watch::report(const std::string& failure) {
  std::unique_lock lock(state_->mutex);
  state_->outgoing = failure;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, kGone, [&] { return state_->ended; });
}

std::string Watch::explain(const std::string& reason) {
  const long rounds = state_->rounds;
  std::unique_lock lock(state_->mutex);
  state_->question = reason.empty() ? std::to_string(state_->exchanges) : "0";
  state_->asked = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, kForVerdict, [&] { return state_->ended; });
  if (!state_->failure.empty()) return state_->failure;
  if (state_->rounds == rounds && state_->rank > 0) return "rank 0 cannot be reached";
  if (reason.empty()) return "the other ranks have not answered";
  return "rank " + std::to_string(state_->rank) + " has lost its connection: " + reason;
}

void Watch::wait_until_told() {
  if (state_->rank > 0) return;
  std::unique_lock lock(state_->mutex);
  state_->changed.wait_for(lock, kGone, [&] { return state_->told; });
}

void Watch::hurry() {
  const std::scoped_lock lock(state_->mutex);
  state_->hurries = true;
  state_->asked = true;  // wakes the thread
  state_->changed.notify_all();
}

bool Watch::all_have_left() const { return state_->all_left; }

}  // namespace hgnet
