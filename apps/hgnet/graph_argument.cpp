#include "graph_argument.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "hgnet/core/error.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/data/registry.hpp"
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

/// "ENZYMES:17" names a graph by its place; "cc-crossing32:4" is a name, and files may have any.
std::pair<std::string, std::optional<std::int64_t>> name_and_place(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string digits = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool number =
      !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
  if (!number || text.starts_with("cc-") || std::filesystem::exists(text))
    return {text, std::nullopt};
  std::int64_t place = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), place);
  if (error != std::errc()) throw CLI::ValidationError("--graph", text + ": no such graph");
  return {text.substr(0, colon), place};
}

Graph graph_in(const std::string& text, const std::filesystem::path& root) {
  const auto [name, place] = name_and_place(text);
  LoadOptions options;
  options.root = root;
  options.targets = Targets::kClasses;  // whatever the labels are
  options.directed = Directed::kSymmetrise;
  options.cc_samples = 2;  // all samples have the same graph
  const Dataset dataset = load_dataset(name, options);
  const auto count = static_cast<std::int64_t>(dataset.graphs.size());
  const bool same = std::all_of(
      dataset.graphs.begin(), dataset.graphs.end(),
      [&](const Graph& graph) { return graph.identity() == dataset.graphs.front().identity(); });
  if (!place && !same) {
    throw CLI::ValidationError("--graph", name + " has " + std::to_string(count) +
                                              " graphs; choose one: " + name + ":0 to " + name +
                                              ":" + std::to_string(count - 1));
  }
  const std::int64_t chosen = place.value_or(0);
  if (chosen >= count) {
    throw CLI::ValidationError(
        "--graph", text + ": expected " + name + ":0 to " + name + ":" + std::to_string(count - 1));
  }
  return dataset.graphs[chosen];
}

}  // namespace

std::optional<ColorGround> road_of(const std::string& text, const std::filesystem::path& root) {
  const std::size_t colon = text.find(':');
  const std::string road = text.substr(0, colon);
  if (road != "euroroad" && road != "minnesota") return std::nullopt;
  if (colon != std::string::npos) {
    const std::filesystem::path file = text.substr(colon + 1);
    if (!std::filesystem::exists(file))
      throw CLI::ValidationError("--graph", file.string() + " does not exist");
    return road_ground(road, file);
  }
  const KnownDataset& known = known_dataset("cc-" + road);
  const std::filesystem::path folder = root.empty() ? default_data_root() : root;
  if (!on_disk(known, folder))
    throw MissingDataset(road + " is not below " + folder.string(), known.name, folder.string());
  return road_ground(road, folder / known.files.front().path);
}

Subject subject_of(const std::string& text, const std::filesystem::path& root, bool with_layout) {
  const std::string_view view = text;
  if (view.starts_with("grid:")) {
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
  if (view.starts_with("path:")) {
    const std::int64_t count = positive(view.substr(5), text);
    return {path_graph(count), with_layout ? std::optional(path_layout(count)) : std::nullopt};
  }
  if (const auto road = road_of(text, root)) return {road->graph, std::nullopt};
  return {graph_in(text, root), std::nullopt};
}

Layout layout_of(const Subject& subject, std::uint64_t seed) {
  return subject.layout ? *subject.layout : force_directed_layout(subject.graph, seed);
}

}  // namespace hgnet::app
