// Runs whose files, settings or data were touched between two calls.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "core/json_checksum.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/train/fit_run.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "settings/epoch_json.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;
using test::content_of;
using test::error_of;
using test::TemporaryFolder;
using testing::HasSubstr;

class TouchedRun : public testing::Test {
 protected:
  TouchedRun() {
    write_data("a", "b");
    ::setenv("HGNET_CACHE", (folder.path() / "cache").c_str(), 1);
    fit.config.dataset = (folder.path() / "net").string();
    fit.config.network = model_defaults("gcn");
    apply_preset(fit.config, "citation");
    fit.config.epochs = 6;
    fit.folder = folder.path() / "run";
  }

  /// A ring of 24 nodes in two classes.
  void write_data(const std::string& even, const std::string& odd) const {
    std::string nodes = "id,x,label,split\n";
    std::string edges = "source,target\n";
    for (int v = 0; v < 24; ++v) {
      const char* split = v % 3 == 0 ? "train" : v % 3 == 1 ? "val" : "test";
      nodes += std::to_string(v) + "," + std::to_string(v % 5) + "," + (v % 2 == 0 ? even : odd) +
               "," + split + "\n";
      edges += std::to_string(v) + "," + std::to_string((v + 1) % 24) + "\n";
    }
    folder.write("net/nodes.csv", nodes);
    folder.write("net/edges.csv", edges);
  }

  /// Runs so many epochs of the fit, then stops.
  void begin(int epochs) {
    FitRunOptions options;
    options.stop = [left = epochs]() mutable { return left-- == 0; };
    InputStore store;
    ASSERT_EQ(run_fit(fit, 0, store, options).kind, FitOutcome::Kind::kStopped);
  }

  /// Goes on as the program does: with the settings in the folder.
  FitOutcome resume() const {
    PlannedFit again = fit;
    again.config = FitFolder::open(fit.folder).config();
    InputStore store;
    return run_fit(again, 0, store, {});
  }

  std::string resume_error() const {
    return error_of<Error>([&] { resume(); });
  }

  void edit(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = content_of(fit.folder / file);
    ASSERT_NE(text.find(from), std::string::npos) << text;
    text.replace(text.find(from), from.size(), to);
    write_atomically(fit.folder / file, text);
  }

  /// As in a run that is made to deceive.
  void renew_checksum() const {
    auto tree = nlohmann::json::parse(content_of(fit.folder / "columns.json"));
    tree[kJsonChecksum] = json_checksum(tree);
    write_atomically(fit.folder / "columns.json", tree.dump());
  }

  TemporaryFolder folder;
  PlannedFit fit;
};

TEST_F(TouchedRun, EditedSettingsAreRefused) {
  begin(3);
  const std::string good = content_of(fit.folder / "config.toml");
  for (const auto& [from, to] : {std::pair("\nlr = 0.005", "\nlr = 0.5"),
                                 {"\nseed = 0", "\nseed = 7"},
                                 {"split = \"own\"", "split = \"random:0.5,0.2,0.3\""},
                                 {"hidden = 32", "hidden = 16"}}) {
    edit("config.toml", from, to);
    EXPECT_THAT(resume_error(),
                HasSubstr("run/checkpoint.safetensors: not a checkpoint of this fit: "
                          "the settings have changed"));
    write_atomically(fit.folder / "config.toml", good);
  }
  EXPECT_EQ(resume().kind, FitOutcome::Kind::kDone);
}

TEST_F(TouchedRun, MoreEpochsAreNoEdit) {
  fit.config.epochs = 9;
  fit.folder = folder.path() / "nine";
  InputStore store;
  const FitRecord expected = run_fit(fit, 0, store, {}).record;
  fit.config.epochs = 6;
  fit.folder = folder.path() / "run";
  begin(3);
  edit("config.toml", "epochs = 6", "epochs = 9");
  const FitRecord record = resume().record;
  EXPECT_EQ(record.metrics, expected.metrics);
  EXPECT_EQ(record.curve, expected.curve);
  EXPECT_EQ(record.epochs, 9);
}

TEST_F(TouchedRun, ChangedDataAreRefused) {
  begin(3);
  write_data("b", "a");
  EXPECT_THAT(resume_error(),
              testing::ContainsRegex(
                  "the data have changed since it began: targets of .*net have other checksums"));
  write_data("a", "b");
  EXPECT_EQ(resume().kind, FitOutcome::Kind::kDone);
}

TEST_F(TouchedRun, AResultOfOtherSettingsIsRefused) {
  InputStore store;
  run_fit(fit, 0, store, {});
  edit("config.toml", "\nseed = 0", "\nseed = 7");
  EXPECT_THAT(resume_error(),
              HasSubstr("result.json: the fit ran with seed 0, but config.toml has 7"));
}

TEST_F(TouchedRun, AFolderOfAStartThatWasKilledIsFree) {
  folder.write("run/columns.json", "{");
  folder.write("run/columns.json.123-1", "{");
  folder.write("run/config.toml.123-2", "datas");
  EXPECT_TRUE(FitFolder::is_free(fit.folder));
  InputStore store;
  EXPECT_EQ(run_fit(fit, 0, store, {}).kind, FitOutcome::Kind::kDone);
  EXPECT_FALSE(FitFolder::is_free(fit.folder));
  EXPECT_EQ(FitFolder::open(fit.folder).columns().outputs, (std::vector<std::string>{"a", "b"}));
  folder.write("other/columns.json", "{");
  folder.write("other/notes.txt", "mine");
  EXPECT_FALSE(FitFolder::is_free(folder.path() / "other"));
  EXPECT_FALSE(FitFolder::is_free(folder.path() / "other/notes.txt"));
  EXPECT_TRUE(FitFolder::is_free(folder.path() / "nosuchfolder"));
}

TEST_F(TouchedRun, NamesThatTheFolderCannotHoldAreRefusedBeforeTheFirstEpoch) {
  write_data("caf\xe9", "tea");
  InputStore store;
  EXPECT_THAT(error_of<Error>([&] { run_fit(fit, 0, store, {}); }), HasSubstr("not UTF-8"));
  EXPECT_FALSE(fs::exists(fit.folder / "config.toml"));
  EXPECT_TRUE(FitFolder::is_free(fit.folder));
}

TEST_F(TouchedRun, SettingsThatTheFolderCannotHoldAreRefusedBeforeTheFirstEpoch) {
  fit.config.network.coarsening_seed = std::uint64_t{1} << 63;
  EXPECT_THAT(error_of<Error>([&] { FitFolder::create(fit.folder, fit.config, {}); }),
              HasSubstr("config.toml"));
  EXPECT_TRUE(FitFolder::is_free(fit.folder));
}

TEST_F(TouchedRun, EditedNamesOfOutputsAreRefused) {
  begin(1);
  edit("columns.json", "\"a\",", "");
  const FitFolder run = FitFolder::open(fit.folder);
  EXPECT_THAT(error_of<InvalidFile>([&] { run.columns(); }),
              HasSubstr("columns.json: it is damaged or was edited: the checksum is wrong"));
  renew_checksum();
  EXPECT_THAT(error_of<InvalidFile>([&] { run.columns(); }),
              HasSubstr("columns.json: names 1 outputs; config.toml has 2"));
  write_atomically(fit.folder / "columns.json", std::string(100'000, '['));
  EXPECT_THAT(error_of<InvalidFile>([&] { run.columns(); }), HasSubstr("nested"));
  write_atomically(fit.folder / "columns.json", R"({"kind": "colours"})");
  EXPECT_THAT(error_of<InvalidFile>([&] { run.columns(); }),
              HasSubstr("columns.json: unknown kind"));
}

TEST_F(TouchedRun, ColumnsWithoutTheirChecksumAreRefused) {
  begin(1);
  const std::string good = content_of(fit.folder / "columns.json");
  const auto refusal = [&] {
    return error_of<InvalidFile>([&] { FitFolder::open(fit.folder).columns(); });
  };
  edit("columns.json", "xxh3", "xxh4");
  EXPECT_THAT(refusal(), HasSubstr("no checksum is there"));
  edit("columns.json", "\"encoding\"", "\"coding\"");
  EXPECT_THAT(refusal(), HasSubstr("encoding"));
  write_atomically(fit.folder / "columns.json", good);
  edit("columns.json", "\"encoding\"", "\"coding\"");
  EXPECT_THAT(refusal(), HasSubstr("encoding"));
}

TEST_F(TouchedRun, ColumnsOfOtherDataAreRefused) {
  begin(1);
  const std::string good = content_of(fit.folder / "columns.json");
  edit("columns.json", "\"a\"", "\"c\"");
  renew_checksum();
  EXPECT_THAT(resume_error(), HasSubstr("columns.json does not have the names and numbers of net"));
  write_atomically(fit.folder / "columns.json", std::string(1000, '['));
  EXPECT_THAT(resume_error(),
              HasSubstr("columns.json: not the columns of a fit: values are nested"));
  write_atomically(fit.folder / "columns.json", good);
  EXPECT_EQ(resume().kind, FitOutcome::Kind::kDone);
}

TEST_F(TouchedRun, ARefusedContinuationChangesNothing) {
  InputStore store;
  run_fit(fit, 0, store, {});
  const std::string checkpoint = content_of(fit.folder / "checkpoint.safetensors");
  const std::vector<std::string> files{"result.json", "config.toml", "columns.json", "epochs.jsonl",
                                       "best.safetensors"};
  std::vector<std::string> before;
  for (const std::string& file : files) before.push_back(content_of(fit.folder / file));
  const auto expect_refused = [&](const std::string& reason) {
    PlannedFit prolonged = fit;
    prolonged.config.epochs = 9;
    prolonged.go_on = true;
    InputStore own;
    EXPECT_THAT(error_of<Error>([&] { run_fit(prolonged, 0, own, {}); }), HasSubstr(reason));
    for (std::size_t i = 0; i < files.size(); ++i)
      EXPECT_EQ(content_of(fit.folder / files[i]), before[i]) << files[i] << ", " << reason;
  };
  write_atomically(fit.folder / "checkpoint.safetensors", checkpoint.substr(0, 1000));
  expect_refused("checkpoint.safetensors");
  write_atomically(fit.folder / "checkpoint.safetensors", checkpoint);
  write_data("b", "a");
  expect_refused("the data have changed");
  write_data("a", "b");
  const fs::path events = fit.folder / "events.out.tfevents.hgnet";
  fs::rename(events, folder.path() / "events");
  fs::create_directory(events);
  expect_refused("events.out.tfevents.hgnet");
  fs::remove(events);
  fs::rename(folder.path() / "events", events);
  const fs::path best = fit.folder / "best.safetensors";
  fs::rename(best, folder.path() / "best");
  fs::create_directory(best);
  PlannedFit longer = fit;
  longer.config.epochs = 9;
  longer.go_on = true;
  EXPECT_THAT(error_of<Error>([&] { run_fit(longer, 0, store, {}); }),
              HasSubstr("best.safetensors is not a file"));
  EXPECT_EQ(content_of(fit.folder / "result.json"), before[0]);
  fs::remove(best);
  fs::rename(folder.path() / "best", best);
  write_atomically(fit.folder / "epochs.jsonl", "{}\n");
  before[3] = "{}\n";
  expect_refused("epochs.jsonl");
}

TEST_F(TouchedRun, AnEditedResultIsRefused) {
  InputStore store;
  run_fit(fit, 0, store, {});
  const std::string good = content_of(fit.folder / "result.json");
  edit("result.json", "\"parameters\":", "\"parameters\":1");
  EXPECT_THAT(resume_error(), HasSubstr("result.json:1: not the record of a fit: it is damaged or "
                                        "was edited: the checksum is wrong"));
  edit("result.json", "\"xxh3\":\"", "\"xxh3\":\"0");
  EXPECT_THAT(resume_error(), HasSubstr("the checksum is wrong"));
  write_atomically(fit.folder / "result.json", good);
  EXPECT_EQ(resume().kind, FitOutcome::Kind::kDone);
}

TEST_F(TouchedRun, TheBestModelOfAnotherFitIsRefused) {
  InputStore store;
  run_fit(fit, 0, store, {});
  PlannedFit other = fit;
  other.config.seed = 1;
  other.folder = folder.path() / "other";
  run_fit(other, 0, store, {});
  const FitFolder run = FitFolder::open(fit.folder);
  EXPECT_NO_THROW(best_of(run));
  fs::copy_file(other.folder / "best.safetensors", fit.folder / "best.safetensors",
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(error_of<InvalidFile>([&] { best_of(run); }),
              HasSubstr("best.safetensors: not the model that result.json is about"));
}

TEST_F(TouchedRun, APipeInPlaceOfAFileEndsTheFit) {
  begin(3);
  for (const char* file : {"best.safetensors", "checkpoint.safetensors", "epochs.jsonl",
                           "columns.json", "result.json", "events.out.tfevents.hgnet"}) {
    const fs::path place = fit.folder / file;
    const fs::path kept = fs::path(place).concat(".kept");
    if (fs::exists(place)) fs::rename(place, kept);
    ASSERT_EQ(::mkfifo(place.c_str(), 0600), 0);
    EXPECT_THAT(resume_error(), HasSubstr(file));
    fs::remove(place);
    if (fs::exists(kept)) fs::rename(kept, place);
  }
  EXPECT_EQ(resume().kind, FitOutcome::Kind::kDone);
}

TEST_F(TouchedRun, NamesWithControlCharactersAreRefused) {
  begin(1);
  const FitFolder run = FitFolder::open(fit.folder);
  const std::string columns = read_whole(fit.folder / "columns.json");
  const std::string escape = R"(\u001b[31m)";
  for (const std::string name : {"\"a\"", "\"x\""}) {  // of a class, of a feature's column
    ASSERT_NE(columns.find(name), std::string::npos) << name << columns;
    edit("columns.json", name, "\"" + escape + "\"");
    renew_checksum();
    EXPECT_THAT(error_of<InvalidFile>([&] { run.columns(); }),
                HasSubstr("columns.json: the name '\\x1b[31m' of a class or feature has a control"))
        << name;
    write_atomically(fit.folder / "columns.json", columns);
  }
  edit("columns.json", "\"first_label\": 0", "\"first_label\": -9223372036854775808");
  renew_checksum();
  EXPECT_THAT(error_of<InvalidFile>([&] { run.columns(); }), HasSubstr("first_label"));
}

TEST_F(TouchedRun, EditedEpochsAreRefused) {
  begin(3);
  edit("epochs.jsonl", "{\"epoch\":2", "{\"epoch\":5");
  EXPECT_THAT(resume_error(), HasSubstr("epochs.jsonl:2: epoch 5; expected 2"));
  edit("epochs.jsonl", "{\"epoch\":5", "{\"epoch\":2");
  edit("epochs.jsonl", "\"test\":{\"accuracy\":0", "\"test\":{\"accuracy\":1");
  EXPECT_THAT(resume_error(),
              HasSubstr("epochs.jsonl: does not have the metrics of the checkpoint"));
}

TEST_F(TouchedRun, DamagedResultsAreNamed) {
  InputStore store;
  run_fit(fit, 0, store, {});
  const std::string good = content_of(fit.folder / "result.json");
  for (const std::string& bad : {std::string(), good.substr(0, good.size() / 2),
                                 std::string(100'000, '['), std::string("{}"), std::string("[]")}) {
    write_atomically(fit.folder / "result.json", bad);
    EXPECT_THAT(resume_error(), HasSubstr("run/result.json:1: not ")) << bad.substr(0, 10);
  }
}

// Null in a line stands for a metric that is not defined.
TEST(EpochJson, GivesBackWhatIsNotFinite) {
  EpochRecord record;
  record.epoch = 3;
  record.val = {{"loss", 0.5}, {"roc_auc", NAN}};
  const EpochRecord read = epoch_from_json(epoch_to_json(record), "epochs.jsonl", 3);
  EXPECT_EQ(read.val.at("loss"), 0.5);
  EXPECT_TRUE(std::isnan(read.val.at("roc_auc")));
}

}  // namespace
}  // namespace hgnet
