// The walk behind a color-connectivity sample. A painter shows only the final red nodes, but the
// same seed makes the same walk: painting with fewer red nodes and fewer steps shows which node
// turned red at which step.

#include "data/painters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>

#include "hgnet/graph/generators.hpp"

namespace hgnet {
namespace {

using testing::Each;
using testing::ElementsAreArray;

constexpr LabelSet kEveryLabel = ~LabelSet{0};

std::set<NodeId> red_nodes(const WalkPainter& painter, const Graph& graph) {
  std::set<NodeId> red;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    if (painter.is_red(v)) red.insert(v);
  }
  return red;
}

struct Painted {
  int label;
  std::set<NodeId> red;
};

Painted paint(const PaintSetup& setup, std::uint64_t seed, LabelSet wanted = kEveryLabel) {
  WalkPainter painter(setup);
  Generator generator(seed);
  const int label = painter.paint(generator, wanted);
  return {label, red_nodes(painter, setup.graph)};
}

struct Discovery {
  NodeId node;
  std::int64_t step;  // counted from 1, over all walkers; 0 for a start
};

/// The fewest steps within which the painter finishes.
std::int64_t steps_needed(PaintSetup setup, std::uint64_t seed) {
  std::int64_t too_few = -1;
  std::int64_t enough = 1 << 20;
  while (enough - too_few > 1) {
    setup.max_steps = (too_few + enough) / 2;
    (paint(setup, seed).label == kNoLabel ? too_few : enough) = setup.max_steps;
  }
  return enough;
}

/// The nodes in the order in which they turn red.
std::vector<Discovery> discoveries(PaintSetup setup, std::uint64_t seed) {
  const NodeId num_red = setup.num_red;
  std::vector<Discovery> result;
  Generator generator(seed);
  for (const NodeId start : setup.starts(generator)) result.push_back({start, 0});
  setup.max_steps = std::numeric_limits<std::int64_t>::max();
  std::set<NodeId> before;
  for (const Discovery& start : result) before.insert(start.node);
  for (setup.num_red = setup.num_starts + 1; setup.num_red <= num_red; ++setup.num_red) {
    const std::set<NodeId> now = paint(setup, seed).red;
    std::vector<NodeId> added;
    std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                        std::back_inserter(added));
    EXPECT_EQ(added.size(), 1U);
    EXPECT_EQ(now.size(), before.size() + 1);
    if (added.empty()) break;
    result.push_back({added.front(), steps_needed(setup, seed)});
    before = now;
  }
  return result;
}

/// Number of edges from one node to another along red nodes.
std::int64_t distance(const Graph& graph, const std::set<NodeId>& red, NodeId from, NodeId to) {
  std::map<NodeId, std::int64_t> reached{{from, 0}};
  std::deque<NodeId> queue{from};
  while (!queue.empty()) {
    const NodeId v = queue.front();
    queue.pop_front();
    if (v == to) return reached[v];
    for (const NodeId u : graph.neighbours(v)) {
      if ((u != to && !red.contains(u)) || reached.contains(u)) continue;
      reached[u] = reached[v] + 1;
      queue.push_back(u);
    }
  }
  return std::numeric_limits<std::int64_t>::max();
}

/// The step tells which walker finds a node. Between two finds a walker is on red nodes and moves
/// one edge with each of its steps: as many steps as there are edges between or, on a graph without
/// odd rings, 2, 4, ... more.
void expect_walk(const PaintSetup& setup, std::uint64_t seed) {
  SCOPED_TRACE(seed);
  const std::vector<Discovery> found = discoveries(setup, seed);
  ASSERT_EQ(std::ssize(found), setup.num_red);
  const int walkers = setup.num_starts;
  std::vector<Discovery> last(found.begin(), found.begin() + walkers);
  std::set<NodeId> red;
  for (const Discovery& start : last) red.insert(start.node);
  ASSERT_EQ(std::ssize(red), walkers);
  std::int64_t step_before = 0;
  for (std::size_t i = walkers; i < found.size(); ++i) {
    const auto& [node, step] = found[i];
    ASSERT_GT(step, step_before);
    step_before = step;
    Discovery& previous = last[(step - 1) % walkers];
    const std::int64_t turns_before =
        previous.step == 0 ? 0 : (previous.step - 1) / walkers + 1;  // of this walker
    const std::int64_t turns = (step - 1) / walkers + 1 - turns_before;
    const std::int64_t edges = distance(setup.graph, red, previous.node, node);
    ASSERT_LE(edges, turns) << "node " << node << " at step " << step;
    ASSERT_EQ((turns - edges) % 2, 0) << "node " << node << " at step " << step;
    previous = found[i];
    red.insert(node);
  }
}

TEST(WalkPainter, WalksFromNeighbourToNeighbourInTurn) {
  for (const int walkers : {2, 3}) {
    for (const Graph& graph : {grid_graph(7, 7), grid_graph(20, 2), path_graph(24)}) {
      const PaintSetup setup(graph, {.max_islands = walkers});
      for (std::uint64_t seed = 0; seed < 12; ++seed) expect_walk(setup, seed);
    }
  }
}

TEST(WalkPainter, GoesToEveryNeighbourAlike) {
  // Two starts, then the first find of the first walker and of the second.
  const Graph grid = grid_graph(5, 5);
  PaintSetup setup(grid, {});
  setup.fixed_starts = {6, 18};
  setup.num_red = 4;
  std::map<NodeId, int> times;
  constexpr int kAttempts = 8000;
  for (std::uint64_t seed = 0; seed < kAttempts; ++seed) {
    for (const NodeId v : paint(setup, seed).red) ++times[v];
  }
  // Both have 4 neighbours. Each walker moves once, to one of its own neighbours.
  for (const NodeId start : setup.fixed_starts) {
    EXPECT_EQ(times[start], kAttempts);
    for (const NodeId u : grid.neighbours(start)) EXPECT_NEAR(times[u], kAttempts / 4, 200) << u;
  }
  EXPECT_EQ(times.size(), 10U);
}

TEST(WalkPainter, CountsIslandsAsTheyAre) {
  for (const int walkers : {2, 4}) {
    const Graph graph = grid_graph(8, 9);
    const PaintSetup setup(graph, {.max_islands = walkers});
    std::map<int, int> labels;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      std::set<NodeId> left;
      const Painted painted = paint(setup, seed);
      if (painted.label == kNoLabel) continue;
      left = painted.red;
      ASSERT_EQ(std::ssize(left), 72 / walkers);
      int islands = 0;
      for (; !left.empty(); ++islands) {
        std::vector<NodeId> island{*left.begin()};
        left.erase(left.begin());
        while (!island.empty()) {
          const NodeId v = island.back();
          island.pop_back();
          for (const NodeId u : graph.neighbours(v)) {
            if (left.erase(u) > 0) island.push_back(u);
          }
        }
      }
      ASSERT_EQ(painted.label, islands - 1);
      ++labels[painted.label];
      for (int label = 0; label < walkers; ++label) {
        const int expected = label == painted.label ? label : kNoLabel;
        ASSERT_EQ(paint(setup, seed, LabelSet{1} << label).label, expected);
      }
    }
    EXPECT_EQ(std::ssize(labels), walkers);
  }
}

TEST(WalkPainter, GivesUpAfterTheLastStep) {
  const PaintSetup setup(path_graph(65), {});
  EXPECT_EQ(setup.max_steps, 65 * 8);
  PaintSetup patient = setup;
  patient.max_steps = std::numeric_limits<std::int64_t>::max();
  int finished = 0;
  int given_up = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const bool in_time = steps_needed(patient, seed) <= 65 * 8;
    EXPECT_EQ(paint(setup, seed).label != kNoLabel, in_time) << seed;
    ++(in_time ? finished : given_up);
  }
  EXPECT_GT(finished, 5);
  EXPECT_GT(given_up, 5);
}

TEST(PaintSetup, FollowsFromTheNumberOfNodes) {
  const PaintSetup odd(grid_graph(9, 5), {});
  EXPECT_EQ(odd.num_starts, 2);
  EXPECT_EQ(odd.num_red, 22);
  EXPECT_EQ(odd.max_steps, 45 * 6);
  const PaintSetup square(grid_graph(16, 16), {});
  EXPECT_EQ(square.num_red, 128);
  EXPECT_EQ(square.max_steps, 256 * 16);
  const PaintSetup five(grid_graph(16, 16), {.max_islands = 5});
  EXPECT_EQ(five.num_starts, 5);
  EXPECT_EQ(five.num_red, 51);
  const PaintSetup rings(grid_graph(16, 16), {.task = ColorTask::kRings, .max_islands = 4});
  EXPECT_EQ(rings.num_starts, 2);
  EXPECT_EQ(rings.num_red, 85);
}

TEST(PaintSetup, WrappedStartsGoOnFromTheFirstNode) {
  const NodeId nodes = 130;
  const PaintSetup setup(path_graph(nodes), {.starts = ColorStarts::kWrapped});
  Generator generator(1);
  std::set<NodeId> firsts;
  std::set<NodeId> differences;
  for (int draw = 0; draw < 20000; ++draw) {
    const std::vector<NodeId> starts = setup.starts(generator);
    ASSERT_EQ(std::ssize(starts), 2);
    ASSERT_LT(starts[1], nodes);
    firsts.insert(starts[0]);
    differences.insert((starts[1] - starts[0] + nodes) % nodes);
  }
  EXPECT_EQ(firsts.size(), 130U);
  EXPECT_EQ(differences.size(), 70U);
  EXPECT_EQ(*differences.begin(), 30);
  EXPECT_EQ(*differences.rbegin(), 99);
}

TEST(PaintSetup, NearbyStartsAreThirtyToNinetyNineFurtherOn) {
  for (const int walkers : {2, 3}) {
    const NodeId nodes = 99 * (walkers - 1) + 5;
    const PaintSetup setup(path_graph(nodes),
                           {.starts = ColorStarts::kNearby, .max_islands = walkers});
    Generator generator(1);
    std::set<NodeId> firsts;
    std::set<NodeId> differences;
    for (int draw = 0; draw < 5000; ++draw) {
      const std::vector<NodeId> starts = setup.starts(generator);
      ASSERT_EQ(std::ssize(starts), walkers);
      firsts.insert(starts[0]);
      for (int walker = 1; walker < walkers; ++walker)
        differences.insert(starts[walker] - starts[walker - 1]);
      ASSERT_LT(starts.back(), nodes);
    }
    EXPECT_EQ(differences.size(), 70U);
    EXPECT_EQ(*differences.begin(), 30);
    EXPECT_EQ(*differences.rbegin(), 99);
    EXPECT_THAT(firsts, ElementsAreArray({0, 1, 2, 3, 4}));
  }
}

TEST(PaintSetup, StartsAnywhereAreDifferentAndDrawnFromAllNodes) {
  const PaintSetup setup(path_graph(9), {.max_islands = 3});
  Generator generator(1);
  std::vector<int> times(9, 0);
  for (int draw = 0; draw < 3000; ++draw) {
    const std::vector<NodeId> starts = setup.starts(generator);
    ASSERT_EQ(std::set<NodeId>(starts.begin(), starts.end()).size(), 3U);
    for (const NodeId start : starts) ++times.at(start);
  }
  EXPECT_THAT(times, Each(testing::AllOf(testing::Gt(900), testing::Lt(1100))));
}

TEST(PaintSetup, FixedStartsAreDrawnOnceFromTheSeed) {
  std::set<std::vector<NodeId>> drawn;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const PaintSetup setup(grid_graph(16, 16), {.seed = seed, .starts = ColorStarts::kFixed});
    Generator generator(1);
    const std::vector<NodeId> starts = setup.starts(generator);
    EXPECT_EQ(setup.starts(generator), starts);
    drawn.insert(starts);
  }
  EXPECT_GT(drawn.size(), 15U);
}

/// Attempts in order, each colouring once, until there are enough samples of each label.
TEST(GenerateColorConnectivity, TakesTheAttemptsInTheirOrder) {
  const ColorConnectivityOptions options{.num_samples = 25, .seed = 3, .max_islands = 2};
  // Small enough that colourings repeat.
  const Graph graph = grid_graph(3, 3);
  const ColorConnectivity got = generate_color_connectivity(graph, options);
  const PaintSetup setup(graph, options);
  std::map<std::uint64_t, Painted> expected;
  std::set<std::set<NodeId>> seen;
  std::vector<int> missing{13, 12};
  int repeated = 0;
  std::uint64_t attempt = 0;
  for (; missing[0] + missing[1] > 0; ++attempt) {
    WalkPainter painter(setup);
    Generator generator = stream(options.seed, Stream::kPaint, attempt);
    const int label = painter.paint(generator, kEveryLabel);
    if (label == kNoLabel || missing[label] == 0) continue;
    const std::set<NodeId> red = red_nodes(painter, graph);
    if (!seen.insert(red).second) {
      ++repeated;
      continue;
    }
    --missing[label];
    expected[attempt] = {label, red};
  }
  EXPECT_GT(repeated, 0);
  EXPECT_EQ(got.num_attempts, static_cast<std::int64_t>(attempt));
  ASSERT_EQ(got.num_samples(), 25);
  for (std::int64_t i = 0; i < 25; ++i) {
    ASSERT_TRUE(expected.contains(got.attempts[i]));
    const auto& [label, red] = expected[got.attempts[i]];
    EXPECT_EQ(got.labels[i], label);
    for (NodeId v = 0; v < graph.num_nodes(); ++v) EXPECT_EQ(got.is_red(i, v), red.contains(v));
    expected.erase(got.attempts[i]);
  }
}

}  // namespace
}  // namespace hgnet
