#include <gmock/gmock.h>

#include "hgnet/models/model.hpp"
#include "hgnet/train/config.hpp"
#include "support/errors.hpp"
#include "support/samples.hpp"

namespace hgnet {
namespace {

using test::error_of;
using ::testing::HasSubstr;

TrainConfig with_preset(const std::string& preset, const std::string& model,
                        const Dataset& dataset) {
  TrainConfig config;
  config.dataset = dataset.name;
  config.model = model;
  config.network = model_defaults(model);
  apply_preset(config, preset);
  complete(config, dataset);
  return config;
}

TEST(TrainConfig, TomlAndBack) {
  TrainConfig config = with_preset("color-connectivity", "g-unet", test::rings_and_stars(20));
  config.split = "with \"quotes\" and \\";
  config.lr = 1e-7 / 3;
  config.seed = 18446744073709551615ULL / 2;
  config.network.keep = {0.5, 100, 1.0 / 3};
  EXPECT_EQ(train_config_from_toml(to_toml(config), "config.toml"), config);
}

TEST(TrainConfig, PresetsFitAllModelsOfTheirTasks) {
  const Dataset nodes = test::communities();
  const Dataset graphs = test::rings_and_stars(20);
  for (const std::string& name : model_names()) {
    EXPECT_NO_THROW(Model(with_preset("citation", name, nodes).network, 1)) << name;
    EXPECT_NO_THROW(Model(with_preset("tu", name, graphs).network, 1)) << name;
    EXPECT_NO_THROW(Model(with_preset("color-connectivity", name, graphs).network, 1)) << name;
  }
  EXPECT_NO_THROW(Model(with_preset("kipf", "gcn", nodes).network, 1));
}

TEST(TrainConfig, PresetsHoldThePapersSettings) {
  const TrainConfig gat = with_preset("citation", "gat", test::communities());
  EXPECT_EQ(gat.network.hidden, 8);
  EXPECT_EQ(gat.network.heads, 8);
  EXPECT_EQ(gat.network.attention_dropout, 0.6);
  EXPECT_EQ(gat.network.dropout, 0.6);
  EXPECT_EQ(gat.lr, 0.005);
  const TrainConfig hgnet = with_preset("tu", "hgnet-louvain", test::rings_and_stars(20));
  EXPECT_EQ(hgnet.network.levels, 2);
  EXPECT_EQ(hgnet.network.norm, Norm::kBatch);
  EXPECT_EQ(hgnet.batch, 20);
  EXPECT_EQ(with_preset("tu", "gcn", test::rings_and_stars(20)).network.norm, Norm::kNone);
}

TEST(TrainConfig, CompletedFromTheDataSet) {
  const TrainConfig nodes = with_preset("citation", "gcn", test::communities());
  EXPECT_EQ(nodes.network.inputs, 3);
  EXPECT_EQ(nodes.network.outputs, 3);
  EXPECT_EQ(nodes.split, "own");
  EXPECT_EQ(nodes.fold, -1);
  EXPECT_EQ(nodes.metric, "accuracy");
  const TrainConfig graphs = with_preset("tu", "gcn", test::rings_and_stars(20));
  EXPECT_EQ(graphs.split, "folds:10");
  EXPECT_EQ(graphs.fold, 0);
  EXPECT_EQ(with_preset("tu", "gcn", test::multi_label_graphs(20)).metric, "roc_auc");
  EXPECT_EQ(with_preset("tu", "gcn", test::regression_graphs(20)).metric, "rmse");
}

TEST(TrainConfig, KeepFollowsTheLevels) {
  TrainConfig config = with_preset("citation", "g-unet", test::communities());
  config.network.levels = 2;
  complete(config, test::communities());
  EXPECT_EQ(config.network.keep, (std::vector<double>{2000, 1000}));
  config.network.levels = 3;
  complete(config, test::communities());
  EXPECT_EQ(config.network.keep, (std::vector<double>{2000, 1000, 1000}));
}

TEST(TrainConfig, ErrorsNameFileLineAndField) {
  TrainConfig config;
  const auto message = [&](const std::string& toml) {
    return error_of<InvalidFile>([&] { apply_toml(config, toml, "my.toml"); });
  };
  EXPECT_THAT(message("lr = 0.1\nepohcs = 3\n"),
              HasSubstr("my.toml:2: unknown setting 'epohcs'; did you mean epochs?"));
  EXPECT_THAT(message("\n\nepochs = \"many\"\n"), HasSubstr("my.toml:3: epochs"));
  EXPECT_THAT(message("norm = \"bach\"\n"), HasSubstr("my.toml:1: norm: unknown norm 'bach'"));
  EXPECT_THAT(message("lr = \n"), HasSubstr("my.toml:1: "));
  EXPECT_THAT(message("[gatt]\nheads = 2\n"), HasSubstr("my.toml:1: unknown table 'gatt'"));
  EXPECT_THAT(message("[gcn]\nheads = []\n"), HasSubstr("my.toml:2: heads"));
  EXPECT_THAT(message("lr = 2020-01-01\n"), HasSubstr("my.toml:1: "));
  std::string keys;
  for (int i = 0; i < 100'000; ++i) keys += "a.";
  for (const std::string& deep : {keys + "a = 1", "[" + keys + "a]", "a = {" + keys + "a = 1}"}) {
    EXPECT_THAT(message("lr = 1\n" + deep), HasSubstr("my.toml:2: is nested deeper than 64"));
  }
  EXPECT_THAT(message("keep = " + std::string(100'000, '[')), HasSubstr("is nested deeper"));
  EXPECT_THAT(error_of<InvalidFile>([] { train_config_from_toml("model = \"gnc\"\n", "my.toml"); }),
              HasSubstr("my.toml:1: unknown model 'gnc'; did you mean gcn?"));
  EXPECT_THAT(error_of<Error>([&] { apply_preset(config, "citatoin"); }),
              HasSubstr("did you mean citation?"));
}

TEST(TrainConfig, RefusesWhatIsOutOfRange) {
  TrainConfig good;
  good.dataset = "cora";
  EXPECT_NO_THROW(check(good));
  const auto message = [&](auto change) {
    TrainConfig config = good;
    change(config);
    return error_of<Error>([&] { check(config); });
  };
  EXPECT_THAT(message([](TrainConfig& c) { c.epochs = 0; }), HasSubstr("epochs"));
  EXPECT_THAT(message([](TrainConfig& c) { c.lr = -1; }), HasSubstr("lr"));
  EXPECT_THAT(message([](TrainConfig& c) { c.lr_decay = 0.5; }), HasSubstr("lr-decay-every"));
  EXPECT_THAT(message([](TrainConfig& c) { c.dataset = ""; }), HasSubstr("data set"));
}

}  // namespace
}  // namespace hgnet
