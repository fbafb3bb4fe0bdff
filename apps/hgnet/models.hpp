#pragma once

#include <string>
#include <vector>

namespace hgnet::app {

/// What train takes if no model is named.
inline constexpr const char* kDefaultModel = "hgnet-edgepool";

/// A table of a model's settings with their value in each preset; `only`, if not empty, names the
/// rows.
std::string defaults_table(const std::string& model, const std::vector<std::string>& only = {});

}  // namespace hgnet::app
