#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hgnet::app {

/// After a failed parse: which argument no command knows, with the nearest one that is known, and where to read on. Empty if
/// it was not for that.
std::string unknown_argument(const CLI::App& program);

}  // namespace hgnet::app
