#include "hgnet/train/run.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/data/tu_writer.hpp"
#include "hgnet/models/archive.hpp"
#include "hgnet/train/summary.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;
using test::content_of;
using test::error_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

/// Two classes of 20 graphs each in TU form: rings of 5 to 9 nodes, and the same cut open.
fs::path write_data(const TemporaryFolder& folder) {
  std::string edges, indicator, labels;
  int node = 0;
  for (int g = 0; g < 40; ++g) {
    const int nodes = 5 + g / 2 % 5;
    for (int v = 0; v < nodes; ++v) {
      indicator += std::to_string(g + 1) + "\n";
      if (v + 1 == nodes && g % 2 == 1) continue;
      const std::string a = std::to_string(node + v + 1);
      const std::string b = std::to_string(node + (v + 1) % nodes + 1);
      edges += a + ", " + b + "\n" + b + ", " + a + "\n";
    }
    node += nodes;
    labels += std::to_string(g % 2) + "\n";
  }
  folder.write("RINGS/RINGS_A.txt", edges);
  folder.write("RINGS/RINGS_graph_indicator.txt", indicator);
  folder.write("RINGS/RINGS_graph_labels.txt", labels);
  return folder.path() / "RINGS";
}

class RunTest : public ::testing::Test {
 protected:
  RunTest() { ::setenv("HGNET_CACHE", (folder.path() / "cache").c_str(), 1); }

  PlannedFit planned(const std::string& name, int fold = 0, std::uint64_t seed = 1) const {
    PlannedFit fit;
    fit.config.dataset = data.string();
    fit.config.model = "hgnet-edgepool";
    fit.config.network = model_defaults("hgnet-edgepool");
    apply_preset(fit.config, "tu");
    fit.config.network.hidden = 8;
    fit.config.epochs = 6;
    fit.config.batch = 8;
    fit.config.fold = fold;
    fit.config.split = "folds:5";
    fit.config.seed = seed;
    fit.folder = folder.path() / name;
    fit.label = name;
    return fit;
  }

  /// A result without what depends on the clock.
  static nlohmann::json timeless(const std::string& result) {
    nlohmann::json json = nlohmann::json::parse(result);
    json.erase("seconds");
    return json;
  }

  TemporaryFolder folder;
  fs::path data = write_data(folder);
  InputStore store;
};

TEST_F(RunTest, WritesItsFolder) {
  RunOptions options;
  options.command = "hgnet train --dataset RINGS";
  const FitOutcome outcome = run_fit(planned("run"), 0, store, options);
  ASSERT_EQ(outcome.kind, FitOutcome::Kind::kDone) << outcome.error;
  const fs::path run = folder.path() / "run";
  const auto result = nlohmann::json::parse(content_of(run / "result.json"));
  EXPECT_EQ(result.at("dataset"), "RINGS");
  EXPECT_EQ(result.at("model"), "hgnet-edgepool");
  EXPECT_EQ(result.at("seed"), 1);
  EXPECT_EQ(result.at("fold"), 0);
  EXPECT_EQ(result.at("epochs"), 6);
  EXPECT_EQ(result.at("command"), "hgnet train --dataset RINGS");
  EXPECT_EQ(result.at("config").at("hidden"), 8);
  EXPECT_FALSE(result.at("config").contains("root"));
  for (const char* part : {"train", "val", "test"}) {
    EXPECT_TRUE(result.at("metrics").at(part).contains("accuracy"));
    EXPECT_TRUE(result.at("metrics").at(part).contains("loss"));
  }
  EXPECT_EQ(result.at("curve").at("val").size(), 6);
  EXPECT_EQ(RunFolder::open(run).config().epochs, 6);
  EXPECT_EQ(RunFolder::open(run).columns().outputs, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(load_model(run / "best.safetensors")->num_parameters(), result.at("parameters"));
  int lines = 0;
  std::istringstream epochs(content_of(run / "epochs.jsonl"));
  for (std::string line; std::getline(epochs, line);)
    EXPECT_EQ(nlohmann::json::parse(line).at("epoch"), ++lines);
  EXPECT_EQ(lines, 6);
  EXPECT_GT(fs::file_size(run / "events.out.tfevents.hgnet"), 100U);
}

TEST_F(RunTest, NumbersDoNotDependOnJobs) {
  const auto run_with = [&](int jobs) {
    std::vector<PlannedFit> fits;
    for (int fold = 0; fold < 4; ++fold)
      fits.push_back(planned("jobs" + std::to_string(jobs) + "-" + std::to_string(fold), fold));
    RunOptions options;
    options.jobs = jobs;
    std::vector<nlohmann::json> results;
    for (const FitOutcome& outcome : run_fits(fits, store, options))
      results.push_back(timeless(outcome.result));
    return results;
  };
  const auto alone = run_with(1);
  EXPECT_EQ(alone, run_with(3));
  EXPECT_NE(alone[0], alone[1]);
}

TEST_F(RunTest, StopsAnywhereAndGoesOn) {
  const auto expected = timeless(run_fit(planned("undisturbed"), 0, store, {}).result);
  int stops = 0;
  for (int limit = 1; limit < 30; limit += 2) {
    const PlannedFit fit = planned("stopped-" + std::to_string(limit));
    FitOutcome outcome;
    do {
      int batches = 0;
      RunOptions options;
      options.stop = [&] { return ++batches > limit; };
      outcome = run_fit(fit, 0, store, options);
      if (outcome.kind == FitOutcome::Kind::kStopped) ++stops;
    } while (outcome.kind == FitOutcome::Kind::kStopped);
    EXPECT_EQ(timeless(outcome.result), expected) << limit;
  }
  EXPECT_GT(stops, 20);
}

TEST_F(RunTest, CutsOffWhatCameAfterTheCheckpoint) {
  const auto expected = timeless(run_fit(planned("undisturbed"), 0, store, {}).result);
  PlannedFit fit = planned("killed");
  int batches = 0;
  RunOptions options;
  options.stop = [&] { return ++batches > 9; };
  ASSERT_EQ(run_fit(fit, 0, store, options).kind, FitOutcome::Kind::kStopped);
  // As a kill later on leaves it: more epochs than the checkpoint knows of, the last line cut short.
  const fs::path epochs = folder.path() / "killed/epochs.jsonl";
  std::ofstream(epochs, std::ios::app) << content_of(epochs) << "{\"epoch\": 7, \"tra";
  EXPECT_EQ(timeless(run_fit(fit, 0, store, {}).result), expected);
  EXPECT_EQ(run_fit(fit, 0, store, {}).kind,
            FitOutcome::Kind::kDone);  // and again: nothing left to do
}

TEST_F(RunTest, AFullDiskLeavesTheCheckpointIntact) {
  const PlannedFit fit = planned("full");
  const auto expected = timeless(run_fit(planned("undisturbed"), 0, store, {}).result);
  int batches = 0;
  RunOptions options;
  options.stop = [&] { return ++batches > 9; };
  ASSERT_EQ(run_fit(fit, 0, store, options).kind, FitOutcome::Kind::kStopped);
  const std::string checkpoint = content_of(folder.path() / "full/checkpoint.safetensors");

  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{2000, old.rlim_max};  // less than a checkpoint
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = error_of<Error>([&] { run_fit(fit, 0, store, {}); });
  ::setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_THAT(message, HasSubstr("cannot write "));
  EXPECT_THAT(message, HasSubstr((folder.path() / "full").string()));
  EXPECT_EQ(content_of(folder.path() / "full/checkpoint.safetensors"), checkpoint);
  EXPECT_EQ(timeless(run_fit(fit, 0, store, {}).result), expected);
}

TEST_F(RunTest, OneFailureDoesNotStopTheRest) {
  std::vector<PlannedFit> fits{planned("a"), planned("b"), planned("c")};
  fits[1].config.fold = 17;
  const std::vector<FitOutcome> outcomes = run_fits(fits, store, {});
  EXPECT_EQ(outcomes[0].kind, FitOutcome::Kind::kDone);
  EXPECT_EQ(outcomes[1].kind, FitOutcome::Kind::kFailed);
  EXPECT_THAT(outcomes[1].error, HasSubstr("17"));
  EXPECT_EQ(outcomes[2].kind, FitOutcome::Kind::kDone);
  const auto summary = nlohmann::json::parse(summarise(outcomes));
  EXPECT_EQ(summary.at("fits"), 3);
  EXPECT_EQ(summary.at("done"), 2);
  EXPECT_EQ(summary.at("failed"), 1);
}

TEST_F(RunTest, SummaryHasMeanAndSampleDeviation) {
  const auto outcome = [](double accuracy) {
    const nlohmann::json json{{"dataset", "d"},
                              {"model", "m"},
                              {"split", "s"},
                              {"metric", "accuracy"},
                              {"parameters", 3},
                              {"seed", 0},
                              {"fold", 0},
                              {"best_epoch", 1},
                              {"epochs", 2},
                              {"metrics", {{"test", {{"accuracy", accuracy}}}}},
                              {"seconds", {{"total", 1}}}};
    return FitOutcome{FitOutcome::Kind::kDone, json.dump(), {}};
  };
  const auto summary = nlohmann::json::parse(summarise({outcome(0.5), outcome(0.7), outcome(0.9)}));
  const auto& accuracy = summary.at("metrics").at("test").at("accuracy");
  EXPECT_DOUBLE_EQ(accuracy.at("mean"), 0.7);
  EXPECT_NEAR(accuracy.at("std"), 0.2, 1e-12);
  EXPECT_EQ(accuracy.at("values").size(), 3);
}

TEST_F(RunTest, OneProcessAtATime) {
  int batches = 0;
  RunOptions stop;
  stop.stop = [&] { return ++batches > 3; };
  ASSERT_EQ(run_fit(planned("shared"), 0, store, stop).kind, FitOutcome::Kind::kStopped);
  {
    const auto mine = RunFolder::lock(folder.path() / "shared");
    EXPECT_THAT(error_of<RunBusy>([&] { run_fit(planned("shared"), 0, store, {}); }),
                HasSubstr("another process is at work on the run in"));
    const std::vector<FitOutcome> outcomes =
        run_fits({planned("shared"), planned("own")}, store, {});
    EXPECT_EQ(outcomes[0].kind, FitOutcome::Kind::kBusy);
    EXPECT_EQ(outcomes[1].kind, FitOutcome::Kind::kDone);
  }
  EXPECT_EQ(run_fit(planned("shared"), 0, store, {}).kind, FitOutcome::Kind::kDone);
}

TEST_F(RunTest, RefusesFoldersOfOthers) {
  folder.write("taken/notes.txt", "mine");
  EXPECT_THAT(error_of<Error>([&] { run_fit(planned("taken"), 0, store, {}); }),
              HasSubstr("is not empty"));
  folder.write("file", "a file");
  EXPECT_THAT(error_of<Error>([&] { run_fit(planned("file/run"), 0, store, {}); }),
              HasSubstr("cannot make the folder"));
  int batches = 0;
  RunOptions stop;
  stop.stop = [&] { return ++batches > 3; };
  run_fit(planned("mine"), 0, store, stop);
  PlannedFit other = planned("mine");
  other.config.lr = 0.5;
  EXPECT_THAT(error_of<Error>([&] { run_fit(other, 0, store, {}); }),
              HasSubstr("another configuration"));
  EXPECT_THAT(error_of<Error>([&] { RunFolder::open(folder.path() / "taken"); }),
              HasSubstr("holds no run"));
}

}  // namespace
}  // namespace hgnet
