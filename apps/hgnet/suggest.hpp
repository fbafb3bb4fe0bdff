#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "hgnet/core/enum_names.hpp"

namespace hgnet::app {

/// After a failed parse: which argument no command knows, with the nearest one that is known, and where to read on. Empty if
/// it was not for that.
std::string unknown_argument(const CLI::App& program);

/// Takes one of the names; what is wrong is said with the nearest one.
CLI::Validator one_of(std::vector<std::string> names);

/// The names of an enum's values, to choose from.
template <class E>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const auto& [value, text] : EnumNames<E>::values) names.emplace_back(text);
  return names;
}

}  // namespace hgnet::app
