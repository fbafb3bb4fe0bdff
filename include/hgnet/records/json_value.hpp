#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace hgnet {

/// A value of any kind in a JSON file, such as a setting of a fit. It cannot be changed, and copies
/// share it. src/records/json_tree.hpp has its tree; this header needs no JSON library.
class JsonValue {
 public:
  struct Tree;

  JsonValue() = default;  // null
  explicit JsonValue(std::shared_ptr<const Tree> tree) : tree_(std::move(tree)) {}
  /// Throws Error for a text that is not JSON.
  static JsonValue parsed(std::string_view text);

  /// As JSON, on one line.
  std::string text() const;
  /// The same for people: texts without quotes.
  std::string plain_text() const;
  /// Null for null.
  const Tree* tree() const { return tree_.get(); }

  friend bool operator==(const JsonValue& a, const JsonValue& b);

 private:
  std::shared_ptr<const Tree> tree_;
};

/// Fields of a JSON object by name.
using JsonFields = std::map<std::string, JsonValue>;

}  // namespace hgnet
