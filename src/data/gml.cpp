#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/nested_text.hpp"
#include "data/graph_formats.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

/// A word of GML: a key, a number, a text in quotes, or a bracket.
struct GmlWord {
  enum class Kind { kEnd, kWord, kText, kOpen, kClose } kind = Kind::kEnd;
  std::string text = {};
  std::int64_t line = 0;
};

void append_utf8(std::uint32_t c, std::string& text) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xc0 | c >> 6);
  } else {
    if (c < 0x10000) {
      byte(0xe0 | c >> 12);
    } else {
      byte(0xf0 | c >> 18);
      byte(0x80 | (c >> 12 & 0x3f));
    }
    byte(0x80 | (c >> 6 & 0x3f));
  }
  byte(0x80 | (c & 0x3f));
}

/// GML writes characters beyond ASCII, quotes and ampersands as &#233;, &quot; and &amp;.
std::string without_entities(std::string_view text) {
  static const std::map<std::string_view, char> kNamed{
      {"quot", '"'}, {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"apos", '\''}};
  constexpr std::size_t kLongest = 10;  // "&#1114111;"; others are no entities, however long
  std::string result;
  while (!text.empty()) {
    const std::size_t end =
        text.starts_with('&') ? text.substr(0, kLongest).find(';') : std::string_view::npos;
    const std::string_view name = end == std::string_view::npos ? "" : text.substr(1, end - 1);
    std::uint32_t number = 0;
    const bool numbered = name.size() > 1 && name.front() == '#' &&
                          std::from_chars(name.data() + 1, name.data() + name.size(), number).ptr ==
                              name.data() + name.size() &&
                          number > 0 && number <= 0x10ffff;
    if (numbered) {
      append_utf8(number, result);
    } else if (const auto found = kNamed.find(name); found != kNamed.end()) {
      result += found->second;
    } else {
      result += text.front();
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(end + 1);
  }
  return result;
}

class GmlReader {
 public:
  explicit GmlReader(ByteStream stream)
      : file_(stream.name()), text_(stream.read_all(std::size_t{1} << 30)), rest_(text_) {}

  GraphTables read() {
    bool found = false;
    for (GmlWord key = next(); key.kind != GmlWord::Kind::kEnd; key = next()) {
      const GmlWord value = value_of(key);
      if (lower(key.text) != "graph" || value.kind != GmlWord::Kind::kOpen) {
        skip(value);
        continue;
      }
      if (found) fail(key.line, "a second graph; expected one");
      found = true;
      read_graph_list();
    }
    if (!found) fail(0, "has no 'graph [ ... ]'");
    return tables();
  }

 private:
  struct Element {
    std::int64_t line = 0;
    std::vector<std::pair<std::string, std::string>> cells;

    const std::string* find(std::string_view name) const {
      for (const auto& [key, cell] : cells) {
        if (key == name) return &cell;
      }
      return nullptr;
    }
  };

  static std::string lower(std::string_view text) { return to_lower(text); }

  [[noreturn]] void fail(std::int64_t line, const std::string& what) const {
    throw InvalidFile(file_, line, what);
  }

  GmlWord next() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '#') {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
        continue;
      }
      if (std::isspace(static_cast<unsigned char>(c)) == 0) break;
      line_ += c == '\n';
      rest_.remove_prefix(1);
    }
    if (rest_.empty()) return {GmlWord::Kind::kEnd, "", line_};
    const std::int64_t line = line_;
    if (rest_.front() == '[' || rest_.front() == ']') {
      const bool open = rest_.front() == '[';
      rest_.remove_prefix(1);
      return {open ? GmlWord::Kind::kOpen : GmlWord::Kind::kClose, "", line};
    }
    if (rest_.front() == '"') {
      const std::size_t end = rest_.find('"', 1);
      if (end == std::string_view::npos) fail(line, "a text in quotes does not end");
      const std::string_view inside = rest_.substr(1, end - 1);
      line_ += std::count(inside.begin(), inside.end(), '\n');
      rest_.remove_prefix(end + 1);
      return {GmlWord::Kind::kText, without_entities(inside), line};
    }
    std::size_t length = 0;
    while (length < rest_.size() && std::isspace(static_cast<unsigned char>(rest_[length])) == 0 &&
           rest_[length] != '[' && rest_[length] != ']')
      ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return {GmlWord::Kind::kWord, std::string(word), line};
  }

  GmlWord value_of(const GmlWord& key) {
    if (key.kind != GmlWord::Kind::kWord) fail(key.line, "expected a key");
    GmlWord value = next();
    if (value.kind == GmlWord::Kind::kEnd || value.kind == GmlWord::Kind::kClose)
      fail(value.line, "expected a value of " + in_quotes(key.text));
    return value;
  }

  /// The rest of a list that is not read.
  void skip(const GmlWord& value) {
    if (value.kind != GmlWord::Kind::kOpen) return;
    int depth = 1;
    while (depth > 0) {
      const GmlWord word = next();
      if (word.kind == GmlWord::Kind::kEnd) fail(value.line, "a list does not end");
      if (word.kind == GmlWord::Kind::kOpen && ++depth > kMaxNesting)
        fail(word.line, "is nested deeper than " + std::to_string(kMaxNesting) + " levels");
      if (word.kind == GmlWord::Kind::kClose) --depth;
    }
  }

  void read_graph_list() {
    for (GmlWord key = next(); key.kind != GmlWord::Kind::kClose; key = next()) {
      if (key.kind == GmlWord::Kind::kEnd) fail(key.line, "the graph does not end");
      const GmlWord value = value_of(key);
      const std::string name = lower(key.text);
      if (name == "directed") directed_ = value.text == "1";
      if ((name == "node" || name == "edge") && value.kind == GmlWord::Kind::kOpen) {
        (name == "node" ? nodes_ : edges_).push_back(read_element(key.line));
      } else {
        skip(value);
      }
    }
  }

  Element read_element(std::int64_t line) {
    Element element{line, {}};
    for (GmlWord key = next(); key.kind != GmlWord::Kind::kClose; key = next()) {
      if (key.kind == GmlWord::Kind::kEnd) fail(line, "a node or edge does not end");
      const GmlWord value = value_of(key);
      if (value.kind == GmlWord::Kind::kOpen) {
        lists_.insert(key.text);
        skip(value);
      } else {
        element.cells.emplace_back(key.text, value.text);
      }
    }
    return element;
  }

  /// Node ids and what the nodes are called.
  std::map<std::string, std::string> names() const {
    std::map<std::string, std::string> by_id;
    std::set<std::string> labels;
    bool different = true;
    for (const Element& node : nodes_) {
      const std::string* id = node.find("id");
      if (id == nullptr) fail(node.line, "a node without id");
      const std::string* label = node.find("label");
      different = different && label != nullptr && labels.insert(*label).second;
      if (!by_id.emplace(*id, label == nullptr ? *id : *label).second)
        fail(node.line, "two nodes have the id " + in_quotes(*id));
    }
    if (!different) {
      for (auto& [id, name] : by_id) name = id;
    }
    labels_are_names_ = different && !nodes_.empty();
    return by_id;
  }

  GraphTables tables() const {
    const std::map<std::string, std::string> name_of = names();
    TableBuilder nodes(file_, "node");
    for (const Element& node : nodes_) {
      nodes.begin_row(node.line);
      nodes.set("id", name_of.at(*node.find("id")));
      for (const auto& [key, cell] : node.cells) {
        if (key != "id" && !(key == "label" && labels_are_names_)) nodes.set(key, cell);
      }
    }
    TableBuilder edges(file_, "edge");
    for (const Element& edge : edges_) {
      edges.begin_row(edge.line);
      for (const auto& [key, cell] : edge.cells) {
        const auto end = key == "source" || key == "target" ? name_of.find(cell) : name_of.end();
        edges.set(key, end == name_of.end() ? cell : end->second);
      }
    }
    GraphTables result{nodes.finish(), edges.finish(), std::nullopt, directed_, {}};
    for (const std::string& list : lists_)
      result.notes.push_back("ignored: attribute " + in_quotes(list) + ", a list");
    return result;
  }

  std::string file_;
  std::string text_;
  std::string_view rest_;
  std::int64_t line_ = 1;
  bool directed_ = false;
  mutable bool labels_are_names_ = false;
  std::vector<Element> nodes_;
  std::vector<Element> edges_;
  std::set<std::string> lists_;
};

}  // namespace

GraphTables read_gml(ByteStream stream) { return GmlReader(std::move(stream)).read(); }

}  // namespace hgnet
