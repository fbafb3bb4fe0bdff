#include "hgnet/data/graph_file.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

constexpr std::int64_t kMaxNodes = std::numeric_limits<NodeId>::max() - 1;

/// Line by line, with the place for errors.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& file) : name_(file.string()), stream_(file) {
    if (std::filesystem::is_directory(file)) fail("is a folder; expected a file with edges");
    if (!stream_) fail("cannot be opened");
  }

  /// The next line's fields; blanks, tabs and commas separate. Skips empty lines and those that
  /// start with one of `comments`.
  bool next(std::vector<std::string_view>& fields, std::string_view comments) {
    while (std::getline(stream_, line_)) {
      ++number_;
      split(fields);
      if (!fields.empty() && comments.find(fields.front().front()) == std::string_view::npos)
        return true;
    }
    if (stream_.bad()) fail("cannot be read to its end");
    return false;
  }

  [[noreturn]] void fail(const std::string& what) const { throw InvalidFile(name_, number_, what); }

  std::int64_t integer(std::string_view field, const char* what, std::int64_t low,
                       std::int64_t high) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || value < low || value > high) {
      fail(std::string(what) + " '" + std::string(field) + "'; expected an integer from " +
           std::to_string(low) + " to " + std::to_string(high));
    }
    return value;
  }

  float number(std::string_view field, const char* what) const {
    float value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value)) {
      fail(std::string(what) + " '" + std::string(field) + "'; expected a number");
    }
    return value;
  }

 private:
  void split(std::vector<std::string_view>& fields) const {
    constexpr std::string_view kSeparators = " \t,\r";
    fields.clear();
    const std::string_view line = line_;
    std::size_t begin = line.find_first_not_of(kSeparators);
    while (begin != std::string_view::npos) {
      const std::size_t end = std::min(line.find_first_of(kSeparators, begin), line.size());
      fields.push_back(line.substr(begin, end - begin));
      begin = line.find_first_not_of(kSeparators, end);
    }
  }

  std::string name_;
  std::ifstream stream_;
  std::string line_;
  std::int64_t number_ = 0;
};

void expect_fields(const LineReader& reader, const std::vector<std::string_view>& fields,
                   std::size_t least, std::size_t most, const char* expected) {
  if (fields.size() < least || fields.size() > most) {
    reader.fail(std::to_string(fields.size()) + " fields; expected " + expected);
  }
}

void add_one_based(const LineReader& reader, const std::vector<std::string_view>& fields,
                   std::int64_t num_nodes, EdgeList& edges) {
  edges.source.push_back(reader.integer(fields[0], "node", 1, num_nodes) - 1);
  edges.target.push_back(reader.integer(fields[1], "node", 1, num_nodes) - 1);
}

void check_count(const LineReader& reader, std::size_t got, std::int64_t announced) {
  if (static_cast<std::int64_t>(got) != announced) {
    reader.fail("the file ends after " + std::to_string(got) + " edges; its head announces " +
                std::to_string(announced));
  }
}

/// A stray large number must not make a graph of billions of empty rows.
Graph build(const LineReader& reader, std::int64_t num_nodes, const EdgeList& edges) {
  const auto plausible = 1'000'000 + 1000 * static_cast<std::int64_t>(edges.source.size());
  if (num_nodes > plausible) {
    reader.fail(std::to_string(num_nodes) + " nodes for " + std::to_string(edges.source.size()) +
                " edges; number the nodes without large gaps");
  }
  return Graph::from_edges(num_nodes, edges);
}

Graph read_edges_file(LineReader& reader) {
  std::vector<std::string_view> fields;
  if (!reader.next(fields, "")) reader.fail("is empty; expected a first line 'nodes edges'");
  expect_fields(reader, fields, 2, 2, "'nodes edges'");
  const std::int64_t num_nodes = reader.integer(fields[0], "node count", 0, kMaxNodes);
  const std::int64_t num_edges =
      reader.integer(fields[1], "edge count", 0, std::numeric_limits<std::int64_t>::max());
  EdgeList edges;
  while (reader.next(fields, "")) {
    expect_fields(reader, fields, 2, 2, "two node numbers");
    add_one_based(reader, fields, num_nodes, edges);
  }
  check_count(reader, edges.source.size(), num_edges);
  return build(reader, num_nodes, edges);
}

Graph read_matrix_market(LineReader& reader) {
  std::vector<std::string_view> fields;
  if (!reader.next(fields, "")) reader.fail("is empty; expected a MatrixMarket head");
  const auto is = [&](std::size_t i, std::string_view text) {
    return i < fields.size() &&
           std::equal(fields[i].begin(), fields[i].end(), text.begin(), text.end(),
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
  if (!reader.next(fields, "%"))
    reader.fail("the file ends before the line 'rows columns entries'");
  expect_fields(reader, fields, 3, 3, "'rows columns entries'");
  const std::int64_t num_nodes = reader.integer(fields[0], "row count", 0, kMaxNodes);
  if (reader.integer(fields[1], "column count", 0, kMaxNodes) != num_nodes) {
    reader.fail("the matrix is not square, so it is not a graph's");
  }
  const std::int64_t num_entries =
      reader.integer(fields[2], "entry count", 0, std::numeric_limits<std::int64_t>::max());
  EdgeList edges;
  while (reader.next(fields, "%")) {
    expect_fields(reader, fields, pattern ? 2 : 3, pattern ? 2 : 3,
                  pattern ? "row and column" : "row, column and value");
    add_one_based(reader, fields, num_nodes, edges);
    if (!pattern) edges.weight.push_back(reader.number(fields[2], "value"));
  }
  check_count(reader, edges.source.size(), num_entries);
  return build(reader, num_nodes, edges);
}

Graph read_edge_list(LineReader& reader) {
  std::vector<std::string_view> fields;
  EdgeList edges;
  std::int64_t num_nodes = 0;
  std::size_t columns = 0;
  while (reader.next(fields, "#%")) {
    if (columns == 0) columns = std::clamp<std::size_t>(fields.size(), 2, 3);
    expect_fields(
        reader, fields, columns, columns,
        columns == 2 ? "two node ids" : "two node ids and a weight, as on the first line");
    edges.source.push_back(reader.integer(fields[0], "node", 0, kMaxNodes - 1));
    edges.target.push_back(reader.integer(fields[1], "node", 0, kMaxNodes - 1));
    if (columns == 3) edges.weight.push_back(reader.number(fields[2], "weight"));
    num_nodes = std::max({num_nodes, edges.source.back() + 1, edges.target.back() + 1});
  }
  if (num_nodes == 0) reader.fail("no edges in it; expected lines of two node ids");
  return build(reader, num_nodes, edges);
}

}  // namespace

Graph read_graph(const std::filesystem::path& file) {
  LineReader reader(file);
  const std::string ending = file.extension().string();
  if (ending == ".edges") return read_edges_file(reader);
  if (ending == ".mtx") return read_matrix_market(reader);
  return read_edge_list(reader);
}

}  // namespace hgnet
