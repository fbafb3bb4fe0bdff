#include "hgnet/data/color_connectivity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "hgnet/core/error.hpp"
#include "hgnet/data/graph_file.hpp"
#include "hgnet/graph/algorithms.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::Each;
using testing::HasSubstr;

/// Properties of a colouring, found by joining the ends of red edges one by one: a different method
/// than the generator's, which follows walkers and trees.
struct Recount {
  int red = 0;
  int edges = 0;
  int islands = 0;
  int rings() const { return edges - red + islands; }
};

class Islands {
 public:
  explicit Islands(NodeId n) : root_(n) { std::iota(root_.begin(), root_.end(), 0); }
  NodeId find(NodeId v) {
    while (root_[v] != v) v = root_[v] = root_[root_[v]];
    return v;
  }
  bool join(NodeId u, NodeId v) {
    u = find(u);
    v = find(v);
    root_[u] = v;
    return u != v;
  }

 private:
  std::vector<NodeId> root_;
};

Recount recount(const ColorConnectivity& samples, std::int64_t sample) {
  const Graph& graph = samples.graph;
  Islands islands(graph.num_nodes());
  Recount result;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    if (!samples.is_red(sample, v)) continue;
    ++result.red;
    ++result.islands;
    for (const NodeId u : graph.neighbours(v)) {
      if (u >= v || !samples.is_red(sample, u)) continue;
      ++result.edges;
      if (islands.join(u, v)) --result.islands;
    }
  }
  return result;
}

/// Nodes left after repeatedly removing red nodes with fewer than two red neighbours.
int ring_nodes(const ColorConnectivity& samples, std::int64_t sample) {
  const Graph& graph = samples.graph;
  std::set<NodeId> left;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    if (samples.is_red(sample, v)) left.insert(v);
  }
  for (bool changed = true; changed;) {
    changed = std::erase_if(left, [&](NodeId v) {
                int neighbours = 0;
                for (const NodeId u : graph.neighbours(v)) {
                  neighbours += static_cast<int>(left.count(u));
                }
                return neighbours < 2;
              }) > 0;
  }
  return static_cast<int>(left.size());
}

void expect_sound(const ColorConnectivity& samples) {
  const int classes = samples.num_classes();
  ASSERT_EQ(samples.num_samples(), samples.options.num_samples);
  std::vector<std::int64_t> label_counts(classes, 0);
  std::set<std::vector<std::uint64_t>> different;
  for (std::int64_t i = 0; i < samples.num_samples(); ++i) {
    const auto words = samples.red_words(i);
    different.emplace(words.begin(), words.end());
    ++label_counts.at(samples.labels[i]);
    const Recount got = recount(samples, i);
    ASSERT_EQ(got.red, samples.graph.num_nodes() / classes) << "sample " << i;
    ASSERT_EQ(got.islands, samples.labels[i] + 1) << "sample " << i;
  }
  EXPECT_EQ(std::ssize(different), samples.num_samples());
  EXPECT_LE(*std::max_element(label_counts.begin(), label_counts.end()) -
                *std::min_element(label_counts.begin(), label_counts.end()),
            1);
}

bool same_samples(const ColorConnectivity& a, const ColorConnectivity& b) {
  return a.red == b.red && a.labels == b.labels && a.attempts == b.attempts &&
         a.num_attempts == b.num_attempts;
}

/// A grid of 240 nodes, a path of 130 and isolated nodes.
Graph scattered_graph() {
  EdgeList edges;
  const Graph grid = grid_graph(15, 16);
  for (NodeId v = 0; v < grid.num_nodes(); ++v) {
    for (const NodeId u : grid.neighbours(v)) {
      edges.source.push_back(u);
      edges.target.push_back(v);
    }
  }
  for (NodeId v = 245; v < 374; ++v) {
    edges.source.push_back(v);
    edges.target.push_back(v + 1);
  }
  return Graph::from_edges(380, edges);
}

TEST(ColorConnectivity, SamplesAreDifferentBalancedAndRightlyLabelled) {
  expect_sound(generate_color_connectivity(grid_graph(16, 16), {.num_samples = 2000, .seed = 1}));
  expect_sound(generate_color_connectivity(grid_graph(9, 5), {.num_samples = 501, .seed = 2}));
  expect_sound(generate_color_connectivity(path_graph(65), {.num_samples = 40, .seed = 3}));
}

TEST(ColorConnectivity, DoesNotDependOnThreads) {
  ColorConnectivityOptions options{.num_samples = 700, .seed = 5};
  const ColorConnectivity one = generate_color_connectivity(grid_graph(12, 12), options);
  for (const int threads : {2, 5}) {
    options.num_threads = threads;
    EXPECT_TRUE(same_samples(generate_color_connectivity(grid_graph(12, 12), options), one));
  }
  options.seed = 6;
  EXPECT_FALSE(same_samples(generate_color_connectivity(grid_graph(12, 12), options), one));
}

TEST(ColorConnectivity, IsInRandomOrder) {
  const auto samples = generate_color_connectivity(grid_graph(16, 16), {.num_samples = 1000});
  const auto first_half = std::accumulate(samples.labels.begin(), samples.labels.begin() + 500, 0);
  EXPECT_NEAR(first_half, 250, 60);
}

TEST(ColorConnectivity, FixedStartsAreRedInEverySample) {
  const auto common_red = [](ColorStarts starts) {
    const auto samples = generate_color_connectivity(
        grid_graph(16, 16), {.num_samples = 400, .seed = 9, .starts = starts});
    expect_sound(samples);
    int common = 0;
    for (NodeId v = 0; v < 256; ++v) {
      bool always = true;
      for (std::int64_t i = 0; i < 400; ++i) always = always && samples.is_red(i, v);
      common += always ? 1 : 0;
    }
    return common;
  };
  EXPECT_GE(common_red(ColorStarts::kFixed), 2);
  EXPECT_EQ(common_red(ColorStarts::kAnywhere), 0);
}

TEST(ColorConnectivity, NearbyStartsServeGraphsThatAreNotConnected) {
  expect_sound(generate_color_connectivity(
      scattered_graph(), {.num_samples = 60, .seed = 4, .starts = ColorStarts::kNearby}));
}

TEST(ColorConnectivity, CountsUpToFiveIslands) {
  for (int islands = 3; islands <= 5; ++islands) {
    expect_sound(generate_color_connectivity(
        grid_graph(16, 16), {.num_samples = 503, .seed = 7, .max_islands = islands}));
  }
}

TEST(ColorConnectivity, RingsDoNotShowInCounts) {
  for (const std::int64_t min_ring : {8, 9, 14}) {
    const auto samples = generate_color_connectivity(
        grid_graph(16, 16),
        {.num_samples = 400, .seed = 8, .task = ColorTask::kRings, .min_ring = min_ring});
    EXPECT_EQ(samples.num_classes(), 2);
    std::int64_t shortest = 256;
    for (std::int64_t i = 0; i < samples.num_samples(); ++i) {
      const Recount got = recount(samples, i);
      ASSERT_EQ(got.red, 85);
      ASSERT_EQ(got.edges, 84);
      ASSERT_EQ(got.rings(), samples.labels[i]);
      ASSERT_EQ(got.islands, samples.labels[i] + 1);
      const int ring = ring_nodes(samples, i);
      ASSERT_TRUE(samples.labels[i] == 0 ? ring == 0 : ring >= min_ring) << ring;
      if (samples.labels[i] == 1) shortest = std::min<std::int64_t>(shortest, ring);
    }
    EXPECT_EQ(shortest, (min_ring + 1) / 2 * 2) << "rings of a grid are even";
  }
}

TEST(ColorConnectivity, OtherColoursAreSpreadOverTheRest) {
  const auto samples =
      generate_color_connectivity(grid_graph(16, 16), {.num_samples = 100, .num_colours = 4});
  std::vector<int> counts(4, 0);
  for (std::int64_t i = 0; i < 100; ++i) {
    const std::vector<std::uint8_t> colours = samples.colours(i);
    ASSERT_EQ(colours, samples.colours(i));
    for (NodeId v = 0; v < 256; ++v) {
      ASSERT_EQ(colours[v] == 1, samples.is_red(i, v));
      ++counts.at(colours[v]);
    }
  }
  EXPECT_EQ(counts[1], 12800);
  for (const int other : {0, 2, 3}) EXPECT_NEAR(counts[other], 12800 / 3, 300);
  const auto two = generate_color_connectivity(grid_graph(8, 8), {.num_samples = 10});
  for (const int colour : two.colours(0)) EXPECT_LE(colour, 1);
}

TEST(ColorConnectivity, NoiseIsStandardNormalAndItsOwnInEverySample) {
  const auto samples =
      generate_color_connectivity(grid_graph(16, 16), {.num_samples = 40, .noise_features = 3});
  double sum = 0;
  double squares = 0;
  for (std::int64_t i = 0; i < 40; ++i) {
    const std::vector<float> noise = samples.noise(i);
    ASSERT_EQ(noise.size(), 768U);
    ASSERT_EQ(noise, samples.noise(i));
    for (const float x : noise) {
      sum += x;
      squares += x * x;
    }
  }
  EXPECT_NEAR(sum / 30720, 0, 0.03);
  EXPECT_NEAR(squares / 30720, 1, 0.04);
  EXPECT_NE(samples.noise(0), samples.noise(1));
}

TEST(ColorConnectivity, RefusesWhatCannotBe) {
  const auto error = [](const Graph& graph, const ColorConnectivityOptions& options) {
    return error_of<Error>([&] { generate_color_connectivity(graph, options); });
  };
  const Graph grid = grid_graph(8, 8);
  EXPECT_THAT(error(grid, {.num_samples = 0}), HasSubstr("samples 0; expected 1"));
  EXPECT_THAT(error(grid, {.max_islands = 6}), HasSubstr("islands 6; expected 2 to 5"));
  EXPECT_THAT(error(grid, {.num_colours = 1}), HasSubstr("colours 1; expected 2 to 12"));
  EXPECT_THAT(error(grid, {.noise_features = -1}), HasSubstr("noise features -1"));
  EXPECT_THAT(error(grid, {.num_threads = 0}), HasSubstr("threads 0"));
  EXPECT_THAT(error(grid, {.min_ring = 2}), HasSubstr("shortest ring 2"));
  EXPECT_THAT(error(path_graph(3), {}), HasSubstr("a graph of 3 nodes; expected at least 4"));
  EXPECT_THAT(error(Graph(), {}), HasSubstr("a graph of 0 nodes"));
  EXPECT_THAT(error(grid, {.starts = ColorStarts::kNearby}), HasSubstr("expected at least 100"));
  EXPECT_THAT(error(scattered_graph(), {}), HasSubstr("components; expected a connected one"));
}

TEST(ColorConnectivity, RefusesWhatNoDataSetHolds) {
  const auto error = [](const ColorConnectivityOptions& options) {
    return test::error_of<Error>([&] { generate_color_connectivity(grid_graph(16, 16), options); });
  };
  EXPECT_EQ(error({.num_samples = std::int64_t{1} << 40}),
            "color-connectivity: 1099511627776 samples of 256 nodes; a data set has at most "
            "2147483646 nodes, that is 8388607 such samples");
  EXPECT_EQ(error({.noise_features = 65536}),
            "color-connectivity: 65536 noise features of 3840000 nodes in all; a data set has at "
            "most 2147483646 numbers, that is 559 for each of so many");
}

TEST(ColorConnectivity, TellsHowFarItIs) {
  std::int64_t last = 0;
  const ColorConnectivityOptions options{.num_samples = 3000};
  generate_color_connectivity(grid_graph(8, 8), options, [&](std::int64_t done, std::int64_t all) {
    EXPECT_GE(done, last);
    EXPECT_EQ(all, 3000);
    last = done;
  });
  EXPECT_EQ(last, 3000);
  EXPECT_THROW(generate_color_connectivity(grid_graph(8, 8), options,
                                           [](auto, auto) { throw std::runtime_error("enough"); }),
               std::runtime_error);
}

TEST(ColorConnectivity, SaysWhatIsMissingWhenColouringsRunOut) {
  // In a path of 4, only three pairs of neighbours can be red together.
  EXPECT_THAT(
      error_of<Error>([] { generate_color_connectivity(path_graph(4), {.num_samples = 8}); }),
      HasSubstr("still missing: 1 of label 0, 1 of label 1"));
}

TEST(ColorConnectivity, SharesOneGraphAndPacksColours) {
  const auto samples = generate_color_connectivity(grid_graph(50, 50), {.num_samples = 20});
  EXPECT_EQ(samples.red.size(), 20 * 40U);
  EXPECT_EQ(samples.red_words(19)[39] >> (2500 % 64), 0U);
}

Graph road(const std::string& name) {
  return read_graph(std::filesystem::path(HGNET_DEFAULT_DATA_DIR) / "roads" / (name + ".edges"));
}

TEST(ColorConnectivity, WorksOnTheRoadNetworks) {
  if (!std::filesystem::exists(std::filesystem::path(HGNET_DEFAULT_DATA_DIR) / "roads")) {
    GTEST_SKIP() << "no road networks here";
  }
  expect_sound(generate_color_connectivity(
      road("euroroad"), {.num_samples = 500, .seed = 1, .starts = ColorStarts::kNearby}));
  const Graph minnesota = connect_minnesota(road("minnesota"));
  EXPECT_EQ(minnesota.num_undirected_edges(), 3304);
  EXPECT_EQ(connected_components(minnesota).num_parents(), 1);
  const auto samples = generate_color_connectivity(minnesota, {.num_samples = 300, .seed = 1});
  expect_sound(samples);
  const std::size_t bytes = samples.red.size() * 8 + samples.attempts.size() * 8 + 300;
  EXPECT_LT(bytes * 50, 10'000'000U) << "15,000 samples";
}

TEST(ConnectMinnesota, NeedsBothEnds) {
  EXPECT_THROW(connect_minnesota(path_graph(300)), InvalidGraph);
}

}  // namespace
}  // namespace hgnet
