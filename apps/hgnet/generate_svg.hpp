#pragma once

#include <string>

#include "hgnet/data/color_connectivity.hpp"
#include "layout.hpp"

namespace hgnet::app {

/// Two examples of each label, one column per label.
std::string examples_svg(const ColorConnectivity& samples, const Layout& layout,
                         const std::string& title);

}  // namespace hgnet::app
