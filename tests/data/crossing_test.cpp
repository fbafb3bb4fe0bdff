#include "data/crossing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "hgnet/core/error.hpp"
#include "hgnet/data/color_dataset.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/data/sample_rows.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/data/tu_writer.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/naive_wl.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::HasSubstr;

std::vector<int> labels_of(const ColorConnectivity& samples, std::int64_t sample) {
  std::vector<int> labels;
  for (NodeId v = 0; v < samples.graph.num_nodes(); ++v)
    labels.push_back(samples.is_red(sample, v) ? 1 : 0);
  return labels;
}

/// By depth-first search.
int count_islands(const Graph& graph, std::vector<int> red) {
  int islands = 0;
  for (NodeId first = 0; first < graph.num_nodes(); ++first) {
    if (red[first] == 0) continue;
    ++islands;
    std::vector<NodeId> stack{first};
    red[first] = 0;
    while (!stack.empty()) {
      const NodeId v = stack.back();
      stack.pop_back();
      for (const NodeId u : graph.neighbours(v)) {
        if (red[u] != 0) stack.push_back(u);
        red[u] = 0;
      }
    }
  }
  return islands;
}

/// The two samples of every attempt.
std::vector<std::pair<std::int64_t, std::int64_t>> pairs_of(const ColorConnectivity& samples) {
  std::map<std::uint64_t, std::vector<std::int64_t>> by_attempt;
  for (std::int64_t i = 0; i < samples.num_samples(); ++i)
    by_attempt[samples.attempts[i]].push_back(i);
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (const auto& [attempt, both] : by_attempt) {
    EXPECT_EQ(both.size(), 2U);
    if (both.size() == 2) pairs.emplace_back(both[0], both[1]);
  }
  return pairs;
}

/// After so many rounds, how many nodes have each colour.
std::vector<int> counts(test::NaiveWl& wl, const ColorConnectivity& samples, std::int64_t sample,
                        int rounds) {
  std::vector<int> colours = wl.colours(samples.graph, labels_of(samples, sample), rounds);
  std::sort(colours.begin(), colours.end());
  return colours;
}

void expect_equal_within(const ColorConnectivity& samples, int radius) {
  for (const auto& [a, b] : pairs_of(samples)) {
    EXPECT_NE(samples.labels[a], samples.labels[b]);
    for (const std::int64_t sample : {a, b})
      EXPECT_EQ(count_islands(samples.graph, labels_of(samples, sample)),
                samples.labels[sample] + 1);
    test::NaiveWl wl;
    for (int rounds = 0; rounds <= radius; ++rounds)
      EXPECT_EQ(counts(wl, samples, a, rounds), counts(wl, samples, b, rounds)) << rounds;
    // Who sees from the core to the border of the grid can tell them apart.
    const auto width = static_cast<int>(samples.graph.neighbours(0)[1]);
    EXPECT_NE(counts(wl, samples, a, width), counts(wl, samples, b, width));
  }
}

TEST(Crossing, PairsHaveEqualColoursWithinTheRadius) {
  for (int radius = 1; radius <= 8; ++radius) {
    SCOPED_TRACE("radius " + std::to_string(radius));
    const int side = 4 * radius + 9 + radius % 4;
    expect_equal_within(generate_color_connectivity(grid_graph(side, side + 3),
                                                    {.num_samples = 20,
                                                     .seed = static_cast<std::uint64_t>(radius),
                                                     .task = ColorTask::kCrossing,
                                                     .radius = radius}),
                        radius);
  }
}

/// By group: the rows of its samples.
std::map<std::int64_t, std::vector<std::vector<std::pair<NodeId, float>>>> rows_by_group(
    const Dataset& dataset, const SparseMatrix& rows) {
  std::map<std::int64_t, std::vector<std::vector<std::pair<NodeId, float>>>> result;
  const CsrView csr = rows.csr();
  for (std::int64_t g = 0; g < dataset.num_graphs(); ++g) {
    auto& row = result[dataset.groups[g]].emplace_back();
    for (EdgeId s = csr.offsets[g]; s < csr.offsets[g + 1]; ++s)
      row.emplace_back(csr.columns[s], rows.values()[s]);
  }
  return result;
}

// Every pair, with fast colours; the test above has the naive ones.
TEST(Crossing, AllPairsOfANamedSetHaveEqualCounts) {
  const Dataset dataset = load_dataset("cc-crossing32:4", {.use_cache = false});
  EXPECT_EQ(dataset.num_graphs(), 8000);
  std::size_t equal = 0;
  for (const auto& [group, both] : rows_by_group(dataset, colour_rows(dataset, 4, 2)))
    equal += both.size() == 2 && both[0] == both[1] ? 1 : 0;
  EXPECT_EQ(equal, 4000U);
  std::size_t different = 0;
  for (const auto& [group, both] : rows_by_group(dataset, colour_rows(dataset, 5, 2)))
    different += both.at(0) != both.at(1) ? 1 : 0;
  EXPECT_GT(different, 2000U) << "one more round tells most of them apart";
}

TEST(Crossing, SeveralWindowsDecideTogether) {
  for (const int windows : {2, 3, 4}) {
    SCOPED_TRACE(std::to_string(windows) + " windows");
    const ColorConnectivity samples = generate_color_connectivity(
        grid_graph(32, 32),
        {.num_samples = 40, .task = ColorTask::kCrossing, .radius = 1, .windows = windows});
    expect_equal_within(samples, 1);
    // Every window is the one that is turned in some pair.
    std::set<std::pair<NodeId, NodeId>> turned;
    for (const auto& [a, b] : pairs_of(samples)) {
      NodeId first = kNoNode;
      for (NodeId v = samples.graph.num_nodes(); v-- > 0;) {
        if (samples.is_red(a, v) != samples.is_red(b, v)) first = v;
      }
      turned.insert({first % 32 / 16, windows > 2 ? first / 32 / 16 : 0});
    }
    EXPECT_EQ(std::ssize(turned), windows);
  }
}

TEST(Crossing, IsDeterministicForAnyNumberOfThreads) {
  ColorConnectivityOptions options{
      .num_samples = 300, .seed = 5, .task = ColorTask::kCrossing, .radius = 2};
  const ColorConnectivity one = generate_color_connectivity(grid_graph(24, 24), options);
  options.num_threads = 3;
  const ColorConnectivity three = generate_color_connectivity(grid_graph(24, 24), options);
  EXPECT_EQ(one.red, three.red);
  EXPECT_EQ(one.labels, three.labels);
  EXPECT_EQ(one.attempts, three.attempts);
}

TEST(Crossing, StaysTogetherInSplits) {
  const ColorConnectivity samples = generate_color_connectivity(
      grid_graph(16, 16), {.num_samples = 100, .task = ColorTask::kCrossing, .radius = 1});
  const Dataset dataset = color_dataset(samples);
  validate(dataset);
  for (const char* text : {"folds:5", "random:0.6,0.2,0.2"}) {
    const Split split = choose_split(dataset, text, 3, text[0] == 'f' ? 1 : -1);
    EXPECT_EQ(split.train.size() + split.val.size() + split.test.size(), 100U);
    for (const auto* part : {&split.train, &split.val, &split.test}) {
      std::map<std::int64_t, int> members;
      for (const std::int64_t sample : *part) ++members[dataset.groups[sample]];
      for (const auto& [group, count] : members) EXPECT_EQ(count, 2) << text;
    }
  }
  // Also when written and read again.
  const test::TemporaryFolder folder;
  const Dataset read = load_dataset(write_tu(samples, folder.path(), "crossings").string() + "/",
                                    {.use_cache = false});
  EXPECT_EQ(read.groups, dataset.groups);
}

TEST(Crossing, RefusesWhatHasNoRoom) {
  const auto refused = [](const Graph& graph, ColorConnectivityOptions options) {
    options.task = ColorTask::kCrossing;
    options.num_samples = options.num_samples == 15000 ? 4 : options.num_samples;
    return error_of<Error>([&] { generate_color_connectivity(graph, options); });
  };
  EXPECT_THAT(refused(grid_graph(24, 32), {.radius = 4}), HasSubstr("25 x 25"));
  EXPECT_THAT(refused(grid_graph(32, 32), {.radius = 4, .windows = 2}), HasSubstr("50 x 25"));
  EXPECT_THAT(refused(path_graph(1024), {.radius = 1}), HasSubstr("need a grid"));
  EXPECT_THAT(refused(grid_graph(32, 32), {.num_samples = 5}), HasSubstr("in pairs"));
  EXPECT_THAT(refused(grid_graph(32, 32), {.num_colours = 3}), HasSubstr("two colours"));
  EXPECT_THAT(refused(grid_graph(32, 32), {.radius = 0}), HasSubstr("radius 0"));
}

TEST(CrossingGround, IsNamedBySideRadiusAndWindows) {
  const ColorGround four = *crossing_ground("cc-crossing32:4");
  EXPECT_EQ(four.graph.num_nodes(), 1024);
  EXPECT_EQ(four.radius, 4);
  EXPECT_EQ(four.windows, 1);
  EXPECT_EQ(crossing_ground("cc-crossing64:4:3")->windows, 3);
  EXPECT_FALSE(crossing_ground("cc-grid32"));
  for (const char* name : {"cc-crossing", "cc-crossing32", "cc-crossing32:", "cc-crossing32:x",
                           "cc-crossing32:4:", "cc-crossing32:4:1:1", "cc-crossing32:4 "}) {
    EXPECT_THAT(error_of<UnknownDataset>([&] { crossing_ground(name); }),
                HasSubstr("cc-crossingSIDE:RADIUS"))
        << name;
  }
  for (const char* name : {"cc-crossing8:64", "cc-crossing1024:65"})
    EXPECT_THAT(error_of<UnknownDataset>([&] { load_dataset(name, {.use_cache = false}); }),
                HasSubstr(name));
  const Dataset dataset = load_dataset("cc-crossing32:4", {.use_cache = false, .cc_samples = 20});
  EXPECT_EQ(dataset.name, "cc-crossing32:4");
  EXPECT_EQ(dataset.num_graphs(), 20);
  EXPECT_EQ(dataset.groups.size(), 20U);
}

}  // namespace
}  // namespace hgnet
