// Columns of edges from a table to predictions: encoded by the training part, kept with the run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "hgnet/config/model_table.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/train/data_use.hpp"
#include "hgnet/train/fit_run.hpp"
#include "hgnet/train/inputs.hpp"
#include "hgnet/train/predictor.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/runs.hpp"

namespace hgnet {
namespace {

using test::error_of;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kGraphs = 60;
constexpr int kRing = 10;

/// Rings of ten nodes, all alike but for a column of their edges. It tells the class: roads of
/// which most are wide or narrow, or lengths around 110 or 90.
class EdgeColumns : public ::testing::Test {
 protected:
  EdgeColumns() {
    ::setenv("HGNET_CACHE", (folder.path() / "cache").c_str(), 1);
    write("roads", "road", [](bool yes, int place, Generator&) {
      return std::string(yes == (place < 7) ? "wide" : "narrow");
    });
    write("lengths", "length", [](bool yes, int, Generator& generator) {
      return std::to_string((yes ? 110 : 90) + 20 * (generator.uniform() - 0.5));
    });
  }

  template <class Cell>
  void write(const std::string& name, const std::string& column, const Cell& cell) const {
    Generator generator(7);
    std::string nodes = "id,graph\n";
    std::string edges = "graph,source,target," + column + "\n";
    std::string graphs = "graph,label,split\n";
    for (int g = 0; g < kGraphs; ++g) {
      const std::string graph = "g" + std::to_string(g);
      const bool yes = g % 2 == 0;
      graphs += graph + (yes ? ",yes," : ",no,") + (g < 40 ? "train" : g < 50 ? "val" : "test");
      graphs += "\n";
      std::vector<int> places(kRing);
      std::iota(places.begin(), places.end(), 0);
      generator.shuffle<int>(places);
      for (int v = 0; v < kRing; ++v) {
        nodes += std::to_string(v) + "," + graph + "\n";
        edges += graph + "," + std::to_string(v) + "," + std::to_string((v + 1) % kRing) + "," +
                 cell(yes, places[v], generator) + "\n";
      }
    }
    folder.write(name + "/nodes.csv", nodes);
    folder.write(name + "/edges.csv", edges);
    folder.write(name + "/graphs.csv", graphs);
  }

  PlannedFit planned(const std::string& data, const std::string& model,
                     EdgeFeatures use = EdgeFeatures::kAuto) const {
    PlannedFit fit;
    fit.config.dataset = place(data);
    fit.config.model = model;
    fit.config.network = model_defaults(model);
    apply_preset(fit.config, "tu");
    if (!model_row(model).yardstick()) fit.config.network.hidden = 16;
    if (model_row(model).frame == Frame::kHgnet) fit.config.network.join = JoinKind::kParent;
    fit.config.edge_features = use;
    fit.config.standardise = true;
    fit.config.missing = Missing::kMean;
    fit.config.lr = 0.01;
    fit.config.epochs = 40;
    fit.folder = folder.path() / ("run-" + data + "-" + model + std::string(enum_name(use)));
    return fit;
  }

  void train(const PlannedFit& fit) {
    const FitOutcome outcome = run_fit(fit, 0, store, {});
    ASSERT_EQ(outcome.kind, FitOutcome::Kind::kDone) << outcome.error;
  }

  std::string place(const std::string& data) const { return (folder.path() / data).string(); }

  /// Share of the test graphs whose class is predicted, by the run on its own data read anew.
  double test_accuracy(const PlannedFit& fit) const {
    const Dataset dataset = load_dataset(fit.config.dataset);
    const Predictions predictions = Predictor(fit.folder).predict(dataset);
    double right = 0;
    for (int g = 50; g < kGraphs; ++g)
      right += predictions.class_of(g) == dataset.class_names[dataset.classes[g]] ? 1 : 0;
    return right / 10;
  }

  test::TemporaryFolder folder;
  InputStore store;
};

TEST_F(EdgeColumns, TellClassesThatNothingElseTells) {
  for (const char* data : {"roads", "lengths"}) {
    for (const char* model : {"gcn", "gin", "hgnet-edgepool", "hgnet-louvain"}) {
      SCOPED_TRACE(std::string(data) + ", " + model);
      train(planned(data, model));
      EXPECT_GE(test_accuracy(planned(data, model)), 0.9);
    }
  }
  train(planned("roads", "wl"));
  EXPECT_GE(test_accuracy(planned("roads", "wl")), 0.9);
}

TEST_F(EdgeColumns, TellNothingWhereTheyAreIgnored) {
  for (const char* model : {"gcn", "hgnet-edgepool", "wl"}) {
    SCOPED_TRACE(model);
    const PlannedFit fit = planned("roads", model, EdgeFeatures::kIgnore);
    train(fit);
    EXPECT_EQ(test_accuracy(fit), 0.5) << "all graphs look the same";
  }
  train(planned("roads", "gat"));
  EXPECT_EQ(test_accuracy(planned("roads", "gat")), 0.5);
}

TEST_F(EdgeColumns, AreUsedByDefaultOfOwnDataByTheModelsThatCan) {
  const Dataset dataset = load_dataset(place("roads"));
  const auto inputs = [&](const std::string& model, EdgeFeatures use, bool own = true) {
    TrainConfig config = planned("roads", model, use).config;
    Dataset named = dataset;
    named.own = own;
    complete(config, named);
    EXPECT_NE(config.edge_features, EdgeFeatures::kAuto);
    return config.network.edge_inputs;
  };
  EXPECT_EQ(inputs("gin", EdgeFeatures::kAuto), 2) << "narrow and wide";
  EXPECT_EQ(inputs("gin", EdgeFeatures::kAuto, false), 0) << "a data set by name";
  EXPECT_EQ(inputs("gin", EdgeFeatures::kUse, false), 2);
  EXPECT_EQ(inputs("gin", EdgeFeatures::kIgnore), 0);
  EXPECT_EQ(inputs("gat", EdgeFeatures::kUse), 0);
  EXPECT_EQ(inputs("hgnet-top-k", EdgeFeatures::kUse), 0);
}

TEST_F(EdgeColumns, AreNamedWhereAModelIgnoresThem) {
  const Dataset dataset = load_dataset(place("roads"));
  ModelConfig gin = model_defaults("gin");
  EXPECT_THAT(ignored_by(gin, dataset),
              ElementsAre("ignored: edge column 'road'; the setting edge-features = use takes it"));
  gin.edge_inputs = 2;
  EXPECT_THAT(ignored_by(gin, dataset), IsEmpty());
  EXPECT_THAT(ignored_by(model_defaults("mlp"), dataset),
              ElementsAre("ignored: edge column 'road', which mlp does not read"));
  EXPECT_THAT(ignored_by(model_defaults("hgnet-top-k"), dataset),
              ElementsAre("ignored: edge column 'road', which hgnet-top-k does not read"));
  ModelConfig attention = model_defaults("hgnet");
  attention.layer = LayerKind::kGat;
  EXPECT_THAT(ignored_by(attention, dataset),
              ElementsAre(HasSubstr("which hgnet-edgepool with layer gat does not read")));
}

/// A graph of its own has categories of its own numbers, and columns in any order.
TEST_F(EdgeColumns, AreFoundByNameAndCategory) {
  const PlannedFit fit = planned("roads", "gin");
  train(fit);
  const Predictor predictor(fit.folder);
  EXPECT_THAT(predictor.edge_feature_names(), ElementsAre("road"));
  const auto predict = [&](const std::string& road, const std::string& header,
                           const std::string& before) {
    std::string nodes = "id,graph\n";
    std::string edges = header + "\n";
    for (int v = 0; v < kRing; ++v) {
      nodes += std::to_string(v) + ",g\n";
      edges += before + std::to_string(v) + "," + std::to_string((v + 1) % kRing) + "," +
               (v < 5 ? road : "wide") + "\n";
    }
    folder.write("other/nodes.csv", nodes);
    folder.write("other/edges.csv", edges);
    folder.write("other/graphs.csv", "graph\ng\n");
    return predictor.predict(load_dataset(place("other")));
  };
  const Predictions wide = predict("wide", "source,target,road", "");
  const Predictions reordered = predict("wide", "age,source,target,road", "3,");
  EXPECT_EQ(wide.class_of(0), "yes");
  EXPECT_EQ(reordered.values, wide.values);
  EXPECT_THAT(reordered.notes,
              Contains("ignored: edge column 'age', which the model was not trained on"));
  const Predictions narrow = predict("narrow", "source,target,road", "");
  EXPECT_NE(narrow.values, wide.values);
  // Another category is neither; a missing cell is the mean of what was seen.
  const Predictions unseen = predict("path", "source,target,road", "");
  const Predictions missing = predict("", "source,target,road", "");
  for (const Predictions* other : {&unseen, &missing}) {
    EXPECT_NE(other->values, wide.values);
    EXPECT_NE(other->values, narrow.values);
  }
  EXPECT_THAT(error_of<Mismatch>([&] { predict("wide", "source,target,lane", ""); }),
              HasSubstr("there is no edge column 'road'"));
}

TEST_F(EdgeColumns, GoWithAGraphToThePredictor) {
  const PlannedFit fit = planned("lengths", "hgnet-edgepool");
  train(fit);
  const Predictor predictor(fit.folder);
  const Dataset dataset = load_dataset(place("lengths"));
  const Predictions all = predictor.predict(dataset);
  std::vector<float> degrees;  // one-hot; every node has two neighbours
  for (int v = 0; v < kRing; ++v) degrees.insert(degrees.end(), {0, 0, 1});
  for (const int g : {0, 1, 55}) {
    const Predictions one = predictor.predict(dataset.graphs[g], degrees);
    for (const std::size_t c : {0, 1}) EXPECT_NEAR(one.row(0)[c], all.row(g)[c], 1e-5);
  }
  GraphParts parts = dataset.graphs[0].parts();
  parts.edge_rows.clear();
  parts.edge_row_width = 0;
  EXPECT_EQ(error_of<Error>([&] { predictor.predict(Graph::adopt(std::move(parts)), degrees); }),
            "predict: edges have 0 features; expected 1");
}

TEST_F(EdgeColumns, AreRefusedWithMissingCellsOnlyWhereTheyAreRead) {
  write("gaps", "length", [](bool, int place, Generator&) { return place == 3 ? "" : "5"; });
  const auto encode = [&](const std::string& model) {
    TrainConfig config = planned("gaps", model).config;
    config.missing = Missing::kError;
    complete(config, *store.dataset(config));
    store.inputs(config);
  };
  EXPECT_THAT(error_of<InvalidDataset>([&] { encode("gcn"); }),
              HasSubstr("edge column 'length' has a missing cell, of an edge of graph 0"));
  EXPECT_NO_THROW(encode("gat"));
}

TEST_F(EdgeColumns, AreEncodedByTheTrainingPartAndCountInTheFingerprint) {
  const auto inputs = [&](EdgeFeatures use, int fold) {
    TrainConfig config = planned("lengths", "gin", use).config;
    config.split = "folds:5";
    config.fold = fold;
    complete(config, *store.dataset(config));
    return store.inputs(config);
  };
  const auto first = inputs(EdgeFeatures::kUse, 0);
  const auto second = inputs(EdgeFeatures::kUse, 1);
  const auto ignored = inputs(EdgeFeatures::kIgnore, 0);
  ASSERT_EQ(first->encoding().edges.size(), 1U);
  EXPECT_NEAR(first->encoding().edges[0].standard.mean, 100, 2);
  EXPECT_NE(first->encoding().edges, second->encoding().edges);
  EXPECT_NE(first->fingerprint().at("graphs"), second->fingerprint().at("graphs"));
  EXPECT_NE(first->fingerprint().at("graphs"), ignored->fingerprint().at("graphs"));
  EXPECT_THAT(ignored->encoding().edges, IsEmpty());
}

TEST_F(EdgeColumns, OfAStoppedFitContinueWithTheSameBits) {
  PlannedFit whole = planned("lengths", "hgnet-louvain");
  whole.config.epochs = 4;
  PlannedFit parts = whole;
  parts.folder = folder.path() / "stopped";
  train(whole);
  int calls = 0;
  FitRunOptions stopping;
  stopping.stop = [&] { return ++calls > 5; };
  ASSERT_EQ(run_fit(parts, 0, store, stopping).kind, FitOutcome::Kind::kStopped);
  train(parts);
  EXPECT_EQ(test::run_outcome(parts.folder), test::run_outcome(whole.folder));
}

}  // namespace
}  // namespace hgnet
