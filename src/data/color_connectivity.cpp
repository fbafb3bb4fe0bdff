#include "hgnet/data/color_connectivity.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/parallel.hpp"
#include "data/crossing.hpp"
#include "data/painters.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"

namespace hgnet {
namespace {

constexpr std::int64_t kMostAttempts = 1024;  // of a thread, between two reports
constexpr std::uint64_t kMaxBarrenAttempts = 1 << 20;

std::size_t words_of(const Graph& graph) { return (graph.num_nodes() + 63) / 64; }

/// The attempts of one thread that ended with a wanted label, each with its samples.
struct Found {
  std::vector<std::uint64_t> attempts;
  std::vector<std::uint8_t> labels;  // of the first sample; others have those that follow
  std::vector<std::uint64_t> red;
};

/// Accepts the samples of attempts in their order, if their label is wanted and their colouring is
/// new.
class Collection {
 public:
  /// An attempt has `samples` samples.
  Collection(const PaintSetup& setup, int samples, ColorConnectivity& result)
      : result_(result),
        samples_(samples),
        words_(samples * words_of(setup.graph)),
        seen_(0, Hash{this}, Equal{this}) {
    const std::int64_t n = result.options.num_samples / samples;
    const int classes = result.num_classes() / samples;
    for (int label = 0; label < classes; ++label) {
      missing_.push_back(n / classes + (label < n % classes ? 1 : 0));
    }
  }

  LabelSet wanted() const {
    LabelSet labels = 0;
    for (std::size_t label = 0; label < missing_.size(); ++label) {
      if (missing_[label] > 0) labels |= LabelSet{1} << label;
    }
    return labels;
  }

  void take(const Found& found) {
    for (std::size_t i = 0; i < found.attempts.size(); ++i) {
      if (missing_[found.labels[i]] == 0) continue;
      check_progress(found.attempts[i]);
      const auto row = found.red.begin() + static_cast<std::ptrdiff_t>(i * words_);
      result_.red.insert(result_.red.end(), row, row + static_cast<std::ptrdiff_t>(words_));
      if (!seen_.insert(result_.attempts.size() / samples_).second) {
        result_.red.resize(result_.red.size() - words_);
        continue;
      }
      for (std::size_t sample = 0; sample < samples_; ++sample) {
        result_.labels.push_back(static_cast<std::uint8_t>(found.labels[i] + sample));
        result_.attempts.push_back(found.attempts[i]);
      }
      --missing_[found.labels[i]];
      next_ = found.attempts[i] + 1;
    }
    result_.num_attempts = static_cast<std::int64_t>(next_);
  }

  /// Throws if attempts up to `attempt` have yielded nothing for too long.
  void check_progress(std::uint64_t attempt) const {
    if (attempt - std::min(attempt, next_) < kMaxBarrenAttempts) return;
    std::string lacking;
    for (std::size_t label = 0; label < missing_.size(); ++label) {
      if (missing_[label] == 0) continue;
      lacking += (lacking.empty() ? "" : ", ") + std::to_string(missing_[label]) + " of label " +
                 std::to_string(label);
    }
    throw Error("color-connectivity: " + std::to_string(kMaxBarrenAttempts) +
                " attempts in a row gave no new sample; still missing: " + lacking);
  }

 private:
  /// Of the samples of the i-th attempt that was accepted.
  std::string_view row(std::size_t i) const {
    return {reinterpret_cast<const char*>(result_.red.data() + i * words_), 8 * words_};
  }
  struct Hash {
    const Collection* samples;
    std::size_t operator()(std::size_t i) const {
      return std::hash<std::string_view>()(samples->row(i));
    }
  };
  struct Equal {
    const Collection* samples;
    bool operator()(std::size_t i, std::size_t j) const {
      return samples->row(i) == samples->row(j);
    }
  };

  ColorConnectivity& result_;
  std::size_t samples_;  // of an attempt
  std::size_t words_;    // of these together
  std::vector<std::int64_t> missing_;  // by label
  std::uint64_t next_ = 0;             // attempt after the last one accepted
  std::unordered_set<std::size_t, Hash, Equal> seen_;
};

/// Attempts on a large graph take long, so that a thread makes fewer before it reports.
std::uint64_t attempts_per_part(const PaintSetup& setup) {
  constexpr std::int64_t kSteps = 1 << 24;
  return std::clamp<std::int64_t>(kSteps / std::max<std::int64_t>(setup.max_steps, 1), 1,
                                  kMostAttempts);
}

template <class Painter>
void draw(const PaintSetup& setup, Painter& painter, std::uint64_t first, LabelSet wanted,
          Found& found) {
  found.attempts.clear();
  found.labels.clear();
  found.red.clear();
  const std::uint64_t end = first + attempts_per_part(setup);
  for (std::uint64_t attempt = first; attempt < end; ++attempt) {
    Generator generator = stream(setup.options.seed, Stream::kPaint, attempt);
    const int label = painter.paint(generator, wanted);
    if (label == kNoLabel) continue;
    found.attempts.push_back(attempt);
    found.labels.push_back(static_cast<std::uint8_t>(label));
    for (int sample = 0; sample < Painter::kSamples; ++sample) {
      const std::size_t row = found.red.size();
      found.red.resize(row + words_of(setup.graph));
      for (NodeId v = 0; v < setup.graph.num_nodes(); ++v)
        found.red[row + v / 64] |= std::uint64_t{painter.is_red(v, sample)} << (v % 64);
    }
  }
}

template <class Painter>
void collect(const PaintSetup& setup, ColorConnectivity& result, const SampleProgress& progress) {
  const int threads = setup.options.num_threads;
  const std::uint64_t attempts = attempts_per_part(setup);
  Collection collection(setup, Painter::kSamples, result);
  std::vector<Painter> painters(threads, Painter(setup));
  std::vector<Found> found(threads);
  std::uint64_t first = 0;
  while (const LabelSet wanted = collection.wanted()) {
    run_parts(threads, [&](int part) {
      draw(setup, painters[part], first + part * attempts, wanted, found[part]);
    });
    for (const Found& part : found) collection.take(part);
    first += threads * attempts;
    if (collection.wanted() != 0) collection.check_progress(first);
    if (progress) progress(result.num_samples(), result.options.num_samples);
  }
}

/// Without this, labels that fill up early would all come first.
void shuffle(ColorConnectivity& result) {
  std::vector<std::int64_t> order(result.labels.size());
  std::iota(order.begin(), order.end(), 0);
  stream(result.options.seed, Stream::kWhole, 0).shuffle(std::span<std::int64_t>(order));
  std::vector<std::uint64_t> red;
  std::vector<std::uint8_t> labels;
  std::vector<std::uint64_t> attempts;
  red.reserve(result.red.size());
  for (const std::int64_t sample : order) {
    const auto words = result.red_words(sample);
    red.insert(red.end(), words.begin(), words.end());
    labels.push_back(result.labels[sample]);
    attempts.push_back(result.attempts[sample]);
  }
  result.red = std::move(red);
  result.labels = std::move(labels);
  result.attempts = std::move(attempts);
}

}  // namespace

ColorConnectivity generate_color_connectivity(const Graph& graph,
                                              const ColorConnectivityOptions& options,
                                              const SampleProgress& progress) {
  const PaintSetup setup(graph, options);
  ColorConnectivity result;
  result.graph = graph;
  result.options = options;
  switch (options.task) {
    case ColorTask::kIslands: collect<WalkPainter>(setup, result, progress); break;
    case ColorTask::kRings: collect<RingPainter>(setup, result, progress); break;
    case ColorTask::kCrossing: collect<CrossingPainter>(setup, result, progress); break;
  }
  shuffle(result);
  return result;
}

std::span<const std::uint64_t> ColorConnectivity::red_words(std::int64_t sample) const {
  const std::size_t words = words_of(graph);
  return std::span(red).subspan(sample * words, words);
}

std::vector<std::uint8_t> ColorConnectivity::colours(std::int64_t sample) const {
  Generator generator = stream(options.seed, Stream::kOtherColours, attempts[sample]);
  std::vector<std::uint8_t> result;
  result.reserve(graph.num_nodes());
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    const auto other = static_cast<std::uint8_t>(generator.below(options.num_colours - 1));
    result.push_back(is_red(sample, v) ? 1 : other + (other > 0 ? 1 : 0));
  }
  return result;
}

std::vector<float> ColorConnectivity::noise(std::int64_t sample) const {
  Generator generator = stream(options.seed, Stream::kNoise, attempts[sample]);
  std::vector<float> result(static_cast<std::size_t>(graph.num_nodes()) * options.noise_features);
  for (float& value : result) {
    // Box and Muller; 1 - u is never 0.
    const double radius = std::sqrt(-2 * std::log(1 - generator.uniform()));
    value = static_cast<float>(radius * std::cos(2 * std::numbers::pi * generator.uniform()));
  }
  return result;
}

Graph connect_minnesota(const Graph& graph) {
  constexpr NodeId kOneEnd = 349 - 1;
  constexpr NodeId kOtherEnd = 355 - 1;
  EdgeList edges;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (const NodeId u : graph.neighbours(v)) {
      if (u > v) continue;
      edges.source.push_back(u);
      edges.target.push_back(v);
    }
  }
  edges.source.push_back(kOneEnd);
  edges.target.push_back(kOtherEnd);
  return Graph::from_edges(graph.num_nodes(), edges);
}

}  // namespace hgnet
