#include "hgnet/records/fit_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>

#include "hgnet/core/error.hpp"
#include "support/archives.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/sample_records.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

// As in docs/report.md.
const char* const kLine =
    R"({"dataset":"ENZYMES","model":"hgnet-edgepool","seed":3,"fold":7,"split":"folds:10","reading":"as-run","best_epoch":57,"epochs":200,)"
    R"("parameters":12345,"metric":"accuracy","metrics":{"train":{"accuracy":0.9,"loss":0.2},"val":{"accuracy":0.8,"loss":0.3},)"
    R"("test":{"accuracy":0.78,"loss":0.4}},"seconds":{"train":12.5,"total":14.2},"peak_memory":300000000,"config":{"hidden":32,"layers":2,"levels":3,)"
    R"("keep":[0.5,0.25]},"table":"table1","quick":true,"receptive_field":"all","command":"hgnet train","version":"hgnet 0.1.0",)"
    R"("machine":"AMD EPYC, 2 cores",)"
    R"("curve":{"val":[0.1,0.2,null]},"room":{"shelf":2}})";

Records parsed(const std::string& text, const std::string& name = "runs.jsonl") {
  Records records;
  parse_records(text, name, records);
  return records;
}

std::string parse_error(const std::string& text, const std::string& name = "runs.jsonl") {
  return error_of<InvalidFile>([&] { parsed(text, name); });
}

/// The line with one piece replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string line = kLine;
  line.replace(line.find(from), from.size(), to);
  return line;
}

TEST(FitRecord, ReadsEveryField) {
  const Records records = parsed(std::string(kLine) + "\n");
  ASSERT_EQ(records.fits.size(), 1U);
  const FitRecord& run = records.fits[0];
  EXPECT_EQ(run.dataset, "ENZYMES");
  EXPECT_EQ(run.model, "hgnet-edgepool");
  EXPECT_EQ(run.seed, 3U);
  EXPECT_EQ(run.fold, 7);
  EXPECT_EQ(run.split, "folds:10");
  EXPECT_EQ(run.reading, "as-run");
  EXPECT_EQ(run.best_epoch, 57);
  EXPECT_EQ(run.epochs, 200);
  EXPECT_EQ(run.parameters, 12345);
  EXPECT_EQ(run.peak_memory, 300000000);
  EXPECT_EQ(run.score("test"), 0.78);
  EXPECT_EQ(run.score("val"), 0.8);
  EXPECT_EQ(run.metrics.at("train").at("loss"), 0.2);
  EXPECT_EQ(run.seconds.at("train"), 12.5);
  EXPECT_EQ(run.config.at("keep").text(), "[0.5,0.25]");
  EXPECT_EQ(run.depth(), 3);  // levels, as it is hierarchical
  EXPECT_EQ(run.table, "table1");
  EXPECT_TRUE(run.quick);
  EXPECT_EQ(run.machine, "AMD EPYC, 2 cores");
  EXPECT_EQ(run.other.at("room").text(), R"({"shelf":2})");
  ASSERT_EQ(run.curve.at("val").size(), 3U);
  EXPECT_TRUE(std::isnan(run.curve.at("val")[2]));
}

TEST(FitRecord, WritesWhatItReads) {
  for (const FitRecord& run : test::sample_records_of_both_readings().fits) {
    const Records again = parsed(to_json(run));
    ASSERT_EQ(again.fits.size(), 1U);
    ASSERT_EQ(again.fits[0], run);
  }
  const Records with_nan = parsed(kLine);
  EXPECT_EQ(to_json(with_nan.fits[0]), to_json(parsed(to_json(with_nan.fits[0])).fits[0]));
  EXPECT_THAT(to_json(with_nan.fits[0]), HasSubstr(R"("room":{"shelf":2})"));
}

TEST(FitRecord, ParsesOneRecordOfAFile) {
  EXPECT_EQ(to_json(parse_fit_record(kLine, "result.json")), to_json(parsed(kLine).fits[0]));
  EXPECT_THAT(error_of<InvalidFile>([] { parse_fit_record("{\"epoch\":1}", "result.json"); }),
              HasSubstr("result.json:1: not the record of a fit"));
}

TEST(FitRecord, ProbesAreLinesOfTheirOwnKind) {
  const std::string line =
      R"({"kind":"probe","dataset":"cc-grid16","model":"gin","depth":4,"seed":1,"distance":[0,1],"influence":[0.5,0.1],"nodes":[256,960]})";
  const Records records = parsed(line + "\n" + kLine + "\n");
  ASSERT_EQ(records.probes.size(), 1U);
  EXPECT_EQ(records.fits.size(), 1U);
  EXPECT_EQ(records.probes[0].depth, 4);
  EXPECT_THAT(records.probes[0].influence, ElementsAre(0.5, 0.1));
  EXPECT_EQ(parsed(to_json(records.probes[0])).probes[0], records.probes[0]);
  EXPECT_THAT(
      parse_error(R"({"kind":"probe","dataset":"a","model":"b","distance":[0,1],"influence":[1]})"),
      HasSubstr("differ in length"));
}

TEST(FitRecord, PlainHgnetIsNamedByItsCoarsening) {
  std::string line = changed("hgnet-edgepool", "hgnet");
  line.replace(line.find("\"hidden\""), 8, "\"coarsening\":\"louvain\",\"hidden\"");
  EXPECT_EQ(parsed(line).fits[0].model, "hgnet-louvain");
}

TEST(FitRecord, MissingFieldsHaveDefaults) {
  const Records records =
      parsed(R"({"dataset":"a","model":"gcn","metric":"rmse","metrics":{"test":{"rmse":1.5}}})");
  EXPECT_EQ(records.fits[0].fold, -1);
  EXPECT_FALSE(records.fits[0].quick);
  EXPECT_EQ(records.fits[0].depth(), 0);
  EXPECT_TRUE(std::isnan(records.fits[0].score("val")));
}

TEST(FitRecord, ErrorsNameFileLineAndField) {
  const std::string good = std::string(kLine) + "\n\n";
  EXPECT_THAT(parse_error(good + "{\"model\":\n"), HasSubstr("runs.jsonl:3: not JSON"));
  EXPECT_THAT(parse_error(good + "[1]\n"),
              HasSubstr("runs.jsonl:3: not the record of a fit: expected an object"));
  EXPECT_THAT(parse_error(changed("\"dataset\":\"ENZYMES\",", "")),
              HasSubstr("'dataset' is missing"));
  EXPECT_THAT(parse_error(changed("\"seed\":3", "\"seed\":-3")),
              HasSubstr("'seed': expected an integer"));
  EXPECT_THAT(parse_error(changed("\"fold\":7", "\"fold\":7.5")),
              HasSubstr("'fold': expected an integer"));
  EXPECT_THAT(parse_error(changed("\"fold\":7", "\"fold\":9999999999")),
              HasSubstr("'fold': the number is too large"));
  EXPECT_THAT(parse_error(changed("\"fold\":7", "\"fold\":-9999999999")),
              HasSubstr("'fold': the number is too small"));
  EXPECT_THAT(parse_error(changed("0.78", "\"high\"")),
              HasSubstr("'metrics.test.accuracy': expected a number"));
  EXPECT_THAT(parse_error(changed("\"test\":", "\"tests\":")),
              HasSubstr("'metrics.test' is missing"));
  EXPECT_THAT(parse_error(changed("[0.1,0.2,null]", "0.1")),
              HasSubstr("'curve.val': expected a list"));
  EXPECT_THAT(parse_error(changed("true", "1")), HasSubstr("'quick': expected true or false"));
  EXPECT_THAT(parse_error("{\n\"model\": \"gcn\",\n?\n}", "a/result.json"),
              HasSubstr("a/result.json:3: not JSON"));
}

TEST(FitRecord, DeepNestingIsRefused) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_THAT(parse_error(changed("{\"shelf\":2}", deep)), HasSubstr("nested too deeply"));
}

TEST(FitRecord, AHalfWrittenLastLineIsPassedOver) {
  const std::string line = kLine;
  for (const std::size_t cut : {std::size_t{1}, line.size() / 2, line.size() - 1}) {
    const Records records = parsed(line + "\n" + line.substr(0, cut));
    EXPECT_EQ(records.fits.size(), 1U);
    EXPECT_THAT(records.notes, ElementsAre(HasSubstr("runs.jsonl:2: the last line is incomplete")));
  }
  EXPECT_EQ(parsed(line + "\n" + line).fits.size(), 2U);  // complete, without a final line break
  EXPECT_THAT(parse_error(line.substr(0, 20) + "\n" + line), HasSubstr(":1: not JSON"));
}

TEST(FitRecord, OtherLinesArePassedOverWithANote) {
  const Records records =
      parsed("{\"epoch\":1}\n{\"kind\":\"note\",\"model\":\"gcn\"}\n" + std::string(kLine) + "\n");
  EXPECT_EQ(records.fits.size(), 1U);
  EXPECT_THAT(records.notes,
              ElementsAre("runs.jsonl: skipped 2 lines that are not records of fits"));
}

TEST(ReadRecords, PackedAndBack) {
  Records records;
  parse_records(
      R"({"dataset":"cora","model":"gcn","metric":"accuracy","metrics":{"test":{"accuracy":0.8}},"seed":3})"
      "\n"
      R"({"kind":"probe","dataset":"cora","model":"gcn","depth":2,"distance":[0],"influence":[1],"nodes":[5]})",
      "lines.jsonl", records);
  const test::TemporaryFolder folder;
  const std::vector<std::filesystem::path> places{folder.write("all.jsonl.gz", packed(records))};
  const Records again = read_records(places);
  EXPECT_EQ(again.fits, records.fits);
  EXPECT_EQ(again.probes, records.probes);
  EXPECT_EQ(packed(records), packed(again));
}

TEST(ReadRecords, SearchesFoldersAndReadsPackedFiles) {
  const test::TemporaryFolder folder;
  const auto line = [](int seed) {
    FitRecord run = test::sample_fit("cora", "gcn", 2, 0.8, seed);
    return to_json(run);
  };
  folder.write("b/run1/result.json", "{\n" + line(0).substr(1));
  folder.write("a/all.jsonl", line(1) + "\n" + line(2) + "\n" + line(1) + "\n");  // one twice
  folder.write("c/packed.jsonl.gz", test::gzipped(line(3) + "\n" + line(0) + "\n"));
  folder.write("c/config.json", "{}");
  folder.write("c/log.txt", "nothing");
  folder.write("b/run1/epochs.jsonl", "{\"epoch\":1}\n");
  const std::filesystem::path places[] = {folder.path()};
  const Records records = read_records(places);
  EXPECT_EQ(records.fits.size(), 4U);
  EXPECT_TRUE(records.notes.empty());
  const std::filesystem::path one[] = {folder.path() / "b/run1/result.json",
                                       folder.path() / "c/packed.jsonl.gz"};
  EXPECT_EQ(read_records(one).fits.size(), 2U);  // one of them is in both
}

TEST(ReadRecords, SaysWhatIsNotThere) {
  const test::TemporaryFolder folder;
  const std::filesystem::path empty[] = {folder.path()};
  EXPECT_THAT(read_records(empty).notes, ElementsAre(HasSubstr("no result.json")));
  const std::filesystem::path missing[] = {folder.path() / "nosuch.jsonl"};
  EXPECT_THAT(error_of<InvalidFile>([&] { read_records(missing); }), HasSubstr("nosuch.jsonl: "));
}

TEST(ReadRecords, NamesAPipeInPlaceOfAResult) {
  const test::TemporaryFolder folder;
  folder.write("all.jsonl", to_json(test::sample_fit("cora", "gcn", 2, 0.8, 1)) + "\n");
  ASSERT_EQ(mkfifo((folder.path() / "result.json").c_str(), 0600), 0);
  const std::filesystem::path places[] = {folder.path()};
  EXPECT_THAT(error_of<InvalidFile>([&] { read_records(places); }),
              HasSubstr("result.json: is a pipe; expected"));
}

TEST(FitRecord, AChecksumTellsAnEditedRecord) {
  FitRecord record = test::sample_fit("cora", "gcn", 2, 0.8, 1);
  record.other["note"] = JsonValue::parsed(R"({"b":[1,2.5],"a":null})");
  record.metrics["val"]["loss"] = NAN;
  const std::string text = to_json_with_checksum(record);
  EXPECT_EQ(to_json(parse_fit_record(text, "result.json")), to_json(record));
  std::string spaced = text;
  spaced.insert(spaced.find(',') + 1, "\n  ");
  EXPECT_EQ(to_json(parse_fit_record(spaced, "result.json")), to_json(record));
  std::string edited = text;
  edited.replace(edited.find("0.8"), 3, "0.9");
  EXPECT_THAT(error_of<InvalidFile>([&] { parse_fit_record(edited, "result.json"); }),
              HasSubstr("it is damaged or was edited: the checksum is wrong"));
  Records records;
  EXPECT_THAT(error_of<InvalidFile>([&] { parse_records(edited + "\n", "all.jsonl", records); }),
              HasSubstr("all.jsonl:1: not the record of a fit: it is damaged"));
}

TEST(ReadRecords, LeavesOutWhatItIsTold) {
  const test::TemporaryFolder folder;
  for (const int seed : {1, 2})
    folder.write("fit" + std::to_string(seed) + "/result.json",
                 to_json(test::sample_fit("cora", "gcn", 2, 0.8, seed)));
  const std::filesystem::path places[] = {folder.path()};
  const Records records = read_records(places, [](const std::filesystem::path& file) {
    return file.parent_path().filename() == "fit1";
  });
  ASSERT_EQ(records.fits.size(), 1U);
  EXPECT_EQ(records.fits.front().seed, 2U);
}

}  // namespace
}  // namespace hgnet
