// Training of node tasks in batches of communities, and within a limit of memory.

#include "hgnet/train/node_batches.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "hgnet/coarsening/build.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/data/beacons.hpp"
#include "hgnet/settings/memory_plan.hpp"
#include "hgnet/train/recalibrate.hpp"
#include "support/errors.hpp"
#include "support/samples.hpp"
#include "train/fit_setting.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::HasSubstr;

/// Rings of 100 nodes with their beacons' colours.
Dataset rings(std::int64_t nodes) {
  BeaconOptions options;
  options.num_nodes = nodes;
  options.community = 100;
  options.mixing = 0.01;
  const Beacons beacons = generate_beacons(options);
  Dataset dataset;
  dataset.name = "rings";
  dataset.graphs = {beacons.graph};
  dataset.node_offsets = {0, nodes};
  DenseRows rows{1, {}};
  for (std::int64_t v = 0; v < nodes; ++v) {
    rows.values.push_back(beacons.colour[v]);
    dataset.classes.push_back(beacons.label[beacons.community_of(v)]);
    Split& split = dataset.splits["own"];
    auto& part = v % 3 == 0 ? split.train : v % 3 == 1 ? split.val : split.test;
    part.push_back(v);
  }
  dataset.features = std::move(rows);
  dataset.class_names = {"0", "1"};
  validate(dataset);
  return dataset;
}

test::FitSetting in_batches(const Dataset& dataset, const std::string& model,
                            std::int64_t batch_nodes, std::int64_t at_a_time = 0) {
  test::FitSetting setting = test::fit_setting(dataset, model, 3);
  setting.config.batch_nodes = batch_nodes;
  setting.inputs = std::make_shared<const FitInputs>(
      std::make_shared<const Dataset>(dataset), preparation_of(setting.config.network), 1,
      Encoding(), NodeMemory{batch_nodes, at_a_time});
  return setting;
}

Hierarchy whole_graph(const Dataset& dataset, int levels) {
  return build_hierarchy_of_depth(dataset.graphs[0], levels,
                                  coarsen_step(Coarsening::kLouvain, {}, 1));
}

TEST(NodeBatches, HaveEveryNodeOnceInAnEpochAndWholeCommunities) {
  const Dataset dataset = rings(2000);
  for (const int levels : {0, 1, 3}) {
    const ParentMap communities =
        batch_communities(whole_graph(dataset, levels), levels > 0, 120, 1);
    EXPECT_TRUE(communities.is_total());
    std::size_t largest = 0;
    for (NodeId c = 0; c < communities.num_parents(); ++c)
      largest = std::max(largest, communities.members(c).size());
    EXPECT_LE(largest, 120U);
    EXPECT_GE(largest, 30U);
    Generator generator(1);
    const auto first = plan_communities(communities, 4, generator);
    const auto second = plan_communities(communities, 4, generator);
    EXPECT_NE(first, second);
    ASSERT_EQ(first.size(), 4U);
    std::vector<NodeId> all;
    for (const std::vector<NodeId>& nodes : first) {
      EXPECT_NEAR(static_cast<double>(nodes.size()), 500, 120);
      EXPECT_TRUE(std::is_sorted(nodes.begin(), nodes.end()));
      all.insert(all.end(), nodes.begin(), nodes.end());
      for (const NodeId v : nodes) {
        for (const NodeId u : communities.members(communities.parent(v)))
          ASSERT_TRUE(std::binary_search(nodes.begin(), nodes.end(), u));
      }
    }
    std::sort(all.begin(), all.end());
    std::vector<NodeId> expected(2000);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(all, expected);
  }
}

TEST(NodeBatches, SplitACommunityThatIsTooLarge) {
  const Dataset dataset = rings(1000);
  const ParentMap communities = batch_communities(whole_graph(dataset, 0), false, 3, 1);
  for (NodeId c = 0; c < communities.num_parents(); ++c)
    EXPECT_LE(communities.members(c).size(), 3U);
  EXPECT_LE(communities.num_parents(), 500);
}

TEST(NodeBatches, FindTheSamplesAmongTheirNodes) {
  const std::vector<std::int64_t> samples{1, 4, 5, 9};
  const BatchRows rows = rows_among({0, 1, 5, 8, 9}, samples);
  EXPECT_EQ(rows.rows, (std::vector<std::int64_t>{1, 2, 4}));
  EXPECT_EQ(rows.samples, (std::vector<std::int64_t>{1, 5, 9}));
}

TEST(NodeBatches, OneBatchOfAllNodesGivesTheLossesOfTheWholeGraph) {
  for (const char* model : {"gcn", "hgnet-louvain", "hgnet-edgepool"}) {
    SCOPED_TRACE(model);
    const Dataset dataset = rings(1000);
    Fit whole = test::make_fit(in_batches(dataset, model, 0));
    Fit batched = test::make_fit(in_batches(dataset, model, 1000));
    for (int epoch = 0; epoch < 3; ++epoch) {
      const auto a = whole.run_epoch();
      const auto b = batched.run_epoch();
      EXPECT_NEAR(a->train.at("loss"), b->train.at("loss"), 1e-5);
      EXPECT_NEAR(a->val.at("loss"), b->val.at("loss"), 1e-5);
    }
  }
}

TEST(NodeBatches, ScoresDoNotDependOnWhatIsComputedAtATime) {
  const Dataset dataset = rings(1000);
  Fit all = test::make_fit(in_batches(dataset, "hgnet-louvain", 300));
  Fit parts = test::make_fit(in_batches(dataset, "hgnet-louvain", 300, 500));
  for (int epoch = 0; epoch < 2; ++epoch) {
    const auto a = all.run_epoch();
    const auto b = parts.run_epoch();
    EXPECT_NEAR(a->val.at("loss"), b->val.at("loss"), 1e-6);
    EXPECT_NEAR(a->test.at("accuracy"), b->test.at("accuracy"), 1e-3);
  }
}

TEST(NodeBatches, AFitResumedInTheMiddleOfAnEpochGoesOnWithTheSameNumbers) {
  const test::FitSetting setting = in_batches(rings(1000), "hgnet-edgepool", 250);
  Fit straight = test::make_fit(setting);
  Fit stopped = test::make_fit(setting);
  stopped.run_epoch();
  EXPECT_FALSE(stopped.run_epoch([](std::int64_t batch, std::int64_t batches, double) {
    EXPECT_EQ(batches, 4);
    return batch < 2;
  }));
  Fit resumed = test::make_fit(setting);
  resumed.restore(stopped.save(), "checkpoint");
  straight.run_epoch();
  EXPECT_EQ(straight.run_epoch()->val, resumed.run_epoch()->val);
  EXPECT_EQ(straight.run_epoch()->train, resumed.run_epoch()->train);
}

TEST(NodeBatches, RecalibrateInBatches) {
  test::FitSetting setting = in_batches(rings(1000), "gcn", 250);
  setting.config.network.norm = Norm::kBatch;
  Fit fit = test::make_fit(setting);
  fit.run_epoch();
  EXPECT_THAT(fit.recalibrated().at("val"), testing::Contains(testing::Key("accuracy")));
}

TEST(Memory, SizesAreReadWithTheirUnits) {
  EXPECT_EQ(memory_bytes("2GB"), 2000000000);
  EXPECT_EQ(memory_bytes("512 MB"), 512000000);
  EXPECT_EQ(memory_bytes("1.5GiB"), 1610612736);
  for (const char* wrong : {"", "2", "GB", "-1GB", "2 GBs", "1e30GB", "nanGB", "0MB"})
    EXPECT_THAT(error_of<Error>([&] { memory_bytes(wrong); }), HasSubstr("such as 2GB")) << wrong;
}

TEST(Memory, ChoosesTheWholeGraphOrTheLargestBatchesThatFit) {
  const Dataset dataset = rings(200000);
  TrainConfig config = test::fit_setting(rings(1000), "hgnet-louvain", 1).config;
  config.network.hidden = 64;
  config.memory = "16GB";
  EXPECT_EQ(plan_memory(config, dataset).batch_nodes, 0);
  config.memory = "500MB";
  const MemoryPlan small = plan_memory(config, dataset);
  config.memory = "600MB";
  const MemoryPlan large = plan_memory(config, dataset);
  EXPECT_GT(small.batch_nodes, 1000);
  EXPECT_GT(large.batch_nodes, small.batch_nodes);
  EXPECT_LT(large.batch_nodes, 200000);
  EXPECT_LE(large.bytes, 600000000);
  complete(config, dataset);
  EXPECT_EQ(config.batch_nodes, large.batch_nodes);
  complete(config, dataset);  // as a run that resumes does
  EXPECT_EQ(config.batch_nodes, large.batch_nodes);
}

TEST(Memory, ScoresAreOfTheWholeGraphInParts) {
  const Dataset dataset = rings(200000);
  TrainConfig config = test::fit_setting(rings(1000), "hgnet-louvain", 1).config;
  config.network.hidden = 64;
  config.batch_nodes = 5000;
  EXPECT_EQ(scoring_memory(config, dataset), NodeMemory());
  config.memory = "600MB";
  const NodeMemory memory = scoring_memory(config, dataset);
  EXPECT_EQ(memory.batch_nodes, 0);
  EXPECT_GT(memory.at_a_time, 0);
  EXPECT_LT(memory.at_a_time, dataset.num_nodes());
}

TEST(Memory, RefusesALimitThatIsTooSmallAndNamesTheEstimate) {
  const Dataset dataset = rings(100000);
  TrainConfig config = test::fit_setting(rings(1000), "gcn", 1).config;
  config.memory = "100MB";
  const std::string message = error_of<Error>([&] { complete(config, dataset); });
  EXPECT_THAT(message, testing::ContainsRegex("needs about 0\\.[0-9]+ GB"));
  EXPECT_THAT(message, HasSubstr("memory is 100MB"));
}

TEST(Memory, IsRefusedWhereItHasNoEffectOrNoEstimate) {
  TrainConfig config = test::fit_setting(test::rings_and_stars(20), "gcn", 1).config;
  config.memory = "2GB";
  EXPECT_THAT(error_of<Error>([&] { complete(config, test::rings_and_stars(20)); }),
              HasSubstr("memory has no effect"));
  config.memory = "";
  config.batch_nodes = 100;
  EXPECT_THAT(error_of<Error>([&] { complete(config, test::rings_and_stars(20)); }),
              HasSubstr("batch-nodes has no effect"));
  TrainConfig unet = test::fit_setting(test::communities(), "g-unet", 1).config;
  unet.memory = "2GB";
  EXPECT_THAT(error_of<Error>([&] { complete(unet, test::communities()); }),
              HasSubstr("cannot be estimated"));
  TrainConfig wl = test::fit_setting(test::communities(), "wl", 1).config;
  wl.memory = "2GB";
  EXPECT_THAT(error_of<Error>([&] { complete(wl, test::communities()); }),
              HasSubstr("no layers on the graph"));
}

}  // namespace
}  // namespace hgnet
