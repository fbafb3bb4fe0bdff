#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace hgnet {

/// How often samples of each class are taken for each class.
class Confusion {
 public:
  explicit Confusion(std::int64_t classes)
      : classes_(classes), counts_(static_cast<std::size_t>(classes * classes)) {}

  std::int64_t classes() const { return classes_; }
  std::int64_t& at(std::int64_t truth, std::int64_t guess) {
    return counts_.at(static_cast<std::size_t>(truth * classes_ + guess));
  }
  std::int64_t at(std::int64_t truth, std::int64_t guess) const {
    return counts_.at(static_cast<std::size_t>(truth * classes_ + guess));
  }

 private:
  std::int64_t classes_;
  std::vector<std::int64_t> counts_;  // by true class, then by predicted class
};

/// The scores of one class; none where nothing was predicted or true.
struct ClassScores {
  std::int64_t samples = 0;         // of this class
  std::optional<double> precision;  // of the samples predicted as this class, the share that is
  std::optional<double> recall;     // of the samples of this class, the share predicted as it
  std::optional<double> f1;         // the harmonic mean of the two
};

ClassScores class_scores(const Confusion& confusion, std::int64_t of);

}  // namespace hgnet
