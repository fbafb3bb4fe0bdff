#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hgnet::app {

/// After a failed parse: which argument no command knows, with the nearest one that is known, and where to read on. Empty if
/// it was not for that.
std::string unknown_argument(const CLI::App& program);

/// Takes one of the names; what is wrong is said with the nearest one.
CLI::Validator one_of(std::vector<std::string> names);

}  // namespace hgnet::app
