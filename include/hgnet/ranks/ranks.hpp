#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hgnet/core/error.hpp"
#include "hgnet/ranks/launch.hpp"

namespace at {
class Tensor;
}

namespace hgnet {

class Engine;

/// Another rank has failed, hangs or cannot be reached. The message names it.
class RankFailed : public Error {
 public:
  using Error::Error;
};

/// The processes that train one fit together, over libtorch's c10d and Gloo. All of them call the
/// same functions in the same order. With one process, every function returns at once.
///
/// Every call throws RankFailed, on all ranks that are left, if a rank has ended, has reported an
/// error, gives no sign of life for the timeout or keeps the others waiting for as long.
class Ranks {
 public:
  /// One process, alone.
  Ranks();
  /// Waits for the others. Throws Error, on every rank that has come, if one is missing after the
  /// timeout, if two have the same rank, or if versions or numbers of ranks differ.
  explicit Ranks(const Launch& launch);
  /// Rank 0 leaves last.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// One process, for whom that is all.
  static const Ranks& alone();

  int rank() const { return rank_; }
  int size() const { return size_; }
  int local_size() const { return local_size_; }
  bool is_alone() const { return size_ == 1; }
  /// Whether this rank writes files and shows progress.
  bool leads() const { return rank_ == 0; }

  /// The sum over ranks, in place, with the same bits on every rank.
  void sum(const at::Tensor& values) const;
  /// The same, but only begins: the result is there when the returned function returns. Several may
  /// be under way; all ranks wait for them in the same order. Small sums, and those between
  /// processes of one machine, are computed when they are waited for.
  [[nodiscard]] std::function<void()> sum_later(const at::Tensor& values) const;
  /// The same for few values, which may pass sums that are under way.
  void sum(std::span<double> values) const;

  /// What rank 0 passes.
  std::string of_first(const std::string& bytes) const;
  /// What every rank passes, by rank.
  std::vector<std::string> of_all(const std::string& bytes) const;
  /// Returns when all ranks are here, however long that takes, as long as they live.
  void meet() const;

  /// Tells the others that this rank cannot go on.
  void report(const std::string& error) const;

 private:
  int rank_ = 0;
  int size_ = 1;
  int local_size_ = 1;
  std::unique_ptr<Engine> engine_;  // null: alone
};

}  // namespace hgnet
