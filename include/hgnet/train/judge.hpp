#pragma once

#include <string>

#include "hgnet/data/matched.hpp"

namespace hgnet {

/// A judge from its name: "wl:2", or a flat model with its number of layers such as "gin:4",
/// trained for ten epochs with the settings of color-connectivity. Throws Error, with the form
/// expected, for another name.
Judge judge_named(const std::string& name, int threads = 1);

}  // namespace hgnet
