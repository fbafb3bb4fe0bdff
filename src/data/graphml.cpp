#include <algorithm>
#include <cstring>
#include <map>
#include <pugixml.hpp>
#include <string_view>
#include <vector>

#include "data/graph_formats.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

/// The element's name without a namespace's prefix.
std::string_view local_name(const pugi::xml_node& element) {
  const std::string_view name = element.name();
  return name.substr(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
}

/// What a <key> declares: attributes of nodes or edges.
struct Key {
  std::string name;
  std::string of;  // "node", "edge", "all", ...
  std::string fallback;
};

class GraphmlReader {
 public:
  explicit GraphmlReader(ByteStream stream)
      : file_(stream.name()),
        text_(stream.read_all(std::size_t{1} << 30)),
        nodes_(file_, "node"),
        edges_(file_, "edge") {}

  GraphTables read() {
    pugi::xml_document document;
    const pugi::xml_parse_result parsed = document.load_buffer(text_.data(), text_.size());
    if (!parsed) {
      const auto at = std::min(static_cast<std::size_t>(parsed.offset), text_.size());
      throw InvalidFile(
          file_,
          1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'),
          std::string("is not XML: ") + parsed.description());
    }
    const pugi::xml_node root = document.document_element();
    if (local_name(root) != "graphml") throw InvalidFile(file_, 1, "has no element graphml");
    std::int64_t graphs = 0;
    for (const pugi::xml_node element : root.children()) {
      if (local_name(element) == "key") add_key(element);
      if (local_name(element) == "graph") ++graphs;
    }
    for (const auto& [id, key] : keys_) {
      if (key.fallback.empty()) continue;
      if (key.of == "node" || key.of == "all") node_defaults_.push_back(&key);
      if (key.of == "edge" || key.of == "all") edge_defaults_.push_back(&key);
    }
    if (graphs == 0) throw InvalidFile(file_, 0, "has no element graph");
    std::int64_t number = 0;
    for (const pugi::xml_node element : root.children()) {
      if (local_name(element) == "graph") read_graph_element(element, graphs > 1, number++);
    }
    return {nodes_.finish(), edges_.finish(), std::nullopt, directed_, {}};
  }

 private:
  /// Elements come in the order of the file, so the lines before are counted once.
  std::int64_t line_of(const pugi::xml_node& element) {
    const auto place =
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(element.offset_debug(), 0));
    if (place < counted_) {
      counted_ = 0;
      line_ = 1;
    }
    const auto begin = text_.begin();
    const auto end = std::min(place, text_.size());
    line_ += std::count(begin + static_cast<std::ptrdiff_t>(counted_),
                        begin + static_cast<std::ptrdiff_t>(end), '\n');
    counted_ = end;
    return line_;
  }

  [[noreturn]] void fail(const pugi::xml_node& element, const std::string& what) {
    throw InvalidFile(file_, line_of(element), what);
  }

  std::string attribute(const pugi::xml_node& element, const char* name) {
    const pugi::xml_attribute found = element.attribute(name);
    if (!found)
      fail(element, "an element " + std::string(local_name(element)) + " without " + name);
    return found.value();
  }

  void add_key(const pugi::xml_node& element) {
    const std::string name = element.attribute("attr.name").value();
    if (name.empty()) return;  // a drawing program's own
    Key key{name, element.attribute("for").as_string("all"), ""};
    for (const pugi::xml_node child : element.children()) {
      if (local_name(child) == "default") key.fallback = child.text().get();
    }
    if (!keys_.emplace(attribute(element, "id"), key).second)
      fail(element, "two keys have the id " + in_quotes(attribute(element, "id")));
  }

  void read_graph_element(const pugi::xml_node& graph, bool several, std::int64_t number) {
    const bool directed_graph =
        std::strcmp(graph.attribute("edgedefault").value(), "directed") == 0;
    const std::string id = graph.attribute("id").value();
    const std::string name = id.empty() ? std::to_string(number) : id;
    for (const pugi::xml_node element : graph.children()) {
      const std::string_view kind = local_name(element);
      if (kind == "hyperedge") fail(element, "a hyperedge; expected edges between two nodes");
      if (kind != "node" && kind != "edge") continue;
      TableBuilder& table = kind == "node" ? nodes_ : edges_;
      table.begin_row(line_of(element));
      if (several) table.set("graph", name);
      if (kind == "node") {
        table.set("id", attribute(element, "id"));
      } else {
        table.set("source", attribute(element, "source"));
        table.set("target", attribute(element, "target"));
        directed_ = directed_ || element.attribute("directed").as_bool(directed_graph);
      }
      read_data(element, kind == "node" ? node_defaults_ : edge_defaults_, table);
    }
  }

  void read_data(const pugi::xml_node& element, const std::vector<const Key*>& defaults,
                 TableBuilder& table) {
    std::map<std::string, std::string> cells;
    for (const Key* key : defaults) {
      filled_in_ += sizeof(std::size_t) + key->fallback.size();
      cells[key->name] = key->fallback;
    }
    if (filled_in_ > kFilledInMore + kFilledInFactor * text_.size())
      fail(element, "with defaults of keys filled in, the file is more than " +
                        std::to_string(kFilledInFactor) + " times as large");
    for (const pugi::xml_node data : element.children()) {
      if (local_name(data) == "graph") fail(element, "a graph within a node; expected none");
      if (local_name(data) != "data") continue;
      const auto key = keys_.find(data.attribute("key").value());
      if (key == keys_.end()) continue;
      cells[key->second.name] = data.text().get();
    }
    for (const auto& [name, cell] : cells) table.set(name, cell);
  }

  // A short file has room for many keys with defaults and many nodes, or for a long default.
  static constexpr std::size_t kFilledInFactor = 50;
  static constexpr std::size_t kFilledInMore = std::size_t{64} << 20;

  std::string file_;
  std::string text_;
  std::size_t filled_in_ = 0;  // bytes of cells that come from defaults
  std::vector<const Key*> node_defaults_;
  std::vector<const Key*> edge_defaults_;
  std::map<std::string, Key, std::less<>> keys_;
  TableBuilder nodes_;
  TableBuilder edges_;
  bool directed_ = false;
  std::size_t counted_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace

GraphTables read_graphml(ByteStream stream) { return GraphmlReader(std::move(stream)).read(); }

}  // namespace hgnet
