#include "graph_argument.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <string_view>

#include "hgnet/data/graph_file.hpp"
#include "hgnet/graph/generators.hpp"

namespace hgnet::app {
namespace {

// Of a grid or path. Making as many takes some 2 GB; a slip of the hand must not take all there is.
constexpr std::int64_t kMaxNodes = std::int64_t{1} << 24;

[[noreturn]] void fail_too_many(const std::string& where) {
  throw CLI::ValidationError("--graph",
                             where + ": expected at most " + std::to_string(kMaxNodes) + " nodes");
}

std::int64_t positive(std::string_view text, const std::string& where) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) {
    throw CLI::ValidationError("--graph",
                               where + ": '" + std::string(text) + "' is not a positive number");
  }
  if (value > kMaxNodes) fail_too_many(where);
  return value;
}

}  // namespace

Subject subject_of(const std::string& text, bool with_layout) {
  const std::string_view view = text;
  if (view.rfind("grid:", 0) == 0) {
    const std::string_view size = view.substr(5);
    const std::size_t cross = size.find('x');
    if (cross == std::string_view::npos) {
      throw CLI::ValidationError("--graph", text + ": expected grid:WxH, such as grid:16x16");
    }
    const std::int64_t width = positive(size.substr(0, cross), text);
    const std::int64_t height = positive(size.substr(cross + 1), text);
    if (width > kMaxNodes / height) fail_too_many(text);
    return {grid_graph(width, height),
            with_layout ? std::optional(grid_layout(width, height)) : std::nullopt};
  }
  if (view.rfind("path:", 0) == 0) {
    const std::int64_t count = positive(view.substr(5), text);
    return {path_graph(count), with_layout ? std::optional(path_layout(count)) : std::nullopt};
  }
  return {read_graph(text), std::nullopt};
}

Layout layout_of(const Subject& subject) {
  return subject.layout ? *subject.layout : force_directed_layout(subject.graph);
}

}  // namespace hgnet::app
