#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hgnet::app {

/// Runs a program, found like a shell finds it but without one, with `input` as its standard input.
/// Returns its standard output; none if there is no such program. Throws Error if it cannot be run or
/// fails.
std::optional<std::string> output_of(const std::vector<std::string>& arguments,
                                     const std::string& input);

}  // namespace hgnet::app
