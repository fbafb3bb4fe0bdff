#include "hgnet/train/fit_run.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/machine.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/models/archive.hpp"
#include "hgnet/records/metrics.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/train/inputs.hpp"
#include "hgnet/train/schedule.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;
using test::content_of;
using test::error_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

/// Two classes of 20 graphs each in TU format: rings of 5 to 9 nodes, and the same cut open.
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

class FitRunTest : public ::testing::Test {
 protected:
  FitRunTest() { ::setenv("HGNET_CACHE", (folder.path() / "cache").c_str(), 1); }

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

  /// A record without what depends on the clock.
  static FitRecord timeless(FitRecord record) {
    record.seconds.clear();
    record.peak_memory = 0;
    return record;
  }

  TemporaryFolder folder;
  fs::path data = write_data(folder);
  InputStore store;
};

TEST_F(FitRunTest, WritesItsFolder) {
  FitRunOptions options;
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
  EXPECT_EQ(result.at("machine"), machine());
  EXPECT_GT(result.at("peak_memory"), 10'000'000);
  EXPECT_LE(result.at("peak_memory"), peak_memory());
  const Split split = choose_split(*store.dataset(planned("run").config), "folds:5", 0, 0);
  const auto& seconds = result.at("seconds");
  double sum = 0;
  for (const char* stage : {"load", "prepare", "train", "evaluate", "other"}) {
    EXPECT_GT(seconds.at(stage), 0) << stage;
    sum += seconds.at(stage).get<double>();
  }
  EXPECT_NEAR(seconds.at("total"), sum, 1e-9);
  EXPECT_EQ(result.at("samples").at("train"), split.train.size());
  EXPECT_EQ(result.at("samples").at("test"), split.test.size());
  EXPECT_EQ(result.at("config").at("hidden"), 8);
  EXPECT_FALSE(result.at("config").contains("root"));
  for (const char* part : {"train", "val", "test"}) {
    EXPECT_TRUE(result.at("metrics").at(part).contains("accuracy"));
    EXPECT_TRUE(result.at("metrics").at(part).contains("loss"));
  }
  EXPECT_EQ(result.at("curve").at("val").size(), 6);
  EXPECT_EQ(FitFolder::open(run).config().epochs, 6);
  EXPECT_EQ(FitFolder::open(run).columns().outputs, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(load_model(run / "best.safetensors")->num_parameters(), result.at("parameters"));
  int lines = 0;
  std::istringstream epochs(content_of(run / "epochs.jsonl"));
  for (std::string line; std::getline(epochs, line);)
    EXPECT_EQ(nlohmann::json::parse(line).at("epoch"), ++lines);
  EXPECT_EQ(lines, 6);
  EXPECT_GT(fs::file_size(run / "events.out.tfevents.hgnet"), 100U);
  EXPECT_EQ(FitFolder::open(run).result(), outcome.record);
}

TEST_F(FitRunTest, AFinishedFitGoesOnAsIfItHadNeverStopped) {
  PlannedFit longer = planned("longer");
  longer.config.epochs = 9;
  const FitRecord expected = run_fit(longer, 0, store, {}).record;
  PlannedFit fit = planned("run");
  EXPECT_EQ(run_fit(fit, 0, store, {}).record.epochs, 6);
  fit.config.epochs = 9;
  EXPECT_EQ(run_fit(fit, 0, store, {}).record.epochs, 6);  // not asked to go on
  fit.go_on = true;
  const FitRecord record = run_fit(fit, 0, store, {}).record;
  EXPECT_EQ(timeless(record), timeless(expected));
  EXPECT_EQ(FitFolder::open(fit.folder).config().epochs, 9);
  EXPECT_EQ(timeless(run_fit(fit, 0, store, {}).record), timeless(expected));
}

TEST_F(FitRunTest, AFitWithoutCheckpointCannotGoOn) {
  PlannedFit fit = planned("run");
  fit.keep_checkpoint = false;
  run_fit(fit, 0, store, {});
  fit.config.epochs = 9;
  fit.go_on = true;
  EXPECT_THAT(error_of<Error>([&] { run_fit(fit, 0, store, {}); }), HasSubstr("no checkpoint"));
  EXPECT_TRUE(FitFolder::open(fit.folder).result());
}

TEST_F(FitRunTest, BeginsWithTheWeightsOfAnotherRun) {
  PlannedFit first = planned("first");
  first.config.network.norm = Norm::kNone;  // running statistics would move
  const FitRecord trained = run_fit(first, 0, store, {}).record;
  PlannedFit fit = first;
  fit.folder = folder.path() / "second";
  fit.config.init_from = first.folder.string();
  fit.config.lr = 1e-12;  // so that the weights stay what they are
  fit.config.epochs = 1;
  const FitRecord record = run_fit(fit, 0, store, {}).record;
  EXPECT_NEAR(record.metrics.at("test").at("loss"), trained.metrics.at("test").at("loss"), 1e-4);
  EXPECT_EQ(record.config.at("init-from").text(), "\"first\"") << "no path of this machine";
  EXPECT_TRUE(FitFolder::open(fit.folder).result()) << "the folder has the whole path";
  PlannedFit other = fit;
  other.folder = folder.path() / "third";
  other.config.network.hidden = 4;
  EXPECT_THAT(error_of<Error>([&] { run_fit(other, 0, store, {}); }),
              HasSubstr("init-from: the models differ"));
}

/// The lines of epochs.jsonl.
std::vector<nlohmann::json> epochs_in(const fs::path& fit) {
  std::vector<nlohmann::json> epochs;
  std::istringstream lines(content_of(fit / "epochs.jsonl"));
  for (std::string line; std::getline(lines, line);) epochs.push_back(nlohmann::json::parse(line));
  return epochs;
}

/// Checks that result.json, the returned record and best.safetensors belong to the first best epoch
/// in epochs.jsonl, which is not the last.
void expect_best_epoch(const PlannedFit& fit, InputStore& store) {
  const FitOutcome outcome = run_fit(fit, 0, store, {});
  ASSERT_EQ(outcome.kind, FitOutcome::Kind::kDone) << outcome.error;
  const std::string& metric = outcome.record.metric;
  const std::vector<nlohmann::json> epochs = epochs_in(fit.folder);
  std::size_t best = 0;
  for (std::size_t e = 1; e < epochs.size(); ++e) {
    const double value = epochs[e].at("val").at(metric);
    const double until = epochs[best].at("val").at(metric);
    if (metric == "loss" ? value < until : value > until) best = e;
  }
  ASSERT_LT(best + 1, epochs.size()) << "the best epoch is the last";
  const auto result = nlohmann::json::parse(content_of(fit.folder / "result.json"));
  EXPECT_EQ(result.at("best_epoch"), best + 1);
  EXPECT_EQ(outcome.record.best_epoch, static_cast<int>(best + 1));
  EXPECT_EQ(result.at("epochs"), epochs.size());
  for (const char* part : {"train", "val", "test"}) {
    EXPECT_EQ(result.at("metrics").at(part), epochs[best].at(part)) << part;
    EXPECT_EQ(nlohmann::json(outcome.record.metrics.at(part)), epochs[best].at(part)) << part;
    EXPECT_NE(epochs[best].at(part), epochs.back().at(part)) << part << ": no difference";
  }
  for (std::size_t e = 0; e < epochs.size(); ++e) {
    const nlohmann::json& curve = result.at("curve");
    EXPECT_NEAR(curve.at("test")[e].get<double>(), epochs[e].at("test").at(metric), 1e-5);
    EXPECT_NEAR(curve.at("val_loss")[e].get<double>(), epochs[e].at("val").at("loss"), 1e-4);
  }
  const FitFolder folder = FitFolder::open(fit.folder);
  const auto inputs = store.inputs(folder.config());
  const Split split =
      choose_split(inputs->dataset(), folder.config().split, 0, folder.config().fold);
  const auto model = load_model(folder.best_file());
  const Metrics again = inputs->objective().metrics(
      evaluate(*model, *inputs, split.test, folder.config().batch), split.test);
  EXPECT_NEAR(again.at("loss"), epochs[best].at("test").at("loss"), 1e-6);
}

TEST_F(FitRunTest, ReportsTheBestEpochOfGraphs) {
  PlannedFit fit = planned("graphs");
  fit.config.network.dropout = 0.3;
  fit.config.lr = 0.05;
  fit.config.epochs = 100;
  fit.config.patience = 3;
  expect_best_epoch(fit, store);
  fit.folder = folder.path() / "graphs-by-loss";
  fit.config.metric = "loss";
  expect_best_epoch(fit, store);
}

TEST_F(FitRunTest, ReportsTheBestEpochOfNodes) {
  // Two groups of nodes that are connected only internally; the features say little.
  Generator generator(1);
  std::string nodes = "id,a,b,label,split\n";
  std::string edges = "source,target\n";
  for (int v = 0; v < 60; ++v) {
    const char* split = v % 3 == 0 ? "train" : v % 3 == 1 ? "val" : "test";
    const int group = v / 30;
    nodes += std::to_string(v) + "," + std::to_string(generator.uniform() + 0.2 * group) + "," +
             std::to_string(generator.uniform()) + (group == 0 ? ",x," : ",y,") + split + "\n";
    edges += std::to_string(v) + "," + std::to_string(group * 30 + (v + 7) % 30) + "\n";
  }
  folder.write("net/nodes.csv", nodes);
  folder.write("net/edges.csv", edges);
  PlannedFit fit;
  fit.config.dataset = (folder.path() / "net").string();
  fit.config.network = model_defaults("gcn");
  apply_preset(fit.config, "citation");
  fit.config.network.norm = Norm::kBatch;
  fit.config.lr = 0.05;
  fit.config.epochs = 100;
  fit.config.patience = 3;
  fit.folder = folder.path() / "nodes";
  expect_best_epoch(fit, store);
  fit.folder = folder.path() / "nodes-by-loss";
  fit.config.metric = "loss";
  expect_best_epoch(fit, store);
}

TEST_F(FitRunTest, NumbersDoNotDependOnJobs) {
  const auto run_with = [&](int jobs) {
    std::vector<PlannedFit> fits;
    for (int fold = 0; fold < 4; ++fold)
      fits.push_back(planned("jobs" + std::to_string(jobs) + "-" + std::to_string(fold), fold));
    std::vector<FitRecord> records;
    for (const FitOutcome& outcome : run_fits(fits, jobs, store, {}))
      records.push_back(timeless(outcome.record));
    return records;
  };
  const auto alone = run_with(1);
  EXPECT_EQ(alone, run_with(3));
  EXPECT_NE(alone[0], alone[1]);
}

TEST_F(FitRunTest, StopsAnywhereAndGoesOn) {
  const auto expected = timeless(run_fit(planned("undisturbed"), 0, store, {}).record);
  int stops = 0;
  for (int limit = 1; limit < 30; limit += 2) {
    const PlannedFit fit = planned("stopped-" + std::to_string(limit));
    FitOutcome outcome;
    do {
      int batches = 0;
      FitRunOptions options;
      options.stop = [&] { return ++batches > limit; };
      outcome = run_fit(fit, 0, store, options);
      if (outcome.kind == FitOutcome::Kind::kStopped) ++stops;
    } while (outcome.kind == FitOutcome::Kind::kStopped);
    EXPECT_EQ(timeless(outcome.record), expected) << limit;
  }
  EXPECT_GT(stops, 20);
}

/// Keeps what the batches and the end of a fit report.
class KeptProgress : public ProgressSink {
 public:
  void update(int /*fit*/, const FitProgress& progress) override { updates.push_back(progress); }
  void epoch(int /*fit*/, const FitProgress& /*progress*/) override {}
  void finished(int /*fit*/, const FitProgress& /*progress*/, const std::string& text) override {
    summary = text;
  }
  void message(const std::string& /*line*/) override {}

  std::vector<FitProgress> updates;
  std::string summary;
};

TEST_F(FitRunTest, TellsTheScoreOfOnePartAtTheEnd) {
  KeptProgress sink;
  FitRunOptions options;
  options.sink = &sink;
  const FitRecord record = run_fit(planned("a"), 0, store, options).record;
  const std::string at = " at epoch " + std::to_string(record.best_epoch);
  EXPECT_EQ(sink.summary, "test " + score_with_unit("accuracy", record.score("test")) + at);
  options.told_part = "val";
  run_fit(planned("b"), 0, store, options);
  EXPECT_EQ(sink.summary, "val " + score_with_unit("accuracy", record.score("val")) + at);
}

TEST_F(FitRunTest, TheTimeLeftAfterAResumeCountsOnlyBatchesRunSince) {
  constexpr auto kPause = std::chrono::milliseconds(50);  // a batch takes at least as long
  int batches = 0;
  FitRunOptions options;
  options.stop = [&] { return ++batches == 2; };
  ASSERT_EQ(run_fit(planned("run"), 0, store, options).kind, FitOutcome::Kind::kStopped);
  KeptProgress sink;
  options.sink = &sink;
  options.stop = [&] {
    std::this_thread::sleep_for(kPause);
    return false;
  };
  ASSERT_EQ(run_fit(planned("run"), 0, store, options).kind, FitOutcome::Kind::kDone);
  const FitProgress& second = sink.updates.at(1);  // the first batch of the second epoch
  ASSERT_EQ(second.epoch, 1);
  ASSERT_EQ(second.batch, 1);
  ASSERT_EQ(second.batches, 3);
  // Two of three batches were run, with one pause: an epoch takes 1.5 pauses at least, and there
  // are 4 2/3 epochs left.
  EXPECT_GE(second.seconds_left, 1.5 * 0.05 * (5 - 1.0 / 3));
}

TEST_F(FitRunTest, CutsOffWhatCameAfterTheCheckpoint) {
  const auto expected = timeless(run_fit(planned("undisturbed"), 0, store, {}).record);
  PlannedFit fit = planned("killed");
  int batches = 0;
  FitRunOptions options;
  options.stop = [&] { return ++batches > 9; };
  ASSERT_EQ(run_fit(fit, 0, store, options).kind, FitOutcome::Kind::kStopped);
  // The state after a later kill: more epochs than the checkpoint knows, the last line cut short.
  const fs::path epochs = folder.path() / "killed/epochs.jsonl";
  std::ofstream(epochs, std::ios::app) << content_of(epochs) << "{\"epoch\": 7, \"tra";
  EXPECT_EQ(timeless(run_fit(fit, 0, store, {}).record), expected);
  EXPECT_EQ(run_fit(fit, 0, store, {}).kind,
            FitOutcome::Kind::kDone);  // again: nothing left to do
}

TEST_F(FitRunTest, AFullDiskLeavesTheCheckpointIntact) {
  const PlannedFit fit = planned("full");
  const auto expected = timeless(run_fit(planned("undisturbed"), 0, store, {}).record);
  int batches = 0;
  FitRunOptions options;
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
  EXPECT_EQ(timeless(run_fit(fit, 0, store, {}).record), expected);
}

TEST_F(FitRunTest, OneFailureDoesNotStopTheRest) {
  std::vector<PlannedFit> fits{planned("a"), planned("b"), planned("c")};
  fits[1].config.fold = 17;
  const std::vector<FitOutcome> outcomes = run_fits(fits, 1, store, {});
  EXPECT_EQ(outcomes[0].kind, FitOutcome::Kind::kDone);
  EXPECT_EQ(outcomes[1].kind, FitOutcome::Kind::kFailed);
  EXPECT_THAT(outcomes[1].error, HasSubstr("17"));
  EXPECT_EQ(outcomes[2].kind, FitOutcome::Kind::kDone);
}

TEST_F(FitRunTest, OneProcessAtATime) {
  int batches = 0;
  FitRunOptions stop;
  stop.stop = [&] { return ++batches > 3; };
  ASSERT_EQ(run_fit(planned("shared"), 0, store, stop).kind, FitOutcome::Kind::kStopped);
  {
    const auto mine = FitFolder::lock(folder.path() / "shared");
    EXPECT_THAT(error_of<FitBusy>([&] { run_fit(planned("shared"), 0, store, {}); }),
                HasSubstr("another process is running the fit in"));
    const std::vector<FitOutcome> outcomes =
        run_fits({planned("shared"), planned("own")}, 1, store, {});
    EXPECT_EQ(outcomes[0].kind, FitOutcome::Kind::kBusy);
    EXPECT_EQ(outcomes[1].kind, FitOutcome::Kind::kDone);
  }
  EXPECT_EQ(run_fit(planned("shared"), 0, store, {}).kind, FitOutcome::Kind::kDone);
}

TEST_F(FitRunTest, RefusesFoldersOfOthers) {
  folder.write("taken/notes.txt", "mine");
  EXPECT_THAT(error_of<Error>([&] { run_fit(planned("taken"), 0, store, {}); }),
              HasSubstr("is not empty"));
  folder.write("file", "a file");
  EXPECT_THAT(error_of<Error>([&] { run_fit(planned("file/run"), 0, store, {}); }),
              HasSubstr("cannot create the folder"));
  int batches = 0;
  FitRunOptions stop;
  stop.stop = [&] { return ++batches > 3; };
  run_fit(planned("mine"), 0, store, stop);
  PlannedFit other = planned("mine");
  other.config.lr = 0.5;
  EXPECT_THAT(error_of<Error>([&] { run_fit(other, 0, store, {}); }),
              HasSubstr("a different configuration"));
  EXPECT_THAT(error_of<Error>([&] { FitFolder::open(folder.path() / "taken"); }),
              HasSubstr("holds no fit"));
}

}  // namespace
}  // namespace hgnet
