#include "hgnet/data/tu_writer.hpp"

#include "data/staged_folder.hpp"
#include "data/text_file.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

void write_edges(const ColorConnectivity& samples, std::int64_t sample, TextFile& file) {
  const Graph& graph = samples.graph;
  const std::int64_t first = 1 + sample * graph.num_nodes();
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (const NodeId u : graph.neighbours(v)) {
      file.number(first + v).text(", ").number(first + u).text("\n");
    }
  }
}

void write_node_attributes(const ColorConnectivity& samples, std::int64_t sample, TextFile& file) {
  const int width = samples.options.noise_features;
  int column = 0;
  for (const float value : samples.noise(sample)) {
    file.number(value).text(++column < width ? ", " : "\n");
    if (column == width) column = 0;
  }
}

}  // namespace

fs::path write_tu(const ColorConnectivity& samples, const fs::path& folder, const std::string& name,
                  const SampleProgress& progress) {
  check_folder_name(name);
  StagedFolder staged(folder / name);
  const std::int64_t count = samples.num_samples();
  const std::int64_t total =
      count * (4 + (samples.options.noise_features > 0 ? 1 : 0) + (samples.in_pairs() ? 1 : 0));
  std::int64_t done = 0;
  const auto write = [&](const char* part, const auto& write_sample) {
    TextFile file(staged.path() / (name + part));
    for (std::int64_t sample = 0; sample < count; ++sample) {
      write_sample(sample, file);
      if (progress) progress(++done, total);
    }
    file.close();
  };
  write("_A.txt", [&](std::int64_t sample, TextFile& file) { write_edges(samples, sample, file); });
  write("_graph_indicator.txt", [&](std::int64_t sample, TextFile& file) {
    for (NodeId v = 0; v < samples.graph.num_nodes(); ++v) file.number(sample + 1).text("\n");
  });
  write("_graph_labels.txt", [&](std::int64_t sample, TextFile& file) {
    file.number(static_cast<int>(samples.labels[sample])).text("\n");
  });
  write("_node_labels.txt", [&](std::int64_t sample, TextFile& file) {
    for (const int colour : samples.colours(sample)) file.number(colour).text("\n");
  });
  if (samples.options.noise_features > 0) {
    write("_node_attributes.txt", [&](std::int64_t sample, TextFile& file) {
      write_node_attributes(samples, sample, file);
    });
  }
  if (samples.in_pairs()) {
    write("_graph_groups.txt", [&](std::int64_t sample, TextFile& file) {
      file.number(samples.attempts[sample]).text("\n");
    });
  }
  staged.commit();
  return folder / name;
}

}  // namespace hgnet
