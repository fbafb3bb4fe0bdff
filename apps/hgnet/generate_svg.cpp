#include "generate_svg.hpp"

#include "svg.hpp"

namespace hgnet::app {
namespace {

/// The first samples of each label: the e-th of label l is at index e * classes + l.
std::vector<std::int64_t> examples(const ColorConnectivity& samples, int per_label) {
  const int classes = samples.num_classes();
  std::vector<int> found(classes, 0);
  std::vector<std::int64_t> result(static_cast<std::size_t>(classes) * per_label, -1);
  for (std::int64_t i = 0; i < samples.num_samples(); ++i) {
    const int label = samples.labels[i];
    if (found[label] < per_label) result[classes * found[label]++ + label] = i;
  }
  std::erase(result, -1);
  return result;
}

void draw_sample(std::ostream& out, const Panels& panels, const ColorConnectivity& samples,
                 std::int64_t sample) {
  const Graph& graph = samples.graph;
  const auto draw_edges = [&](bool red, double width) {
    out << "<path stroke=\"" << (red ? kPalette[1] : "#d0d0d0") << "\" stroke-width=\""
        << width * panels.radius() << "\" fill=\"none\" d=\"";
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (const NodeId u : graph.neighbours(v)) {
        if (u >= v || (samples.is_red(sample, u) && samples.is_red(sample, v)) != red) continue;
        out << panels.line(u, v);
      }
    }
    out << "\"/>\n";
  };
  draw_edges(false, 0.25);
  draw_edges(true, 0.9);
  const std::vector<std::uint8_t> colours = samples.colours(sample);
  for (NodeId v = 0; v < graph.num_nodes(); ++v)
    draw_circle(out, panels.at(v), panels.radius(), kPalette[colours[v]]);
}

std::string caption(const ColorConnectivity& samples, int label) {
  const std::string text = "label " + std::to_string(label) + ": ";
  if (samples.options.task == ColorTask::kRings) return text + (label == 0 ? "no ring" : "a ring");
  return text + std::to_string(label + 1) + (label == 0 ? " island" : " islands");
}

}  // namespace

std::string examples_svg(const ColorConnectivity& samples, const Layout& layout,
                         const std::string& title) {
  const Panels panels(layout, samples.graph);
  const std::vector<std::int64_t> shown = examples(samples, 2);
  return panels.picture(
      title, static_cast<int>(shown.size()), samples.num_classes(),
      [&](std::ostream& out, int i) { draw_sample(out, panels, samples, shown[i]); },
      [&](int i) { return caption(samples, samples.labels[shown[i]]); });
}

}  // namespace hgnet::app
