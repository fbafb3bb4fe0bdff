#include "layout.hpp"

#include <cmath>
#include <optional>
#include <sstream>

#include "child_process.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet::app {
namespace {

std::string dot_of(const Graph& graph) {
  std::string text = "graph {\n";
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    text += std::to_string(v) + ";\n";
    for (const NodeId u : graph.neighbours(v)) {
      if (u < v) text += std::to_string(u) + "--" + std::to_string(v) + ";\n";
    }
  }
  return text + "}\n";
}

}  // namespace

Layout grid_layout(std::int64_t width, std::int64_t height) {
  Layout layout;
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x)
      layout.push_back({static_cast<double>(x), static_cast<double>(y)});
  }
  return layout;
}

Layout path_layout(std::int64_t num_nodes) {
  const auto side = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(num_nodes))));
  Layout layout;
  for (std::int64_t v = 0; v < num_nodes; ++v) {
    const std::int64_t row = v / side;
    const std::int64_t column = row % 2 == 0 ? v % side : side - 1 - v % side;
    layout.push_back({static_cast<double>(column), static_cast<double>(row)});
  }
  return layout;
}

Layout force_directed_layout(const Graph& graph) {
  const std::optional<std::string> plain = output_of({"sfdp", "-Tplain"}, dot_of(graph));
  if (!plain) {
    throw Error(
        "drawing this graph needs Graphviz's sfdp to lay out its nodes, which is not installed "
        "(Debian package: graphviz)");
  }
  Layout layout(graph.num_nodes());
  std::vector<char> placed(graph.num_nodes(), 0);
  std::istringstream lines(*plain);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string kind;
    NodeId node = kNoNode;
    Point point;
    if (fields >> kind >> node >> point.x >> point.y && kind == "node" && node >= 0 &&
        node < graph.num_nodes()) {
      layout[node] = point;
      placed[node] = 1;
    }
  }
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    if (placed[v] == 0) throw Error("sfdp returned no position for node " + std::to_string(v));
  }
  return layout;
}

}  // namespace hgnet::app
