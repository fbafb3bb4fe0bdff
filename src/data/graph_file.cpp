#include "hgnet/data/graph_file.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/graph_formats.hpp"
#include "data/line_reader.hpp"
#include "data/readers.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

using Fields = std::vector<std::string_view>;

/// Moves to the next line that is neither blank nor a comment.
bool next_line(LineReader& reader, std::string_view comments) {
  while (reader.next()) {
    const Fields& fields = reader.fields();
    if (!fields.empty() && comments.find(fields.front().front()) == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

/// Fails unless there are `count` fields.
void expect_fields(const LineReader& reader, const Fields& fields, std::size_t count,
                   const char* expected) {
  if (fields.size() != count)
    reader.fail(std::to_string(fields.size()) + " fields; expected " + expected);
}

/// The line's fields; fails unless there are `count` of them.
const Fields& expect_fields(LineReader& reader, std::size_t count, const char* expected) {
  const Fields& fields = reader.fields();
  expect_fields(reader, fields, count, expected);
  return fields;
}

void add_one_based(const LineReader& reader, const Fields& fields, std::int64_t num_nodes,
                   EdgeList& edges) {
  edges.source.push_back(reader.integer_of(fields[0], "node", 1, num_nodes) - 1);
  edges.target.push_back(reader.integer_of(fields[1], "node", 1, num_nodes) - 1);
}

void check_count(const LineReader& reader, std::size_t got, std::int64_t announced) {
  if (static_cast<std::int64_t>(got) != announced) {
    reader.fail("the file ends after " + std::to_string(got) + " edges; its first line announces " +
                std::to_string(announced));
  }
}

/// Prevents a stray large number from making a graph of billions of empty rows.
Graph build(const LineReader& reader, std::int64_t num_nodes, const EdgeList& edges) {
  const auto plausible = 1'000'000 + 1000 * static_cast<std::int64_t>(edges.source.size());
  if (num_nodes > plausible) {
    reader.fail(std::to_string(num_nodes) + " nodes for " + std::to_string(edges.source.size()) +
                " edges; number the nodes without large gaps");
  }
  try {
    return Graph::from_edges(num_nodes, edges);
  } catch (const InvalidGraph& error) {
    throw InvalidFile(reader.file(), 0, error.what());
  }
}

Graph read_edges_file(LineReader& reader) {
  if (!next_line(reader, "")) reader.fail("is empty; expected a first line 'nodes edges'");
  const Fields& head = expect_fields(
      reader, 2, "'nodes edges' on the first line; other lists of edges end in .txt or .edgelist");
  const std::int64_t num_nodes = reader.integer_of(head[0], "node count", 0, kMaxNodes);
  const std::int64_t num_edges =
      reader.integer_of(head[1], "edge count", 0, std::numeric_limits<std::int64_t>::max());
  EdgeList edges;
  while (next_line(reader, "")) {
    add_one_based(reader, expect_fields(reader, 2, "two node numbers"), num_nodes, edges);
  }
  check_count(reader, edges.source.size(), num_edges);
  return build(reader, num_nodes, edges);
}

Graph read_matrix_market(LineReader& reader) {
  if (!next_line(reader, "")) reader.fail("is empty; expected a MatrixMarket header");
  const Fields& head = reader.fields();
  const auto is = [&](std::size_t i, std::string_view text) {
    return i < head.size() && std::equal(head[i].begin(), head[i].end(), text.begin(), text.end(),
                                         [](char a, char b) { return std::tolower(a) == b; });
  };
  if (!is(0, "%%matrixmarket") || !is(1, "matrix") || !is(2, "coordinate")) {
    reader.fail("expected '%%MatrixMarket matrix coordinate ...'");
  }
  const bool pattern = is(3, "pattern");
  if (!pattern && !is(3, "real") && !is(3, "integer"))
    reader.fail("entries must be pattern, real or integer");
  if (!is(4, "general") && !is(4, "symmetric"))
    reader.fail("symmetry must be general or symmetric");
  if (!next_line(reader, "%")) {
    reader.fail("the file ends before the line 'rows columns entries'");
  }
  const Fields& sizes = expect_fields(reader, 3, "'rows columns entries'");
  const std::int64_t num_nodes = reader.integer_of(sizes[0], "row count", 0, kMaxNodes);
  if (reader.integer_of(sizes[1], "column count", 0, kMaxNodes) != num_nodes) {
    reader.fail("the matrix is not square, so it does not describe a graph");
  }
  const std::int64_t num_entries =
      reader.integer_of(sizes[2], "entry count", 0, std::numeric_limits<std::int64_t>::max());
  EdgeList edges;
  while (next_line(reader, "%")) {
    const Fields& fields = expect_fields(reader, pattern ? 2 : 3,
                                         pattern ? "row and column" : "row, column and value");
    add_one_based(reader, fields, num_nodes, edges);
    if (!pattern) edges.weight.push_back(reader.number_of(fields[2], "value"));
  }
  check_count(reader, edges.source.size(), num_entries);
  return build(reader, num_nodes, edges);
}

bool is_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// The numbers of nodes that are called by names, in the order in which they first occur.
class NodeNames {
 public:
  std::int64_t number_of(const LineReader& reader, std::string_view name) {
    const auto [place, is_new] = numbers_.try_emplace(std::string(name), names_.size());
    if (is_new) names_.push_back(reader.name_of(name, "node"));
    return static_cast<std::int64_t>(place->second);
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> names_;
};

/// Whether a first line has names of columns in place of an edge.
bool is_header(const Fields& fields) {
  const std::string source = to_lower(fields[0]);
  const std::string target = fields.size() > 1 ? to_lower(fields[1]) : "";
  return (source == "source" && target == "target") || (source == "from" && target == "to");
}

/// networkx writes attributes behind an edge, as in "0 1 {'weight': 4.5, 'kind': 'a'}". Of these
/// the weight becomes the third field; the names of the rest are added to `ignored`.
Fields without_attributes(const Fields& fields, std::set<std::string>& ignored) {
  if (fields.size() < 3 || !fields[2].starts_with('{')) return fields;
  Fields result{fields[0], fields[1]};
  for (std::size_t i = 2; i + 1 < fields.size(); ++i) {
    std::string_view name = fields[i];
    if (!name.ends_with("':")) continue;
    name.remove_suffix(2);
    name.remove_prefix(std::min(name.find('\'') + 1, name.size()));
    if (name != "weight") {
      ignored.emplace(name);
      continue;
    }
    std::string_view value = fields[i + 1];
    if (value.ends_with('}') || value.ends_with(',')) value.remove_suffix(1);
    if (result.size() == 2) result.push_back(value);
  }
  return result;
}

/// The first edge tells whether ids are numbers or names.
NamedGraph read_edge_list(LineReader& reader) {
  EdgeList edges;
  NodeNames names;
  bool named = false;
  std::int64_t num_nodes = 0;
  std::size_t columns = 0;
  std::set<std::string> ignored;
  while (next_line(reader, "#%")) {
    const Fields fields = without_attributes(reader.fields(), ignored);
    if (columns == 0 && is_header(fields)) continue;
    if (columns == 0) {
      columns = std::clamp<std::size_t>(fields.size(), 2, 3);
      named = fields.size() > 1 && !(is_integer(fields[0]) && is_integer(fields[1]));
    }
    expect_fields(
        reader, fields, columns,
        columns == 2 ? "two node ids" : "two node ids and a weight, as on the first line");
    const auto node = [&](std::string_view id) {
      return named ? names.number_of(reader, id) : reader.integer_of(id, "node", 0, kMaxNodes - 1);
    };
    edges.source.push_back(node(fields[0]));
    edges.target.push_back(node(fields[1]));
    if (columns == 3) edges.weight.push_back(reader.number_of(fields[2], "weight"));
    num_nodes = std::max({num_nodes, edges.source.back() + 1, edges.target.back() + 1});
  }
  if (num_nodes == 0) reader.fail("has no edges; expected lines of two node ids");
  NamedGraph result{build(reader, num_nodes, edges), names.take(), {}};
  for (const std::string& name : ignored)
    result.notes.push_back("ignored: edge attribute " + in_quotes(name) +
                           ", which an edge list has no column for; GraphML and csv do");
  return result;
}

}  // namespace

NamedGraph read_named_graph(ByteStream stream, const std::string& ending) {
  LineReader reader(std::move(stream));
  if (ending == ".edges") return {read_edges_file(reader)};
  if (ending == ".mtx") return {read_matrix_market(reader)};
  return read_edge_list(reader);
}

Graph read_graph(ByteStream stream, const std::string& ending) {
  return read_named_graph(std::move(stream), ending).graph;
}

Graph read_graph(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file)) {
    throw InvalidFile(file.string(), 0, "is a folder; expected a file with edges");
  }
  const std::string ending = file.extension().string();
  const auto tables = read_graph_tables(ByteStream::from_file(file), ending);
  if (!tables) return read_graph(ByteStream::from_file(file), ending);
  const Dataset dataset = dataset_of(*tables, {.directed = Directed::kSymmetrise});
  if (dataset.graphs.size() != 1)
    throw InvalidFile(file.string(), 0,
                      "holds " + std::to_string(dataset.graphs.size()) + " graphs; expected one");
  return dataset.graphs.front();
}

}  // namespace hgnet
