#pragma once

#include <array>
#include <utility>

#include "hgnet/core/enum_names.hpp"

namespace hgnet {

/// The two ways to read the paper: what it writes, and what its authors' program does.
enum class Reading { kAsWritten, kAsRun };

template <>
struct EnumNames<Reading> {
  static constexpr const char* what = "reading";
  static constexpr std::array<std::pair<Reading, const char*>, 2> values{
      {{Reading::kAsWritten, "as-written"}, {Reading::kAsRun, "as-run"}}};
};

}  // namespace hgnet
