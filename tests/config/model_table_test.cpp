#include "hgnet/config/model_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "hgnet/config/edge_use.hpp"
#include "hgnet/config/preparation.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using testing::HasSubstr;

TEST(ModelTable, HasEveryCoarseningByName) {
  for (const auto& [coarsening, name] : EnumNames<Coarsening>::values) {
    const std::string model = std::string("hgnet-") + name;
    EXPECT_EQ(model_defaults(model).model, "hgnet");
    EXPECT_EQ(model_defaults(model).coarsening, coarsening);
    EXPECT_EQ(model_name("hgnet", coarsening), model);
    EXPECT_EQ(model_name(model, Coarsening::kEdgePool), model);
  }
  EXPECT_EQ(model_name("gcn", Coarsening::kLouvain), "gcn");
}

TEST(ModelTable, NamesAreDistinctAndFound) {
  std::set<std::string> seen;
  for (const std::string& name : model_names()) {
    EXPECT_TRUE(seen.insert(name).second) << name;
    EXPECT_EQ(model_row(name).name, name);
  }
  EXPECT_EQ(find_model("hgnet-"), nullptr);
  EXPECT_THAT(test::error_of<Error>([] { model_row("hgnet-louvian"); }),
              HasSubstr("hgnet-louvain"));
}

TEST(ModelTable, KnowsWhatIsHierarchical) {
  for (const char* name : {"gcn", "gcn-vn", "gat", "cheb", "gin", "gin-vn"})
    EXPECT_FALSE(model_row(name).hierarchical()) << name;
  for (const char* name : {"g-unet", "hgnet", "hgnet-edgepool", "hgnet-louvain", "hgnet-top-k"})
    EXPECT_TRUE(model_row(name).hierarchical()) << name;
  for (const char* name : {"gcn-vn", "gin-vn"}) EXPECT_TRUE(model_row(name).virtual_node) << name;
  EXPECT_FALSE(model_row("gcn").virtual_node);
}

TEST(ModelTable, EveryNameIsAModelOfOneLevelOrTwoLayers) {
  for (const std::string& name : model_names()) {
    ModelConfig config = model_defaults(name);
    config.inputs = 3;
    config.outputs = 2;
    EXPECT_NO_THROW(check(config)) << name;
  }
}

TEST(EdgeUse, YardsticksReadNoWeights) {
  for (const ModelRow& row : model_table()) {
    if (!row.yardstick()) continue;
    EXPECT_FALSE(reads_edge_weights(model_defaults(row.name))) << row.name;
  }
  EXPECT_TRUE(reads_edge_weights(model_defaults("gcn")));
}

TEST(Preparation, IsThatOfStaticCoarseningsAlone) {
  for (const std::string& name : model_names()) {
    const ModelConfig config = model_defaults(name);
    const bool is_static = config.model == "hgnet" && !traits_of(config.coarsening).learned;
    EXPECT_EQ(preparation_of(config).levels, is_static ? 1 : 0) << name;
    EXPECT_EQ(preparation_of(config).of(grid_graph(4, 4)).num_levels(), is_static ? 1 : 0) << name;
  }
}

// Anything that changes the prepared hierarchy makes the preparations differ.
TEST(Preparation, DiffersWhereAnySettingOfTheHierarchyDoes) {
  ModelConfig base = model_defaults("hgnet-louvain");
  base.edge_weights = EdgePooling::kSum;
  const Preparation one = preparation_of(base);
  const auto changed = [&](const std::function<void(ModelConfig&)>& change) {
    ModelConfig config = base;
    change(config);
    return preparation_of(config);
  };
  EXPECT_NE(changed([](ModelConfig& c) { c.levels = 2; }), one);
  EXPECT_NE(changed([](ModelConfig& c) { c.coarsening = Coarsening::kRandom; }), one);
  EXPECT_NE(changed([](ModelConfig& c) { c.edge_weights = EdgePooling::kMean; }), one);
  EXPECT_NE(changed([](ModelConfig& c) { c.partition = Partition::kBest; }), one);
  EXPECT_NE(changed([](ModelConfig& c) { c.weighted_louvain = true; }), one);
  EXPECT_NE(changed([](ModelConfig& c) { c.coarsening_seed = 1; }), one);
  EXPECT_EQ(changed([](ModelConfig& c) { c.hidden = 7; }), one);
}

}  // namespace
}  // namespace hgnet
