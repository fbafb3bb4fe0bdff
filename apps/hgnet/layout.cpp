#include "layout.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "hgnet/core/error.hpp"

namespace hgnet::app {
namespace {

/// A file that is deleted when this goes out of scope.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_((std::filesystem::temp_directory_path() / "hgnet-layout-XXXXXX").string()) {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) throw Error("cannot create a temporary file " + path_);
    close(descriptor);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(path_.c_str()); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void write_dot(const Graph& graph, const std::string& path) {
  std::ofstream out(path);
  out << "graph {\n";
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    out << v << ";\n";
    for (const NodeId u : graph.neighbours(v)) {
      if (u < v) out << u << "--" << v << ";\n";
    }
  }
  out << "}\n";
  if (!out.flush()) throw Error("cannot write " + path);
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
  if (std::system("command -v sfdp >/dev/null 2>&1") != 0) {
    throw Error(
        "drawing this graph needs Graphviz's sfdp to lay out its nodes, which is not installed "
        "(Debian package: graphviz)");
  }
  const TemporaryFile dot;
  write_dot(graph, dot.path());
  const std::string command = "sfdp -Tplain '" + dot.path() + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  if (!output) throw Error("cannot run sfdp");
  Layout layout(graph.num_nodes());
  std::vector<char> placed(graph.num_nodes(), 0);
  char* line = nullptr;
  std::size_t capacity = 0;
  while (getline(&line, &capacity, output.get()) > 0) {
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
  std::free(line);
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    if (placed[v] == 0) throw Error("sfdp returned no position for node " + std::to_string(v));
  }
  return layout;
}

}  // namespace hgnet::app
