#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "hgnet/core/enum_names.hpp"

namespace hgnet::app {

/// After a failed parse: names the unknown argument and suggests the nearest known one. Empty if
/// the failure has another cause.
std::string unknown_argument(const CLI::App& program);

/// The program and the commands that were given: "hgnet train".
std::string command_words(const CLI::App& program);

/// Accepts one of the names; for anything else, the message suggests the nearest one.
CLI::Validator one_of(std::vector<std::string> names);

/// The names of an enum's values, to choose from.
template <class E>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const auto& [value, text] : EnumNames<E>::values) names.emplace_back(text);
  return names;
}

}  // namespace hgnet::app
