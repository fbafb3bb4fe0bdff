#include "core/checksum.hpp"

#include <array>
#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hgnet {

struct Checksum::State {
  XXH3_state_t xxh3;
};

Checksum::Checksum() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->xxh3); }

Checksum::~Checksum() = default;

void Checksum::add(std::string_view bytes) {
  if (!bytes.empty()) XXH3_64bits_update(&state_->xxh3, bytes.data(), bytes.size());
}

std::string Checksum::text() const {
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(XXH3_64bits_digest(&state_->xxh3)));
  return digits.data();
}

}  // namespace hgnet
