#include "hgnet/data/graph_file.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/line_reader.hpp"
#include "data/readers.hpp"
#include "hgnet/core/error.hpp"

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

/// The line's fields; fails unless there are `count` of them.
const Fields& expect_fields(LineReader& reader, std::size_t count, const char* expected) {
  const Fields& fields = reader.fields();
  if (fields.size() != count) {
    reader.fail(std::to_string(fields.size()) + " fields; expected " + expected);
  }
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
  const Fields& head = expect_fields(reader, 2, "'nodes edges'");
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

Graph read_edge_list(LineReader& reader) {
  EdgeList edges;
  std::int64_t num_nodes = 0;
  std::size_t columns = 0;
  while (next_line(reader, "#%")) {
    if (columns == 0) columns = std::clamp<std::size_t>(reader.fields().size(), 2, 3);
    const Fields& fields = expect_fields(
        reader, columns,
        columns == 2 ? "two node ids" : "two node ids and a weight, as on the first line");
    edges.source.push_back(reader.integer_of(fields[0], "node", 0, kMaxNodes - 1));
    edges.target.push_back(reader.integer_of(fields[1], "node", 0, kMaxNodes - 1));
    if (columns == 3) edges.weight.push_back(reader.number_of(fields[2], "weight"));
    num_nodes = std::max({num_nodes, edges.source.back() + 1, edges.target.back() + 1});
  }
  if (num_nodes == 0) reader.fail("has no edges; expected lines of two node ids");
  return build(reader, num_nodes, edges);
}

}  // namespace

Graph read_graph(ByteStream stream, const std::string& ending) {
  LineReader reader(std::move(stream));
  if (ending == ".edges") return read_edges_file(reader);
  if (ending == ".mtx") return read_matrix_market(reader);
  return read_edge_list(reader);
}

Graph read_graph(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file)) {
    throw InvalidFile(file.string(), 0, "is a folder; expected a file with edges");
  }
  return read_graph(ByteStream::from_file(file), file.extension().string());
}

}  // namespace hgnet
