#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace hgnet {

/// Seeded random numbers, the same on every platform (the standard library's distributions are
/// not). xoshiro256** by Blackman and Vigna, its state filled by splitmix64. Always passed, never
/// global. Satisfies std::uniform_random_bit_generator.
class Generator {
 public:
  using result_type = std::uint64_t;

  /// Generators with the same seed but different streams are independent of each other.
  explicit Generator(std::uint64_t seed, std::uint64_t stream = 0);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()();

  /// Uniform in [0, bound), without modulo bias. `bound` must be positive.
  std::uint64_t below(std::uint64_t bound);

  /// Uniform in [0, 1), 53 bits.
  double uniform();

  /// Uniformly random order (Fisher and Yates).
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  /// The complete state, for checkpoints.
  using State = std::array<std::uint64_t, 4>;
  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

 private:
  State state_;
};

}  // namespace hgnet
