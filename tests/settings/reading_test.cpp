#include "hgnet/settings/reading.hpp"

#include <gmock/gmock.h>

#include "hgnet/config/model_table.hpp"

namespace hgnet {
namespace {

using ::testing::IsEmpty;

TrainConfig paper_config(const std::string& dataset, const std::string& preset,
                         const std::string& model, const std::string& split = "folds:10") {
  TrainConfig config;
  config.dataset = dataset;
  config.split = split;
  config.model = model;
  config.network = model_defaults(model);
  config.network.molecule = preset == "molecules";
  apply_preset(config, preset);
  return config;
}

TrainConfig as_run(TrainConfig config) {
  read_settings(config, Reading::kAsRun);
  read_names(config, Reading::kAsRun);
  return config;
}

/// The settings in which two configurations differ, but for the reading and the time limit, which
/// as-run always sets.
std::vector<std::string> changes(const TrainConfig& a, const TrainConfig& b) {
  EXPECT_EQ(b.reading, Reading::kAsRun);
  EXPECT_EQ(b.max_hours, 12);
  std::map<std::string, std::string> before;
  std::vector<std::string> changed;
  const auto text = [](const auto& field) {
    std::ostringstream stream;
    if constexpr (std::is_enum_v<std::decay_t<decltype(field)>>) {
      stream << enum_name(field);
    } else if constexpr (std::is_same_v<std::decay_t<decltype(field)>, std::vector<double>>) {
      for (const double value : field) stream << value << " ";
    } else {
      stream << field;
    }
    return stream.str();
  };
  for_each_train_field(a, [&](const std::string& name, const auto& field, const char*) {
    before[name] = text(field);
  });
  for_each_train_field(b, [&](const std::string& name, const auto& field, const char*) {
    if (name != "reading" && name != "max-hours" && before[name] != text(field))
      changed.push_back(name + " " + text(field));
  });
  return changed;
}

std::vector<std::string> effects(const std::string& dataset, const std::string& preset,
                                 const std::string& model, const std::string& split = "folds:10") {
  const TrainConfig written = paper_config(dataset, preset, model, split);
  const TrainConfig run = as_run(written);
  EXPECT_EQ(as_run(run), run) << "applying it twice is applying it once";
  return changes(written, run);
}

using Changes = std::vector<std::string>;

TEST(Reading, OfColorConnectivity) {
  const std::string cc = "color-connectivity";
  const std::string fixed = "dataset cc-grid16:fixed-starts";
  EXPECT_EQ(effects("cc-grid16", cc, "gcn"),
            (Changes{fixed, "broadcast-residual 1", "classifier-hidden 32"}));
  EXPECT_EQ(
      effects("cc-grid16", cc, "gcn-vn"),
      (Changes{fixed, "broadcast-residual 1", "classifier-hidden 32", "virtual-node-residual 1"}));
  EXPECT_EQ(effects("cc-grid16", cc, "g-unet"), (Changes{fixed, "classifier-hidden 32"}));
  EXPECT_EQ(effects("cc-grid16", cc, "hgnet-edgepool"),
            (Changes{fixed, "classifier-hidden 32", "self-loops keep"}));
  EXPECT_EQ(effects("cc-grid16", cc, "hgnet-louvain"),
            (Changes{fixed, "classifier-hidden 32", "edge-weights sum", "pooled-rows before"}));
  EXPECT_EQ(effects("cc-euroroad", cc, "g-unet"),
            (Changes{"dataset cc-euroroad:wrapped-starts", "classifier-hidden 32"}));
  EXPECT_EQ(effects("cc-minnesota", cc, "g-unet"), (Changes{"classifier-hidden 32"}));
}

TEST(Reading, OfCitationNetworks) {
  EXPECT_THAT(effects("cora", "citation", "gcn", "public"), IsEmpty());
  EXPECT_THAT(effects("cora", "citation", "gcn", "sanitized:1"), IsEmpty());
  EXPECT_EQ(effects("cora", "citation", "gcn", "sanitized:2"), (Changes{"split sanitized-walk:2"}));
  EXPECT_EQ(effects("cora", "citation", "gcn-vn", "public"), (Changes{"virtual-node-dropout 1"}));
  EXPECT_EQ(effects("cora", "citation", "hgnet-edgepool", "public"), (Changes{"self-loops keep"}));
}

TEST(Reading, OfTuSetsAndMolecules) {
  for (const char* flat : {"gcn", "gcn-vn", "gat", "cheb", "gin", "g-unet"})
    EXPECT_THAT(effects("NCI1", "tu", flat), IsEmpty());
  EXPECT_EQ(effects("NCI1", "tu", "hgnet-louvain"),
            (Changes{"edge-weights sum", "pooled-rows before"}));
  EXPECT_THAT(effects("ogbg-molhiv", "molecules", "gcn-vn", "scaffold"), IsEmpty());
  EXPECT_EQ(effects("ogbg-molhiv", "molecules", "hgnet-edgepool", "scaffold"),
            (Changes{"edge-weights sum"}));
  EXPECT_EQ(effects("ogbg-molhiv", "molecules", "hgnet-louvain", "scaffold"),
            (Changes{"edge-weights sum", "pooled-rows before"}));
}

TEST(Reading, DiffersWhereItMakesADifference) {
  const auto differs = [](const std::string& dataset, const std::string& preset,
                          const std::string& model, int depth, const std::string& split) {
    TrainConfig config = paper_config(dataset, preset, model, split);
    config.network.layers = config.network.levels = depth;
    EXPECT_EQ(readings_differ(as_run(config)), readings_differ(config));
    return readings_differ(config);
  };
  TrainConfig gin = paper_config("NCI1", "tu", "hgnet-edgepool");
  gin.network.levels = 1;
  EXPECT_FALSE(readings_differ(gin));
  gin.network.layer = LayerKind::kGin;  // which counts a self-loop as a neighbour
  EXPECT_TRUE(readings_differ(gin));
  for (const int depth : {1, 2, 3}) {
    SCOPED_TRACE(depth);
    // Coarse graphs are coarsened anew from the second level on, and a virtual node acts between
    // layers.
    EXPECT_EQ(differs("cora", "citation", "hgnet-edgepool", depth, "public"), depth > 1);
    EXPECT_EQ(differs("cora", "citation", "gcn-vn", depth, "public"), depth > 1);
    EXPECT_TRUE(differs("cora", "citation", "hgnet-louvain", depth, "public"));
    EXPECT_TRUE(differs("cora", "citation", "gcn", depth, "sanitized:2"));
    EXPECT_FALSE(differs("cora", "citation", "gcn", depth, "sanitized:1"));
    EXPECT_FALSE(differs("NCI1", "tu", "gin", depth, "folds:10"));
    EXPECT_TRUE(differs("cc-minnesota", "color-connectivity", "gin", depth, "folds:10"));
    EXPECT_TRUE(differs("ogbg-molhiv", "molecules", "hgnet-edgepool", depth, "scaffold"));
    EXPECT_FALSE(differs("ogbg-molhiv", "molecules", "gcn-vn", depth, "scaffold"));
  }
}

/// An effect applied by itself changes one setting; and no effect is without a fit of the paper.
TEST(Reading, EveryEffectAloneChangesOneSetting) {
  std::vector<TrainConfig> fits;
  for (const std::string& model : model_names()) {
    fits.push_back(paper_config("cora", "citation", model, "sanitized:2"));
    fits.push_back(paper_config("NCI1", "tu", model));
    fits.push_back(paper_config("ogbg-molhiv", "molecules", model, "scaffold"));
    for (const char* dataset : {"cc-grid16", "cc-euroroad"})
      fits.push_back(paper_config(dataset, "color-connectivity", model));
  }
  for (const auto effects : {reading_effects_on_names(), reading_effects_on_settings()}) {
    for (const ReadingEffect& effect : effects) {
      SCOPED_TRACE(effect.where);
      int concerned = 0;
      for (const TrainConfig& fit : fits) {
        if (!effect.concerns(fit)) continue;
        ++concerned;
        TrainConfig alone = fit;
        alone.reading = Reading::kAsRun;
        alone.max_hours = 12;
        effect.apply(alone);
        EXPECT_EQ(changes(fit, alone).size(), effect.tells_apart ? 1U : 0U) << fit.model;
      }
      EXPECT_GT(concerned, 0);
    }
  }
}

TEST(Reading, AsWrittenChangesNothing) {
  const TrainConfig config = paper_config("cc-grid16", "color-connectivity", "gcn-vn");
  TrainConfig same = config;
  read_settings(same, Reading::kAsWritten);
  read_names(same, Reading::kAsWritten);
  EXPECT_EQ(same, config);
}

TEST(Reading, NamesGoBack) {
  EXPECT_EQ(dataset_as_written("cc-grid16:fixed-starts"), "cc-grid16");
  EXPECT_EQ(dataset_as_written("cc-euroroad:wrapped-starts"), "cc-euroroad");
  EXPECT_EQ(dataset_as_written("my:fixed-starts"), "my:fixed-starts");
  EXPECT_EQ(split_as_written("sanitized-walk:2"), "sanitized:2");
  EXPECT_EQ(split_as_written("folds:10"), "folds:10");
}

}  // namespace
}  // namespace hgnet
