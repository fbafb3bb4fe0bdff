#include "hgnet/records/json_value.hpp"

#include "core/nested_text.hpp"
#include "hgnet/core/error.hpp"
#include "records/json_tree.hpp"

namespace hgnet {

JsonValue JsonValue::parsed(std::string_view text) {
  try {
    return json_value(parse_shallow_json<nlohmann::ordered_json>(text));
  } catch (const nlohmann::json::exception& error) {
    throw Error("not JSON: " + json_fault(error));
  }
}

std::string JsonValue::text() const { return dumped(tree_of(*this)); }

std::string JsonValue::plain_text() const {
  std::string text = this->text();
  std::erase(text, '"');
  return text;
}

bool operator==(const JsonValue& a, const JsonValue& b) {
  return a.tree_ == b.tree_ || tree_of(a) == tree_of(b);
}

}  // namespace hgnet
