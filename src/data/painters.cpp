#include "data/painters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "hgnet/core/error.hpp"
#include "hgnet/graph/algorithms.hpp"

namespace hgnet {
namespace {

constexpr NodeId kNearest = 30;   // minimum and maximum distance of a start
constexpr NodeId kFarthest = 99;  // from the one before, under ColorStarts::kNearby

void check_range(const char* what, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value < low || value > high) {
    throw Error("color-connectivity: " + std::string(what) + " " + std::to_string(value) +
                "; expected " + std::to_string(low) + " to " + std::to_string(high));
  }
}

void check_options(const ColorConnectivityOptions& options) {
  check_range("samples", options.num_samples, 1, std::int64_t{1} << 40);
  check_range("islands", options.max_islands, 2, 5);
  check_range("colours", options.num_colours, 2, 12);
  check_range("noise features", options.noise_features, 0, 1 << 16);
  check_range("threads", options.num_threads, 1, 1 << 12);
  check_range("shortest ring", options.min_ring, 3, std::numeric_limits<NodeId>::max());
  if (options.task != ColorTask::kCrossing) return;
  check_range("radius", options.radius, 1, 64);
  check_range("windows", options.windows, 1, 16);
  if (options.num_samples % 2 != 0)
    throw Error("color-connectivity: " + std::to_string(options.num_samples) +
                " samples; crossings come in pairs, so their number is even");
  if (options.num_colours != 2 || options.noise_features != 0 || options.max_islands != 2)
    throw Error(
        "color-connectivity: crossings have two colours, two islands and no noise, which would tell "
        "the two of a pair apart");
}

/// What a data set cannot hold, since nodes are counted through all of its graphs and dense
/// features by node and column, need not be drawn.
void check_size(const Graph& graph, const ColorConnectivityOptions& options) {
  constexpr std::int64_t kMost = std::numeric_limits<NodeId>::max() - 1;
  const std::int64_t nodes = std::max<std::int64_t>(graph.num_nodes(), 1);
  const std::int64_t most_samples = kMost / nodes;
  if (options.num_samples > most_samples) {
    throw Error("color-connectivity: " + std::to_string(options.num_samples) + " samples of " +
                std::to_string(nodes) + " nodes; a data set has at most " + std::to_string(kMost) +
                " nodes, that is " + std::to_string(most_samples) + " such samples");
  }
  const std::int64_t most_noise = kMost / (nodes * options.num_samples);
  if (options.noise_features > most_noise) {
    throw Error("color-connectivity: " + std::to_string(options.noise_features) +
                " noise features of " + std::to_string(nodes * options.num_samples) +
                " nodes in all; a data set has at most " + std::to_string(kMost) +
                " numbers, that is " + std::to_string(most_noise) + " for each of so many");
  }
}

/// Numbers below a small bound, two from each word of the generator. The bias of multiplying 32
/// bits is below bound / 2^32.
class SmallNumbers {
 public:
  explicit SmallNumbers(Generator& generator) : generator_(generator) {}

  std::uint64_t below(std::uint64_t bound) {
    if (!half_left_) word_ = generator_();
    const std::uint64_t bits = half_left_ ? word_ >> 32 : word_ & 0xffffffff;
    half_left_ = !half_left_;
    return bits * bound >> 32;
  }

 private:
  Generator& generator_;
  std::uint64_t word_ = 0;
  bool half_left_ = false;
};

}  // namespace

PaintSetup::PaintSetup(const Graph& painted, const ColorConnectivityOptions& asked)
    : graph(painted), options(asked), component(connected_components(painted)) {
  check_options(options);
  check_size(graph, options);
  const bool rings = options.task == ColorTask::kRings;
  const NodeId n = graph.num_nodes();
  num_starts = rings ? 2 : options.max_islands;
  num_red = n / (rings ? 3 : options.max_islands);
  max_steps = n * static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  const bool nearby =
      options.starts == ColorStarts::kNearby || options.starts == ColorStarts::kWrapped;
  const NodeId smallest = nearby ? kFarthest * (num_starts - 1) + 1 : num_starts * num_starts;
  if (n < smallest) {
    throw InvalidGraph("color-connectivity: a graph of " + std::to_string(n) +
                       " nodes; expected at least " + std::to_string(smallest));
  }
  if (!nearby && component.num_parents() > 1) {
    throw InvalidGraph("color-connectivity: the graph has " +
                       std::to_string(component.num_parents()) +
                       " components; expected a connected one, or walkers that start nearby");
  }
  if (options.starts == ColorStarts::kFixed) {
    Generator generator = stream(options.seed, Stream::kWhole, 1);
    fixed_starts = starts(generator);
  }
}

std::vector<NodeId> PaintSetup::starts(Generator& generator) const {
  if (!fixed_starts.empty()) return fixed_starts;
  std::vector<NodeId> nodes;
  const bool wrapped = options.starts == ColorStarts::kWrapped;
  if (options.starts == ColorStarts::kNearby || wrapped) {
    const NodeId room = wrapped ? 0 : static_cast<NodeId>(num_starts - 1) * kFarthest;
    NodeId node = static_cast<NodeId>(generator.below(graph.num_nodes() - room));
    nodes.push_back(node);
    while (std::ssize(nodes) < num_starts) {
      node += kNearest + static_cast<NodeId>(generator.below(kFarthest - kNearest + 1));
      if (wrapped) node %= graph.num_nodes();
      nodes.push_back(node);
    }
    return nodes;
  }
  while (std::ssize(nodes) < num_starts) {
    const auto node = static_cast<NodeId>(generator.below(graph.num_nodes()));
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
  return nodes;
}

WalkPainter::WalkPainter(const PaintSetup& setup)
    : setup_(setup), csr_(setup.graph.csr()), num_walkers_(setup.num_starts) {}

int WalkPainter::paint(Generator& generator, LabelSet wanted) {
  if (!place(setup_.starts(generator))) return kNoLabel;
  SmallNumbers numbers(generator);
  int walker = 0;
  for (std::int64_t step = 0; num_red_ < setup_.num_red; ++step) {
    // The number of islands can only decrease.
    const LabelSet possible = (LabelSet{1} << num_islands_) - 1;
    if (step == setup_.max_steps || (wanted & possible) == 0) return kNoLabel;
    const NodeId from = at_[walker];
    const EdgeId begin = csr_.offsets[from];
    const auto degree = static_cast<std::uint64_t>(csr_.offsets[from + 1] - begin);
    if (degree > 0) {
      at_[walker] = csr_.columns[begin + static_cast<EdgeId>(numbers.below(degree))];
      visit(walker, at_[walker]);
    }
    walker = walker + 1 == num_walkers_ ? 0 : walker + 1;
  }
  const int label = num_islands_ - 1;
  return (wanted >> label & 1) != 0 ? label : kNoLabel;
}

/// False if the components with walkers have too few nodes ever to get enough red ones.
bool WalkPainter::place(const std::vector<NodeId>& starts) {
  walker_of_.assign(setup_.graph.num_nodes(), kNobody);
  num_red_ = 0;
  num_islands_ = num_walkers_;
  for (int walker = 0; walker < num_walkers_; ++walker) island_of_[walker] = walker;
  std::int64_t reachable = 0;
  for (int walker = 0; walker < num_walkers_; ++walker) {
    const NodeId start = starts[walker];
    const NodeId component = setup_.component.parent(start);
    const bool new_component =
        std::none_of(starts.begin(), starts.begin() + walker,
                     [&](NodeId other) { return setup_.component.parent(other) == component; });
    if (new_component) reachable += std::ssize(setup_.component.members(component));
    at_[walker] = start;
    visit(walker, start);
  }
  return reachable >= setup_.num_red;
}

void WalkPainter::visit(int walker, NodeId node) {
  if (walker_of_[node] != kNobody) {
    meet(walker, walker_of_[node]);
    return;
  }
  walker_of_[node] = static_cast<std::uint8_t>(walker);
  ++num_red_;
  if (num_islands_ == 1) return;
  for (EdgeId slot = csr_.offsets[node]; slot < csr_.offsets[node + 1]; ++slot) {
    const std::uint8_t other = walker_of_[csr_.columns[slot]];
    if (other != kNobody) meet(walker, other);
  }
}

void WalkPainter::meet(int walker, int other) {
  const int kept = island_of_[walker];
  const int joined = island_of_[other];
  if (kept == joined) return;
  std::replace(island_of_.begin(), island_of_.begin() + num_walkers_, joined, kept);
  --num_islands_;
}

RingPainter::RingPainter(const PaintSetup& setup)
    : setup_(setup), parent_(setup.graph.num_nodes(), kNoNode) {}

int RingPainter::paint(Generator& generator, LabelSet wanted) {
  const int label = static_cast<int>(generator.below(2));
  if ((wanted >> label & 1) == 0) return kNoLabel;
  depth_.assign(setup_.graph.num_nodes(), kBlue);
  candidates_.clear();
  num_red_ = 0;
  const std::vector<NodeId> roots = setup_.starts(generator);
  if (!plant(roots[0]) || (label == 1 && !plant(roots[1]))) return kNoLabel;
  bool ring_missing = label == 1;
  while (num_red_ < setup_.num_red && !candidates_.empty()) {
    std::swap(candidates_[generator.below(candidates_.size())], candidates_.back());
    const NodeId node = candidates_.back();
    candidates_.pop_back();
    if (is_red(node)) continue;
    std::array<NodeId, 2> touched{};
    std::size_t count = 0;
    for (const NodeId u : setup_.graph.neighbours(node)) {
      if (!is_red(u) || u == node) continue;
      if (count < touched.size()) touched[count] = u;
      ++count;
    }
    // A skipped node is never considered again: the number of red nodes it touches only grows.
    const bool closes = ring_missing && count == 2 &&
                        ring_length(touched[0], touched[1]) >= setup_.options.min_ring;
    if (count != 1 && !closes) continue;
    if (closes) ring_missing = false;
    color(node, touched[0]);
  }
  return num_red_ == setup_.num_red && !ring_missing ? label : kNoLabel;
}

bool RingPainter::plant(NodeId root) {
  for (const NodeId u : setup_.graph.neighbours(root)) {
    if (is_red(u)) return false;
  }
  color(root, kNoNode);
  return true;
}

void RingPainter::color(NodeId node, NodeId parent) {
  parent_[node] = parent;
  depth_[node] = parent == kNoNode ? 0 : depth_[parent] + 1;
  ++num_red_;
  for (const NodeId u : setup_.graph.neighbours(node)) {
    if (!is_red(u)) candidates_.push_back(u);
  }
}

/// Nodes of the ring that a node between u and v would close; 0 if they are in different trees.
std::int64_t RingPainter::ring_length(NodeId u, NodeId v) const {
  std::int64_t length = 2;
  while (u != v) {
    if (depth_[u] < depth_[v]) std::swap(u, v);
    if (depth_[u] == 0) return 0;
    u = parent_[u];
    ++length;
  }
  return length;
}

}  // namespace hgnet
