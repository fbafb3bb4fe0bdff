// Fits on a small data set of one's own, for tests of what is done with trained models.

#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "hgnet/config/model_table.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/train/fit_run.hpp"
#include "support/files.hpp"

namespace hgnet::test {

/// A path of 24 nodes; the first half is dogs, the second cats. The columns are a number and
/// another.
class PathRunTest : public ::testing::Test {
 protected:
  PathRunTest() {
    ::setenv("HGNET_CACHE", (folder.path() / "cache").c_str(), 1);
    write("data", "id,height,age,label",
          [](int v) { return number(v) + "," + number(30 - v) + (v < 12 ? ",dog" : ",cat"); });
  }

  static std::string number(int v) { return std::to_string(v) + ".5"; }

  template <class Cells>
  void write(const std::string& name, const std::string& head, const Cells& cells) const {
    std::string nodes = head + "\n";
    std::string edges = "source,target\n";
    for (int v = 0; v < 24; ++v) {
      nodes += std::to_string(v) + "," + cells(v) + "\n";
      if (v > 0) edges += std::to_string(v - 1) + "," + std::to_string(v) + "\n";
    }
    folder.write(name + "/nodes.csv", nodes);
    folder.write(name + "/edges.csv", edges);
  }

  /// On three of four folds, into the folder `name`.
  void train(const std::string& name, const std::string& model, int fold, bool standardise = false,
             const std::function<void(TrainConfig&)>& change = {}) {
    PlannedFit fit;
    fit.config.dataset = (folder.path() / "data").string();
    fit.config.model = model;
    fit.config.network = model_defaults(model);
    apply_preset(fit.config, "citation");
    fit.config.network.hidden = 8;
    fit.config.epochs = 3;
    fit.config.split = "folds:4";
    fit.config.standardise = standardise;
    fit.config.fold = fold;
    fit.config.seed = static_cast<std::uint64_t>(fold);
    if (change) change(fit.config);
    fit.folder = folder.path() / name;
    const FitOutcome outcome = run_fit(fit, 0, store, {});
    ASSERT_EQ(outcome.kind, FitOutcome::Kind::kDone) << outcome.error;
  }

  Dataset data(const std::string& name) const {
    return load_dataset((folder.path() / name).string());
  }

  TemporaryFolder folder;
  InputStore store;
};

}  // namespace hgnet::test
