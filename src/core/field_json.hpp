// Fields of configurations as JSON values; enums by name.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "hgnet/core/enum_names.hpp"

namespace hgnet {

template <class T>
nlohmann::json value_to_json(const T& field) {
  if constexpr (std::is_enum_v<T>) {
    return enum_name(field);
  } else {
    return field;
  }
}

/// Throws Error or nlohmann::json::exception for a value of another type or out of range.
template <class T>
void value_from_json(const nlohmann::json& json, T& field) {
  if constexpr (std::is_enum_v<T>) {
    field = enum_value<T>(json.get<std::string>());
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    if (!json.is_number_integer()) throw Error("expected an integer");
    const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                : std::in_range<T>(json.get<std::int64_t>());
    if (!fits) throw Error(json.dump() + " is out of range");
    field = json.get<T>();
  } else {
    field = json.get<T>();
  }
}

}  // namespace hgnet
