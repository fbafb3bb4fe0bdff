// A checksum of a JSON object that stands in the object itself. It detects damage and edits, but
// anyone can compute a new one.

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/checksum.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {

inline constexpr const char* kJsonChecksum = "xxh3";

/// Of all else in the object, whatever the order of its fields.
inline std::string json_checksum(nlohmann::json object) {
  object.erase(kJsonChecksum);
  Checksum checksum;
  checksum.add(object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  return checksum.text();
}

/// Removes the checksum and returns whether there was one. Throws Error if it is wrong.
template <class Json>
bool take_json_checksum(Json& object) {
  const auto found = object.find(kJsonChecksum);
  if (found == object.end()) return false;
  if (*found != json_checksum(object))
    throw Error("it is damaged or was edited: the checksum is wrong");
  object.erase(found);
  return true;
}

}  // namespace hgnet
