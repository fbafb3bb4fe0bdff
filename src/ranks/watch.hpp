#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace hgnet {

/// Signs of life. A thread of every rank writes them into the store and looks there for failures;
/// rank 0's also looks whether the others' go on. A thread of its own, with a connection of its
/// own, because a call to the store may never return once the network is gone.
class Watch {
 public:
  Watch(c10::intrusive_ptr<c10d::Store> store, int rank, int size, double timeout);
  /// Says that this rank has left in order, unless something failed.
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Of an exchange; the ranks' counts tell which of them is behind.
  void count();
  /// Returns when all ranks have called it as often, however long that takes, or when one has
  /// failed. Returns the failure; empty: none.
  std::string meet();
  /// Empty: none known.
  std::string failure() const;
  /// Makes it the failure that all ranks see, unless there is one already; returns when it has gone
  /// out, or after a while.
  void report(const std::string& failure);

  /// After an exchange of this rank has failed (`reason`), or has taken too long (empty): the
  /// failure that names a rank, found within seconds.
  std::string explain(const std::string& reason);
  /// Rank 0, after a failure: returns when the others know of it, or after a while.
  void wait_until_told();
  /// Before the end: looks more often.
  void hurry();
  /// Rank 0: whether all others have left.
  bool all_have_left() const;

 private:
  struct State;

  std::shared_ptr<State> state_;  // the thread may outlive this object
  std::thread thread_;
};

}  // namespace hgnet
