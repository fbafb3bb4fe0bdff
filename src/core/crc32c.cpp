#include "core/crc32c.hpp"

#include <array>

namespace hgnet {
namespace {

/// The remainder of each byte; bits run from the lowest, so the polynomial is written reversed.
constexpr std::array<std::uint32_t, 256> make_table() {
  constexpr std::uint32_t kPolynomial = 0x82f63b78;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    table[byte] = rest;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = make_table();

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t rest = 0xffffffff;
  for (const char c : bytes) {
    rest = kTable[(rest ^ static_cast<unsigned char>(c)) & 0xff] ^ (rest >> 8);
  }
  return ~rest;
}

}  // namespace hgnet
