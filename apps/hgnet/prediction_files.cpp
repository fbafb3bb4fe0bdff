#include "prediction_files.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet::app {
namespace {

/// In place of the class of a sample whose answer is not finite.
constexpr const char* kNotFinite = "not finite";

void append_number(std::string& line, float value) {
  char number[32];
  std::snprintf(number, sizeof number, ",%.6g", static_cast<double>(value));
  line += std::isnan(value) ? ",nan" : number;  // a NaN may have a sign
}

std::string sample_name(const Dataset& dataset, std::int64_t sample) {
  return dataset.sample_names.empty()
             ? std::to_string(sample)
             : csv_cell(dataset.sample_names[static_cast<std::size_t>(sample)]);
}

/// The true class, label or target, or empty cells where there is none.
class TrueLabels {
 public:
  explicit TrueLabels(const Dataset& dataset)
      : dataset_(dataset),
        any_(dataset.target_kind == TargetKind::kClasses
                 ? std::any_of(dataset.classes.begin(), dataset.classes.end(),
                               [](std::int32_t c) { return c != kUnlabelled; })
                 : std::any_of(dataset.targets.begin(), dataset.targets.end(),
                               [](float t) { return !std::isnan(t); })) {}

  void append_head(std::string& line, const Predictions& predictions) const {
    if (!any_) return;
    if (predictions.kind == TargetKind::kClasses) line += ",label";
    if (predictions.kind == TargetKind::kClasses) return;
    for (const std::string& name : predictions.outputs) line += "," + csv_cell("label " + name);
  }

  void append_row(std::string& line, std::int64_t sample) const {
    if (!any_) return;
    if (dataset_.target_kind == TargetKind::kClasses) {
      const std::int32_t label = dataset_.classes[static_cast<std::size_t>(sample)];
      line += "," + (label == kUnlabelled ? "" : csv_cell(dataset_.class_names.at(label)));
      return;
    }
    for (std::int64_t t = 0; t < dataset_.num_tasks; ++t) {
      const float value =
          dataset_.targets[static_cast<std::size_t>(sample * dataset_.num_tasks + t)];
      if (std::isnan(value)) {
        line += ",";
      } else {
        append_number(line, value);
      }
    }
  }

 private:
  const Dataset& dataset_;
  bool any_;
};

std::string to_npy(const Predictor::Embeddings& rows) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::size_t kBefore = 10;  // bytes before the text of the header
  constexpr std::size_t kAlign = 64;
  const std::int64_t count = rows.width == 0 ? 0 : std::ssize(rows.values) / rows.width;
  std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(count) +
                     ", " + std::to_string(rows.width) + "), }";
  head.append(kAlign - (kBefore + head.size() + 1) % kAlign, ' ');
  head += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(head.size() & 0xff);
  bytes += static_cast<char>(head.size() >> 8);
  bytes += head;
  bytes.append(reinterpret_cast<const char*>(rows.values.data()),
               rows.values.size() * sizeof(float));
  return bytes;
}

std::string rows_csv(const Predictor::Embeddings& rows, const Dataset& dataset) {
  const bool graphs = dataset.task == Task::kGraph;
  std::string text = graphs ? "graph,node" : "node";
  for (std::int64_t c = 0; c < rows.width; ++c) text += "," + std::to_string(c);
  text += "\n";
  std::int64_t graph = 0;
  for (std::int64_t node = 0; node < dataset.num_nodes(); ++node) {
    while (node >= dataset.node_offsets[static_cast<std::size_t>(graph) + 1]) ++graph;
    text += sample_name(dataset, graphs ? graph : node);
    if (graphs)
      text += "," + std::to_string(node - dataset.node_offsets[static_cast<std::size_t>(graph)]);
    for (std::int64_t c = 0; c < rows.width; ++c)
      append_number(text, rows.values[static_cast<std::size_t>(node * rows.width + c)]);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string to_csv(const Predictions& predictions, const Dataset& dataset) {
  const bool classes = predictions.kind == TargetKind::kClasses;
  const TrueLabels labels(dataset);
  std::string text(enum_name(dataset.task));
  if (classes) text += ",prediction";
  labels.append_head(text, predictions);
  const std::string prefix = predictions.kind == TargetKind::kRegression ? "value " : "p ";
  for (const std::string& name : predictions.outputs) text += "," + csv_cell(prefix + name);
  text += "\n";
  for (std::int64_t i = 0; i < predictions.num_samples(); ++i) {
    text += sample_name(dataset, i);
    const auto row = predictions.row(i);
    const bool finite =
        std::all_of(row.begin(), row.end(), [](float p) { return std::isfinite(p); });
    if (classes) text += "," + (finite ? csv_cell(predictions.class_of(i)) : kNotFinite);
    labels.append_row(text, i);
    for (const float value : row) append_number(text, value);
    text += "\n";
  }
  return text;
}

void write_rows(const Predictor::Embeddings& rows, const Dataset& dataset,
                const std::filesystem::path& file) {
  write_atomically(file, file.extension() == ".npy" ? to_npy(rows) : rows_csv(rows, dataset));
}

}  // namespace hgnet::app
