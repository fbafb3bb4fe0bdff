#pragma once

#include <array>
#include <cstdint>

namespace hgnet {

/// Number of categories of each atom column and each bond column.
inline constexpr std::array<std::int64_t, 9> kAtomColumns{119, 5, 12, 12, 10, 6, 6, 2, 2};
inline constexpr std::array<std::int64_t, 3> kBondColumns{5, 6, 2};
/// Width of an atom's multi-hot row, with one entry per column: the sum of the sizes above.
inline constexpr std::int64_t kAtomWidth = 174;

}  // namespace hgnet
