#include "hgnet/data/tu_writer.hpp"

#include <charconv>
#include <fstream>

#include "data/staged_folder.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

/// Collects text and writes it in large pieces: these files have tens of millions of short lines.
class TextFile {
 public:
  explicit TextFile(const fs::path& file) : name_(file.string()), stream_(file, std::ios::binary) {}

  template <class Number>
  TextFile& number(Number value) {
    char digits[32];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    return *this;
  }

  TextFile& text(std::string_view piece) {
    text_ += piece;
    if (text_.size() >= kPiece) flush();
    return *this;
  }

  /// Throws Error unless everything is written.
  void close() {
    flush();
    stream_.close();
    if (!stream_) throw Error("cannot write " + name_);
  }

 private:
  static constexpr std::size_t kPiece = 1 << 20;

  void flush() {
    stream_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }

  std::string name_;
  std::ofstream stream_;
  std::string text_;
};

void write_edges(const ColorConnectivity& samples, TextFile& file) {
  const Graph& graph = samples.graph;
  for (std::int64_t sample = 0; sample < samples.num_samples(); ++sample) {
    const std::int64_t first = 1 + sample * graph.num_nodes();
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (const NodeId u : graph.neighbours(v)) {
        file.number(first + v).text(", ").number(first + u).text("\n");
      }
    }
  }
}

void write_node_attributes(const ColorConnectivity& samples, TextFile& file) {
  const int width = samples.options.noise_features;
  for (std::int64_t sample = 0; sample < samples.num_samples(); ++sample) {
    int column = 0;
    for (const float value : samples.noise(sample)) {
      file.number(value).text(++column < width ? ", " : "\n");
      if (column == width) column = 0;
    }
  }
}

}  // namespace

fs::path write_tu(const ColorConnectivity& samples, const fs::path& folder,
                  const std::string& name) {
  if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos) {
    throw Error(
        "'" + name +
        "' cannot be a data set's name: it is used for a folder and the start of its files' names");
  }
  StagedFolder staged(folder / name);
  const auto write = [&](const char* part, const auto& body) {
    TextFile file(staged.path() / (name + part));
    body(file);
    file.close();
  };
  write("_A.txt", [&](TextFile& file) { write_edges(samples, file); });
  write("_graph_indicator.txt", [&](TextFile& file) {
    for (std::int64_t sample = 1; sample <= samples.num_samples(); ++sample) {
      for (NodeId v = 0; v < samples.graph.num_nodes(); ++v) file.number(sample).text("\n");
    }
  });
  write("_graph_labels.txt", [&](TextFile& file) {
    for (const int label : samples.labels) file.number(label).text("\n");
  });
  write("_node_labels.txt", [&](TextFile& file) {
    for (std::int64_t sample = 0; sample < samples.num_samples(); ++sample) {
      for (const int colour : samples.colours(sample)) file.number(colour).text("\n");
    }
  });
  if (samples.options.noise_features > 0) {
    write("_node_attributes.txt", [&](TextFile& file) { write_node_attributes(samples, file); });
  }
  staged.commit();
  return folder / name;
}

}  // namespace hgnet
