#include <set>
#include <string>
#include <utility>

#include "core/nested_text.hpp"
#include "data/graph_formats.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

constexpr const char* kNodeLinkExpected =
    "expected an object with 'nodes' and 'links' or 'edges', as networkx.node_link_data gives";

/// Numbers, words and nothing as a cell; false for lists and objects.
bool cell_of(const nlohmann::json& value, std::string& cell) {
  if (value.is_structured()) return false;
  if (value.is_string()) {
    cell = value.get<std::string>();
  } else {
    cell = value.is_null() ? "" : value.dump();
  }
  return true;
}

/// Sets the cells of one attribute; false if it is ignored.
bool set_attribute(TableBuilder& table, const std::string& name, const nlohmann::json& value) {
  std::string cell;
  if (cell_of(value, cell)) {
    table.set(name, cell);
    return true;
  }
  if (!value.is_array()) return false;
  for (const nlohmann::json& item : value) {
    if (!item.is_number() && !item.is_boolean()) return false;
  }
  for (std::size_t i = 0; i < value.size(); ++i)
    table.set(name + " " + std::to_string(i), value[i].dump());
  return true;
}

TextTable read_objects(const nlohmann::json& list, const std::string& file, const std::string& what,
                       const std::string& left_out, std::set<std::string>& ignored) {
  TableBuilder table(file, what);
  if (!list.is_array())
    throw InvalidFile(file, 0, "its " + what + "s are not a list; " + kNodeLinkExpected);
  std::size_t number = 0;
  for (const nlohmann::json& object : list) {
    table.begin_row(0);
    ++number;
    if (!object.is_object())
      throw InvalidFile(
          file, 0, what + " " + std::to_string(number) + " is not an object; " + kNodeLinkExpected);
    for (const auto& [name, value] : object.items()) {
      if (name != left_out && !set_attribute(table, name, value)) ignored.insert(name);
    }
  }
  return table.finish();
}

}  // namespace

GraphTables read_node_link(ByteStream stream) {
  const std::string file = stream.name();
  const nlohmann::json json =
      parse_json(stream.read_all(std::size_t{1} << 30), file, 1, kNodeLinkExpected);
  if (!json.is_object() || !json.contains("nodes")) throw InvalidFile(file, 0, kNodeLinkExpected);
  const auto links = json.contains("links") ? json.find("links") : json.find("edges");
  if (links == json.end()) throw InvalidFile(file, 0, kNodeLinkExpected);
  const auto flag = [&](const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_boolean() && found->get<bool>();
  };
  std::set<std::string> ignored;
  GraphTables tables{read_objects(json.at("nodes"), file, "node", "", ignored),
                     read_objects(*links, file, "edge", flag("multigraph") ? "key" : "", ignored),
                     std::nullopt,
                     flag("directed"),
                     {}};
  for (const std::string& name : ignored)
    tables.notes.push_back("ignored: attribute " + in_quotes(name) +
                           ", which is neither a number, a "
                           "text nor a list of numbers");
  return tables;
}

std::optional<GraphTables> read_graph_tables(ByteStream stream, const std::string& ending) {
  if (ending == ".graphml") return read_graphml(std::move(stream));
  if (ending == ".gml") return read_gml(std::move(stream));
  if (ending == ".json") return read_node_link(std::move(stream));
  return std::nullopt;
}

}  // namespace hgnet
