#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "hgnet/core/error.hpp"

namespace hgnet {

/// The names of an enum's values in files and on the command line. Specialised next to each enum
/// that has names: `what` says what is named, `values` lists the names.
template <class E>
struct EnumNames;

/// EnumNames::values of an enum that has a table: rows with `value`, `name` and more.
template <class E, class Row, std::size_t size>
constexpr auto names_in_table(const std::array<Row, size>& table) {
  std::array<std::pair<E, const char*>, size> names{};
  for (std::size_t i = 0; i < size; ++i) {
    names[i].first = table[i].value;
    names[i].second = table[i].name;
  }
  return names;
}

template <class Row, std::size_t size, class E>
constexpr const Row& row_in_table(const std::array<Row, size>& table, E value) {
  for (const Row& row : table) {
    if (row.value == value) return row;
  }
  throw Error(std::string("unknown ") + EnumNames<E>::what);
}

template <class E>
std::string_view enum_name(E value) {
  for (const auto& [candidate, text] : EnumNames<E>::values) {
    if (candidate == value) return text;
  }
  throw Error(std::string("unknown ") + EnumNames<E>::what);
}

/// "a, b, c".
template <class E>
std::string enum_choices() {
  std::string all;
  for (const auto& [value, text] : EnumNames<E>::values) {
    all += all.empty() ? "" : ", ";
    all += text;
  }
  return all;
}

/// Throws Error, listing the names, for an unknown name.
template <class E>
E enum_value(std::string_view name) {
  for (const auto& [value, text] : EnumNames<E>::values) {
    if (name == text) return value;
  }
  throw Error(std::string("unknown ") + EnumNames<E>::what + " '" + std::string(name) +
              "'; expected one of " + enum_choices<E>());
}

}  // namespace hgnet
