#include "hgnet/config/model_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/errors.hpp"
#include "support/model_configs.hpp"

namespace hgnet {
namespace {

using test::molecule_models;
using test::small;
using test::small_hgnet;
using testing::AllOf;
using testing::HasSubstr;

std::string refusal(ModelConfig config, const std::function<void(ModelConfig&)>& change) {
  change(config);
  const std::string message = test::error_of<Error>([&] { check(config); });
  EXPECT_EQ(test::error_of<Error>([&] { Model(config, 1); }), message);
  return message;
}

TEST(ModelConfig, RefusesNumbersOutOfRange) {
  const ModelConfig gcn = small("gcn");
  using C = ModelConfig;
  EXPECT_THAT(refusal(gcn, [](C& c) { c.inputs = 0; }),
              HasSubstr("inputs, the width of the features, must be positive"));
  EXPECT_THAT(refusal(gcn, [](C& c) { c.outputs = 0; }), HasSubstr("outputs must be positive"));
  EXPECT_THAT(refusal(gcn, [](C& c) { c.hidden = 0; }), HasSubstr("hidden must be positive"));
  EXPECT_THAT(refusal(gcn, [](C& c) { c.layers = 0; }), HasSubstr("layers must be positive"));
  EXPECT_THAT(refusal(small("hgnet"), [](C& c) { c.levels = 0; }),
              HasSubstr("levels must be positive"));
  EXPECT_THAT(refusal(gcn, [](C& c) { c.classifier_hidden = -1; }),
              HasSubstr("classifier-hidden must be positive"));
  EXPECT_THAT(refusal(small("gat"), [](C& c) { c.heads = 0; }),
              HasSubstr("heads must be positive"));
  EXPECT_THAT(refusal(small("gat"), [](C& c) { c.last_heads = 0; }),
              HasSubstr("heads must be positive"));
  EXPECT_THAT(refusal(small("cheb"), [](C& c) { c.cheb_order = 0; }),
              HasSubstr("cheb-order must be positive"));
  for (double C::*dropout : {&C::dropout, &C::input_dropout, &C::edge_dropout,
                             &C::classifier_dropout, &C::attention_dropout}) {
    for (const double wrong : {1.0, -0.1, std::nan("")}) {
      EXPECT_THAT(refusal(small("gat"), [&](C& c) { c.*dropout = wrong; }),
                  HasSubstr("dropout must be at least 0 and below 1"));
    }
  }
  for (const double wrong : {0.0, -1.0, std::nan("")}) {
    EXPECT_THAT(refusal(small("g-unet"), [&](C& c) { c.keep[1] = wrong; }),
                HasSubstr("keep takes shares of the nodes (up to 1) or counts (above 1)"));
  }
}

TEST(ModelConfig, RefusesWhatHasNoEffect) {
  using C = ModelConfig;
  struct Unread {
    ModelConfig config;
    std::string field;
    std::function<void(C&)> change;
    std::string who;
  };
  const ModelConfig gcn = small("gcn");
  const ModelConfig hgnet = small("hgnet");
  ModelConfig gat = small("gat");
  gat.task = Task::kGraph;
  const ModelConfig gin_of_molecules = molecule_models()[2].config;
  const ModelConfig top_k = small_hgnet(Coarsening::kTopK);
  const std::vector<Unread> all{
      {gcn, "levels", [](C& c) { c.levels = 2; }, "hierarchical models"},
      {hgnet, "layers", [](C& c) { c.layers = 3; }, "flat models"},
      {hgnet, "residual", [](C& c) { c.residual = true; }, "flat models"},
      {small("g-unet"), "residual", [](C& c) { c.residual = true; }, "flat models"},
      {gcn, "norm-momentum", [](C& c) { c.norm_momentum = 0.2; }, "models with a norm"},
      {gcn, "layer", [](C& c) { c.layer = LayerKind::kGat; }, "hgnet"},
      {gcn, "heads", [](C& c) { c.heads = 2; }, "gat layers"},
      {hgnet, "heads", [](C& c) { c.heads = 2; }, "gat layers"},
      {gcn, "last-heads", [](C& c) { c.last_heads = 2; }, "the model gat on node tasks"},
      {gcn, "attention-dropout", [](C& c) { c.attention_dropout = 0.5; }, "gat layers"},
      {gcn, "cheb-order", [](C& c) { c.cheb_order = 3; }, "cheb layers"},
      {gcn, "trainable-eps", [](C& c) { c.trainable_eps = true; },
       "gin layers (those of molecules always learn eps)"},
      {gcn, "coarsening", [](C& c) { c.coarsening = Coarsening::kLouvain; }, "hgnet"},
      {gcn, "join", [](C& c) { c.join = JoinKind::kSum; }, "hgnet"},
      {gcn, "aggregation", [](C& c) { c.aggregation = Aggregation::kMean; },
       "hgnet with join rgcn"},
      {small_hgnet(Coarsening::kEdgePool, LayerKind::kGcn, JoinKind::kSum), "aggregation",
       [](C& c) { c.aggregation = Aggregation::kMean; }, "hgnet with join rgcn"},
      {small("hgnet-louvain"), "self-loops", [](C& c) { c.self_loops = SelfLoops::kKeep; },
       "hgnet with coarsening edgepool"},
      {top_k, "edge-weights", [](C& c) { c.edge_weights = EdgePooling::kSum; },
       "hgnet with any coarsening but top-k"},
      {hgnet, "partition", [](C& c) { c.partition = Partition::kBest; },
       "hgnet with coarsening louvain"},
      {hgnet, "weighted-louvain", [](C& c) { c.weighted_louvain = true; },
       "hgnet with coarsening louvain"},
      {hgnet, "coarsening-seed", [](C& c) { c.coarsening_seed = 1; },
       "hgnet with coarsening louvain, heavy-edge or random"},
      {top_k, "coarsening-seed", [](C& c) { c.coarsening_seed = 1; },
       "hgnet with coarsening louvain, heavy-edge or random"},
      {hgnet, "keep",
       [](C& c) {
         c.keep = {0.5, 0.5};
       },
       "g-unet, and hgnet with coarsening top-k"},
      {gat, "last-heads", [](C& c) { c.last_heads = 2; }, "the model gat on node tasks"},
      {gin_of_molecules, "trainable-eps", [](C& c) { c.trainable_eps = true; },
       "gin layers (those of molecules always learn eps)"},
      {gcn, "readout", [](C& c) { c.readout = Readout::kMax; }, "graph tasks"},
      {gcn, "classifier-hidden", [](C& c) { c.classifier_hidden = 7; }, "graph tasks"},
      {gcn, "classifier-activation", [](C& c) { c.classifier_activation = Activation::kRelu; },
       "graph tasks"},
      {gcn, "classifier-dropout", [](C& c) { c.classifier_dropout = 0.5; }, "graph tasks"}};
  for (const Unread& unread : all)
    EXPECT_EQ(refusal(unread.config, unread.change),
              "model: " + unread.field + " has no effect here; it is for " + unread.who);
}

TEST(ModelConfig, RefusesCombinationsThatNoModelHas) {
  using C = ModelConfig;
  const ModelConfig gat = small_hgnet(Coarsening::kEdgePool, LayerKind::kGat);
  EXPECT_THAT(refusal(gat, [](C& c) { c.heads = 4; }),
              HasSubstr("hidden, the total width of all heads, must be a multiple of heads"));
  for (const JoinKind join : {JoinKind::kSum, JoinKind::kConcat}) {
    const auto change = [&](C& c) {
      c.join = join;
      c.outputs = 5;
    };
    EXPECT_THAT(refusal(gat, change), HasSubstr("which must be a multiple of heads"));
  }
  EXPECT_EQ(refusal(gat, [](C& c) { c.outputs = 5; }), "no error");
  EXPECT_THAT(refusal(small("g-unet"), [](C& c) { c.keep.pop_back(); }),
              HasSubstr("keep needs one number for each of the 2 levels (got 1)"));
  EXPECT_THAT(refusal(small_hgnet(Coarsening::kTopK), [](C& c) { c.keep.clear(); }),
              HasSubstr("keep needs one number for each of the 2 levels (got 0)"));
  EXPECT_THAT(refusal(small("hgnet-louvain"), [](C& c) { c.weighted_louvain = true; }),
              HasSubstr("it needs edge-weights sum"));
  EXPECT_THAT(refusal(small("gcn"), [](C& c) { c.model = "hgnet-louvain"; }),
              HasSubstr("hgnet-louvain is short for hgnet with a coarsening"));
}

TEST(ModelConfig, RefusesMoleculesWhereBondsWouldBeLost) {
  using C = ModelConfig;
  const ModelConfig gcn = molecule_models().front().config;
  const ModelConfig hgnet = molecule_models().back().config;
  const auto edgepool = [&](const std::function<void(C&)>& change) {
    return refusal(hgnet, [&](C& c) {
      c.coarsening = Coarsening::kEdgePool;
      change(c);
    });
  };
  for (const char* name : {"gat", "cheb"}) {
    EXPECT_THAT(refusal(gcn, [&](C& c) { c.model = name; }),
                HasSubstr("no layer of this model reads bonds"));
  }
  EXPECT_THAT(edgepool([](C& c) { c.layer = LayerKind::kGin; }),
              HasSubstr("no layer of this model reads bonds"));
  EXPECT_THAT(refusal(gcn, [](C& c) { c.inputs = 9; }), HasSubstr("molecules have 174 inputs"));
  EXPECT_THAT(edgepool([](C& c) { c.join = JoinKind::kRgcn; }),
              HasSubstr("molecules need join parent"));
  const auto top_k = [](C& c) {
    c.coarsening = Coarsening::kTopK;
    c.keep = {0.5, 0.5};
  };
  EXPECT_THAT(edgepool(top_k), HasSubstr("top-k makes edges between nodes that share no bond"));
  EXPECT_THAT(edgepool([](C& c) { c.self_loops = SelfLoops::kKeep; }),
              HasSubstr("a self-loop has no bond"));
  EXPECT_THAT(edgepool([](C& c) { c.coarsening = Coarsening::kHeavyEdge; }),
              HasSubstr("the molecule layers have no edge weights"));
}

TEST(ModelConfig, UnknownNamesAreMetWithTheNearest) {
  EXPECT_THAT(test::error_of<Error>([] { model_defaults("hgnet-luvain"); }),
              AllOf(HasSubstr("hgnet-luvain"), HasSubstr("hgnet-louvain")));
  EXPECT_THAT(refusal(small("gcn"), [](ModelConfig& c) { c.model = "gnc"; }), HasSubstr("gcn"));
}

TEST(ModelConfig, NamesStandForTheirConfigurations) {
  EXPECT_EQ(model_defaults("hgnet-edgepool"), model_defaults("hgnet"));
  EXPECT_EQ(model_defaults("hgnet-louvain").model, "hgnet");
  EXPECT_EQ(model_defaults("hgnet-louvain").coarsening, Coarsening::kLouvain);
}

/// A value other than the default, for any field.
struct Other {
  void operator()(std::string& field) const { field = "hgnet"; }
  void operator()(bool& field) const { field = !field; }
  void operator()(int& field) const { field += 3; }
  void operator()(std::int64_t& field) const { field += 3; }
  void operator()(std::uint64_t& field) const { field = ~std::uint64_t{0}; }
  void operator()(double& field) const { field = field == 0.1 ? 0.3 : 0.1; }
  void operator()(std::vector<double>& field) const { field = {0.1, 1.0 / 3, 200}; }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(E& field) const {
    for (const auto& [value, name] : EnumNames<E>::values) {
      if (value == field) continue;
      field = value;
      return;
    }
  }
};

TEST(ModelConfigJson, RoundTripKeepsEveryField) {
  EXPECT_EQ(model_config_from_json(to_json(ModelConfig())), ModelConfig());
  EXPECT_EQ(model_config_from_json("{}"), ModelConfig());
  ModelConfig all;
  for_each_field(all, [&](const char* name, auto& field, const char* help, const Readers&) {
    EXPECT_NE(std::string(help), "") << name;
    ModelConfig one;
    for_each_field(one, [&](const char* other, auto& mine, const char*, const Readers&) {
      if (std::string(other) == name) Other()(mine);
    });
    EXPECT_NE(one, ModelConfig()) << name;
    EXPECT_EQ(model_config_from_json(to_json(one)), one) << name;
    Other()(field);
  });
  EXPECT_EQ(model_config_from_json(to_json(all)), all);
}

TEST(ModelConfigJson, AcceptsWhatJsonCallsANumber) {
  EXPECT_EQ(model_config_from_json(R"({"dropout": 0})").dropout, 0.0);
  EXPECT_EQ(model_config_from_json(R"({"keep": [1, 0.5]})").keep, (std::vector<double>{1, 0.5}));
}

TEST(ModelConfigJson, NamesTheFieldThatIsWrong) {
  const auto message = [](const char* json) {
    return test::error_of<Error>([&] { model_config_from_json(json); });
  };
  EXPECT_EQ(message(R"({"hiden": 3})"), "model configuration has an unknown field hiden");
  EXPECT_THAT(message(R"({"hidden": "3"})"),
              HasSubstr("model configuration, field hidden: expected an integer"));
  EXPECT_THAT(message(R"({"hidden": 3.5})"), HasSubstr("field hidden: expected an integer"));
  EXPECT_THAT(message(R"({"residual": 1})"), HasSubstr("model configuration, field residual:"));
  EXPECT_THAT(message(R"({"dropout": "much"})"), HasSubstr("model configuration, field dropout:"));
  EXPECT_THAT(message(R"({"keep": 0.5})"), HasSubstr("model configuration, field keep:"));
  EXPECT_THAT(message(R"({"model": 1})"), HasSubstr("model configuration, field model:"));
  EXPECT_THAT(message(R"({"task": "edge"})"),
              HasSubstr("field task: unknown task 'edge'; expected one of node, graph"));
  EXPECT_THAT(message(R"({"join": 2})"), HasSubstr("model configuration, field join:"));
  EXPECT_THAT(message("{"), HasSubstr("model configuration is not JSON"));
  EXPECT_THAT(message("[]"), HasSubstr("expected a JSON object"));
}

TEST(ModelConfigJson, RefusesIntegersThatTheFieldCannotHold) {
  for (const char* json : {R"({"layers": 4294967298})", R"({"coarsening-seed": -1})",
                           R"({"hidden": 18446744073709551615})"}) {
    EXPECT_THAT(test::error_of<Error>([&] { model_config_from_json(json); }),
                HasSubstr("out of range"))
        << json;
  }
}

}  // namespace
}  // namespace hgnet
