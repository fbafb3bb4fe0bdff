// JsonValue and the trees of the JSON library.

#pragma once

#include <nlohmann/json.hpp>

#include "hgnet/records/json_value.hpp"

namespace hgnet {

struct JsonValue::Tree {
  nlohmann::ordered_json value;
};

inline JsonValue json_value(nlohmann::ordered_json value) {
  if (value.is_null()) return {};
  return JsonValue(std::make_shared<const JsonValue::Tree>(JsonValue::Tree{std::move(value)}));
}

inline const nlohmann::ordered_json& tree_of(const JsonValue& value) {
  static const nlohmann::ordered_json null;
  return value.tree() == nullptr ? null : value.tree()->value;
}

/// Text that is not UTF-8 gets replacement characters.
template <class Json>
std::string dumped(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace hgnet
