#include <gmock/gmock.h>

#include <cmath>

#include "hgnet/config/molecules.hpp"
#include "hgnet/models/model.hpp"
#include "hgnet/settings/config.hpp"
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

// The paper's settings, every value of every model; what a row leaves out is the default here, not
// the library's.
struct PaperSettings {
  std::string preset;
  std::string model;
  std::int64_t hidden = 32;
  std::int64_t heads = 1;
  std::int64_t later_heads = 0;
  std::int64_t last_heads = 1;
  int layers = 2;
  int levels = 1;
  Norm norm = Norm::kNone;
  Activation activation = Activation::kElu;
  bool residual = false;
  double dropout = 0;
  double attention_dropout = 0;
  double input_dropout = 0;
  double edge_dropout = 0;
  std::int64_t classifier_hidden = 128;
  Activation classifier_activation = Activation::kElu;
  JoinKind join = JoinKind::kRgcn;
  std::vector<double> keep = {};
  std::int64_t epochs = 200;
  std::int64_t batch = 32;
  double lr = 0.005;
  double weight_decay = 1e-4;
};

void expect_settings(const PaperSettings& row) {
  SCOPED_TRACE(row.preset + ", " + row.model);
  TrainConfig config;
  config.model = row.model;
  config.network = model_defaults(row.model);
  apply_preset(config, row.preset);
  TrainConfig expected;
  expected.model = row.model;
  expected.epochs = row.epochs;
  expected.batch = row.batch;
  expected.lr = row.lr;
  expected.weight_decay = row.weight_decay;
  ModelConfig& network = expected.network = model_defaults(row.model);
  network.hidden = row.hidden;
  network.heads = row.heads;
  network.later_heads = row.later_heads;
  network.last_heads = row.last_heads;
  network.layers = row.layers;
  network.levels = row.levels;
  network.norm = row.norm;
  network.activation = row.activation;
  network.residual = row.residual;
  network.dropout = row.dropout;
  network.attention_dropout = row.attention_dropout;
  network.input_dropout = row.input_dropout;
  network.edge_dropout = row.edge_dropout;
  network.classifier_hidden = row.classifier_hidden;
  network.classifier_activation = row.classifier_activation;
  network.join = row.join;
  network.keep = row.keep;
  EXPECT_EQ(to_toml(config), to_toml(expected));
}

TEST(Presets, Citation) {
  for (const char* flat : {"gcn", "gcn-vn", "cheb", "gin"})
    expect_settings({.preset = "citation", .model = flat, .dropout = 0.6});
  for (const char* hgnet : {"hgnet-edgepool", "hgnet-louvain"})
    expect_settings({.preset = "citation", .model = hgnet, .levels = 1, .dropout = 0.6});
  expect_settings({.preset = "citation",
                   .model = "gat",
                   .hidden = 8,
                   .heads = 8,
                   .later_heads = 1,
                   .dropout = 0.6,
                   .attention_dropout = 0.6});
  expect_settings({.preset = "citation",
                   .model = "g-unet",
                   .levels = 4,
                   .activation = Activation::kLeakyRelu,
                   .input_dropout = 0.92,
                   .edge_dropout = 0.2,
                   .keep = {2000, 1000, 500, 200}});
}

TEST(Presets, TuSets) {
  for (const char* flat : {"gcn", "gcn-vn", "cheb", "gin"})
    expect_settings({.preset = "tu", .model = flat, .batch = 20});
  for (const char* hgnet : {"hgnet-edgepool", "hgnet-louvain"})
    expect_settings(
        {.preset = "tu", .model = hgnet, .levels = 2, .norm = Norm::kBatch, .batch = 20});
  expect_settings({.preset = "tu",
                   .model = "gat",
                   .hidden = 8,
                   .heads = 8,
                   .attention_dropout = 0.6,
                   .batch = 20});
  expect_settings({.preset = "tu",
                   .model = "g-unet",
                   .levels = 4,
                   .activation = Activation::kLeakyRelu,
                   .keep = {0.9, 0.7, 0.6, 0.5},
                   .batch = 20});
}

TEST(Presets, ColorConnectivity) {
  const PaperSettings all = {.preset = "color-connectivity",
                             .model = "",
                             .norm = Norm::kBatch,
                             .activation = Activation::kRelu,
                             .lr = 0.001,
                             .weight_decay = 0};
  PaperSettings flat = all;
  flat.layers = 4;
  flat.residual = true;
  for (const char* model : {"gcn", "gcn-vn", "cheb", "gin"}) {
    flat.model = model;
    expect_settings(flat);
  }
  flat.model = "gat";
  flat.hidden = 8;
  flat.heads = 4;
  expect_settings(flat);
  PaperSettings levels = all;
  levels.levels = 3;
  for (const char* model : {"hgnet-edgepool", "hgnet-louvain"}) {
    levels.model = model;
    expect_settings(levels);
  }
  levels.model = "g-unet";
  levels.norm = Norm::kNone;
  levels.keep = {0.5, 0.5, 0.5};
  expect_settings(levels);
}

TEST(Presets, Molecules) {
  const PaperSettings all = {.preset = "molecules",
                             .model = "",
                             .hidden = 300,
                             .norm = Norm::kBatch,
                             .activation = Activation::kRelu,
                             .dropout = 0.5,
                             .classifier_hidden = 300,
                             .classifier_activation = Activation::kRelu,
                             .epochs = 100,
                             .lr = 0.001,
                             .weight_decay = 0};
  PaperSettings flat = all;
  flat.layers = 5;
  for (const char* model : {"gcn", "gcn-vn", "gin", "gin-vn"}) {
    flat.model = model;
    expect_settings(flat);
  }
  PaperSettings levels = all;
  levels.levels = 2;
  levels.join = JoinKind::kParent;
  for (const char* model : {"hgnet-edgepool", "hgnet-louvain"}) {
    levels.model = model;
    expect_settings(levels);
  }
}

TEST(Presets, Yardsticks) {
  expect_settings({.preset = "citation", .model = "wl"});
  expect_settings({.preset = "citation", .model = "mlp", .dropout = 0.6});
  expect_settings({.preset = "tu", .model = "wl", .batch = 20, .lr = 3e-4});
  expect_settings({.preset = "tu", .model = "mlp", .batch = 20});
  for (const char* model : {"wl", "mlp"})
    expect_settings(
        {.preset = "color-connectivity", .model = model, .lr = 0.001, .weight_decay = 0});
  PaperSettings molecules = {
      .preset = "molecules", .model = "wl", .epochs = 100, .lr = 0.001, .weight_decay = 0};
  expect_settings(molecules);
  molecules.model = "mlp";
  molecules.classifier_hidden = 300;
  molecules.classifier_activation = Activation::kRelu;
  expect_settings(molecules);
}

TEST(Presets, KipfsOwn) {
  TrainConfig config;
  config.network = model_defaults(config.model = "gcn");
  apply_preset(config, "kipf");
  EXPECT_EQ(config.epochs, 200);
  EXPECT_EQ(config.lr, 0.01);
  EXPECT_EQ(config.weight_decay, 5e-4);
  EXPECT_EQ(config.decay_on, DecayOn::kFirstLayer);
  EXPECT_EQ(config.network.hidden, 16);
  EXPECT_EQ(config.network.layers, 2);
  EXPECT_EQ(config.network.activation, Activation::kRelu);
  EXPECT_EQ(config.network.dropout, 0.5);
  EXPECT_EQ(config.network.input_dropout, 0.5);
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

TEST(TrainConfig, EveryKindOfDataHasItsPreset) {
  EXPECT_EQ(preset_for(test::communities()), "citation");
  Dataset graphs = test::rings_and_stars(4);
  EXPECT_EQ(preset_for(graphs), "tu");
  graphs.name = "cc-grid16";
  EXPECT_EQ(preset_for(graphs), "color-connectivity");
  graphs.features = CategoricalRows{{kAtomColumns.begin(), kAtomColumns.end()}, {}};
  graphs.edge_columns.resize(kBondColumns.size());
  EXPECT_EQ(preset_for(graphs), "molecules");
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
  EXPECT_THAT(message([](TrainConfig& c) { c.fold = -2; }),
              HasSubstr("fold is -2; expected 0 or more"));
  EXPECT_THAT(message([](TrainConfig& c) { c.epochs = 1LL << 40; }),
              HasSubstr("epochs is 1099511627776; expected at most 10000000"));
  EXPECT_THAT(message([](TrainConfig& c) { c.batch = 1LL << 62; }), HasSubstr("batch is 46116"));
  EXPECT_THAT(message([](TrainConfig& c) { c.network.levels = 1'000'000; }),
              HasSubstr("levels is 1000000; expected at most 1000"));
}

TEST(TrainConfig, RefusesWhatCannotBeReadBack) {
  TrainConfig good;
  good.dataset = "cora";
  const auto message = [&](auto change) {
    TrainConfig config = good;
    change(config);
    return error_of<Error>([&] { check(config); });
  };
  EXPECT_THAT(message([](TrainConfig& c) { c.clip = INFINITY; }),
              HasSubstr("clip is not a finite number"));
  EXPECT_THAT(message([](TrainConfig& c) { c.weight_decay = INFINITY; }),
              HasSubstr("weight-decay is not a finite number"));
  for (std::uint64_t TrainConfig::*seed : {&TrainConfig::seed, &TrainConfig::split_seed}) {
    EXPECT_THAT(message([&](TrainConfig& c) { c.*seed = 1ULL << 63; }),
                HasSubstr("seed is 9223372036854775808; expected at most 9223372036854775807"));
  }
  EXPECT_THAT(message([](TrainConfig& c) { c.network.coarsening_seed = ~0ULL; }),
              HasSubstr("coarsening-seed is 18446744073709551615"));
  EXPECT_THAT(message([](TrainConfig& c) { c.dataset = "a\x1b[2J"; }),
              HasSubstr("dataset has a control character at place 2"));
  EXPECT_THAT(message([](TrainConfig& c) { c.root = "a\x7f"; }),
              HasSubstr("root has a control character at place 2"));
  EXPECT_THAT(message([](TrainConfig& c) { c.split = "caf\xe9"; }),
              HasSubstr("split is not UTF-8"));
  EXPECT_EQ(message([](TrainConfig& c) { c.dataset = "café"; }), "no error");
}

TEST(TrainConfig, NegativeFoldsAndSizesBeyondReasonDoNotComplete) {
  TrainConfig config = with_preset("tu", "g-unet", test::rings_and_stars(20));
  config.fold = -5;
  EXPECT_THAT(error_of<Error>([&] { complete(config, test::rings_and_stars(20)); }),
              HasSubstr("fold is -5"));
  config.fold = -1;
  config.network.levels = 2'000'000'000;  // as many numbers to keep would be 16 GB
  EXPECT_THAT(error_of<Error>([&] { complete(config, test::rings_and_stars(20)); }),
              HasSubstr("levels is 2000000000"));
}

TEST(TrainConfig, DeepTomlIsRefused) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  for (const std::string& toml :
       {key + " = 1\n", "[" + key + "]\n", "a = " + std::string(100'000, '['),
        "a = " + std::string(3000, '['), "a = " + std::string(3000, '{')}) {
    EXPECT_THAT(error_of<InvalidFile>([&] { train_config_from_toml(toml, "my.toml"); }),
                HasSubstr("my.toml:"));
  }
}

TEST(TrainConfig, TellsTheFirstDifference) {
  TrainConfig a;
  TrainConfig b;
  EXPECT_EQ(first_difference(a, b, {}), "");
  b.epochs = 3;
  b.network.dropout = 0.5;
  EXPECT_EQ(first_difference(a, b, {}), "epochs is 200 and 3");
  EXPECT_EQ(first_difference(a, b, kMayChange), "dropout is 0.0 and 0.5");
}

}  // namespace
}  // namespace hgnet
