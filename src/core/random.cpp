#include "hgnet/core/random.hpp"

#include <bit>

namespace hgnet {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Generator::Generator(std::uint64_t seed, std::uint64_t stream) {
  // The stream is hashed before it is mixed with the seed, so that (1, 2) and (2, 1) differ.
  std::uint64_t mixed = seed ^ splitmix64(stream);
  for (std::uint64_t& word : state_) word = splitmix64(mixed);
}

Generator::result_type Generator::operator()() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Generator::below(std::uint64_t bound) {
  // Lemire's multiply-shift; a draw from the short last interval is rejected.
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>((*this)()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) {
      product = static_cast<Wide>((*this)()) * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Generator::uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

}  // namespace hgnet
