#include "hgnet/data/beacons.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "hgnet/core/error.hpp"
#include "hgnet/data/load.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

BeaconOptions small() {
  BeaconOptions options;
  options.num_nodes = 1030;
  options.community = 100;
  options.seed = 7;
  return options;
}

TEST(Beacons, LabelsAreTheColourThatMostBeaconsOfACommunityShow) {
  const Beacons beacons = generate_beacons(small());
  ASSERT_EQ(beacons.num_communities(), 10);
  std::vector<int> sum(10, 0);
  std::vector<int> size(10, 0);
  for (std::int64_t v = 0; v < 1030; ++v) {
    sum[beacons.community_of(v)] += beacons.colour[v];
    ++size[beacons.community_of(v)];
  }
  EXPECT_THAT(size, testing::Each(103));
  for (int c = 0; c < 10; ++c) {
    if (sum[c] == 0) continue;  // then it is the planted colour
    EXPECT_EQ(beacons.label[c], sum[c] > 0) << c;
  }
  EXPECT_THAT(beacons.label, testing::Contains(0));
  EXPECT_THAT(beacons.label, testing::Contains(1));
}

TEST(Beacons, WhereColoursAreATieTheLabelIsThePlantedOne) {
  const Beacons beacons = generate_beacons(
      {.num_nodes = 2000, .community = 20, .degree = 4, .beacons = 0.005, .seed = 3});
  std::vector<int> sum(100, 0);
  for (std::int64_t v = 0; v < 2000; ++v) sum[beacons.community_of(v)] += beacons.colour[v];
  std::vector<int> label_of_tie;
  for (int c = 0; c < 100; ++c) {
    if (sum[c] == 0) label_of_tie.push_back(beacons.label[c]);
  }
  ASSERT_GT(label_of_tie.size(), 50U);
  EXPECT_THAT(label_of_tie, testing::Contains(0));
  EXPECT_THAT(label_of_tie, testing::Contains(1));
}

TEST(Beacons, CommunitiesAreRingsWithSomeEdgesThatLeadAnywhere) {
  BeaconOptions options = small();
  options.mixing = 0;
  const Graph rings = generate_beacons(options).graph;
  EXPECT_EQ(rings.num_undirected_edges(), 1030 * 5);
  EXPECT_THAT(std::vector<NodeId>(rings.neighbours(0).begin(), rings.neighbours(0).end()),
              testing::ElementsAre(1, 2, 3, 4, 5, 98, 99, 100, 101, 102));
  options.mixing = 0.1;
  const Beacons mixed = generate_beacons(options);
  std::int64_t between = 0;
  for (NodeId v = 0; v < 1030; ++v) {
    for (const NodeId u : mixed.graph.neighbours(v))
      between += mixed.community_of(u) != mixed.community_of(v);
  }
  const double share = static_cast<double>(between) / static_cast<double>(mixed.graph.num_edges());
  EXPECT_NEAR(share, 0.09, 0.02);
}

TEST(Beacons, AreTheSameForAnyNumberOfThreadsAndOthersForAnotherSeed) {
  BeaconOptions options = small();
  options.num_nodes = 200000;
  const Beacons one = generate_beacons(options);
  options.threads = 4;
  const Beacons four = generate_beacons(options);
  EXPECT_EQ(one.graph.parts().columns, four.graph.parts().columns);
  EXPECT_EQ(one.colour, four.colour);
  EXPECT_EQ(one.label, four.label);
  options.seed = 8;
  EXPECT_NE(generate_beacons(options).colour, one.colour);
}

TEST(Beacons, AreReadBackAsADataSetOfNodes) {
  const test::TemporaryFolder folder;
  const Beacons beacons = generate_beacons(small());
  const auto written = write_beacons(beacons, folder.path(), "far");
  LoadOptions options;
  options.use_cache = false;
  const Dataset dataset = load_dataset(written.string(), options);
  EXPECT_EQ(dataset.task, Task::kNode);
  EXPECT_EQ(dataset.graphs[0].parts().columns, beacons.graph.parts().columns);
  for (std::int64_t v = 0; v < dataset.num_nodes(); ++v)
    ASSERT_EQ(dataset.classes[v], beacons.label[beacons.community_of(v)]);
  const Split& split = dataset.splits.at("own");
  EXPECT_EQ(split.train.size(), 618U);
  EXPECT_EQ(split.val.size(), 206U);
  EXPECT_EQ(split.test.size(), 206U);
  EXPECT_THROW(write_beacons(beacons, folder.path(), "far"), Error);  // it exists
}

TEST(Beacons, RefuseOptionsThatMakeNoGraph) {
  const auto error = [](auto change) {
    BeaconOptions options = small();
    change(options);
    return test::error_of<Error>([&] { generate_beacons(options); });
  };
  EXPECT_THAT(error([](BeaconOptions& o) { o.degree = 3; }), testing::HasSubstr("even number"));
  EXPECT_THAT(error([](BeaconOptions& o) { o.num_nodes = 499; }),
              testing::HasSubstr("at least 5 communities"));
  EXPECT_THAT(error([](BeaconOptions& o) { o.community = 10; }),
              testing::HasSubstr("more than the degree"));
  EXPECT_THAT(error([](BeaconOptions& o) { o.truth = 1.5; }), testing::HasSubstr("0 .. 1"));
}

}  // namespace
}  // namespace hgnet
