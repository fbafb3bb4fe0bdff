#include "hgnet/config/limits.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

#include "hgnet/config/edge_use.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

struct Limit {
  std::string_view name;
  std::int64_t most;
};

constexpr std::int64_t kWidest = std::int64_t{1} << 24;
constexpr std::int64_t kDeepest = 1000;
constexpr std::int64_t kLongest = 1'000'000'000;
constexpr Limit kLimits[] = {
    {"inputs", kWidest},       {"outputs", kWidest},           {"edge-inputs", kWidest},
    {"hidden", kWidest},       {"classifier-hidden", kWidest}, {"colours", 1 << 20},
    {"layers", kDeepest},      {"levels", kDeepest},           {"heads", kDeepest},
    {"later-heads", kDeepest}, {"last-heads", kDeepest},       {"cheb-order", kDeepest},
    {"epochs", 10'000'000},  // every one is a line in files and a number in curves
    {"batch", kLongest},       {"patience", kLongest},         {"lr-decay-every", kLongest},
    {"threads", kMostThreads},
};

/// 4 GB of weights; training takes five times as much.
constexpr double kMostParameters = 1e9;

double product(std::int64_t a, std::int64_t b) {
  return static_cast<double>(a) * static_cast<double>(b);
}

/// Of one layer.
double layer_weights(const ModelConfig& c, std::int64_t in, std::int64_t out) {
  switch (layer_of(c)) {
    case LayerKind::kGin: return product(in, out) + product(out, out);
    case LayerKind::kCheb: return c.cheb_order * product(in, out);
    case LayerKind::kGcn:
    case LayerKind::kGat: break;
  }
  return product(in, out);
}

/// What a layer of a flat model gives, unless it gives the outputs.
std::int64_t hidden_width(const ModelConfig& c, int layer) {
  return c.hidden * (layer > 0 && c.later_heads > 0 ? c.later_heads : c.heads);
}

double flat_weights(const ModelConfig& c, std::int64_t in, std::int64_t outputs) {
  double sum = 0;
  for (int layer = 0; layer < c.layers; ++layer) {
    const bool last = layer + 1 == c.layers;
    const std::int64_t out =
        last && c.task == Task::kNode ? outputs * c.last_heads : hidden_width(c, layer);
    sum += layer_weights(c, in, out);
    if (model_row(c.model).virtual_node && !last) sum += 4 * product(out, out);
    in = out;
  }
  return sum;
}

/// A block for every level and one more, a join for every level; the first join gives the outputs.
double frame_weights(const ModelConfig& c, std::int64_t in, std::int64_t outputs) {
  return layer_weights(c, in, c.hidden) + c.levels * layer_weights(c, c.hidden, c.hidden) +
         (c.levels - 1) * product(c.hidden, c.hidden) + product(c.hidden, outputs);
}

}  // namespace

void check_limit(std::string_view name, std::int64_t value) {
  for (const Limit& limit : kLimits) {
    if (limit.name == name && value > limit.most)
      throw Error(std::string(name) + " is " + std::to_string(value) + "; expected at most " +
                  std::to_string(limit.most));
  }
}

double least_parameters(const ModelConfig& c) {
  const bool node = c.task == Task::kNode;
  if (read_by::kWl.include(c)) return product(c.colours + 2, c.outputs);
  if (model_row(c.model).yardstick())
    return product(c.inputs + c.outputs, node ? c.hidden : c.classifier_hidden);
  const bool flat = !model_row(c.model).hierarchical();
  const std::int64_t outputs = node ? c.outputs : c.hidden;
  const bool edge_rows = reads_edge_rows(c);
  const std::int64_t in = edge_rows ? c.hidden : c.inputs;
  double sum = flat ? flat_weights(c, in, outputs) : frame_weights(c, in, outputs);
  if (edge_rows)
    sum += product(c.inputs, c.hidden) + product(c.edge_inputs, std::min(c.hidden, outputs));
  if (!node) {
    const std::int64_t width = flat ? hidden_width(c, c.layers - 1) : outputs;
    sum += product(width, c.classifier_hidden) + product(c.classifier_hidden, c.outputs);
  }
  return sum;
}

void check_sizes(const ModelConfig& config) {
  for_each_field(config, [](const char* name, const auto& field, const char*, const Readers&) {
    using T = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) check_limit(name, field);
  });
  const double parameters = least_parameters(config);
  if (parameters > kMostParameters)
    throw Error("model: " + short_number(parameters) + " parameters or more; expected at most " +
                short_number(kMostParameters));
}

}  // namespace hgnet
