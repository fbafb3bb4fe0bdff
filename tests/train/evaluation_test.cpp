#include "hgnet/train/evaluation.hpp"

#include <gmock/gmock.h>

#include "support/errors.hpp"
#include "train/path_run.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class EvaluationTest : public test::PathRunTest {
 protected:
  FitFolder fit(const std::string& name) const { return FitFolder::open(folder.path() / name); }
  std::string place(const std::string& name) const { return (folder.path() / name).string(); }

  /// Other nodes than those of the fits; every second is a dog.
  void write_other(const std::string& name) const {
    write(name, "id,height,age,label", [](int v) {
      return number(100 + v * v) + "," + number(v) + (v % 2 == 0 ? ",dog" : ",cat");
    });
  }
};

void with_batch_norm(TrainConfig& config) { config.network.norm = Norm::kBatch; }

std::vector<std::string> names_of(const std::vector<PartScores>& parts) {
  std::vector<std::string> names;
  for (const PartScores& part : parts) names.push_back(part.part);
  return names;
}

TEST_F(EvaluationTest, OnItsOwnSplitAFitHasTheScoresOfItsRecord) {
  train("run", "hgnet-edgepool", 1);
  const Evaluation result = evaluate_fit(fit("run"), {});
  const FitRecord record = *fit("run").result();
  EXPECT_THAT(names_of(result.parts), ElementsAre("train", "val", "test"));
  for (const char* part : {"train", "val", "test"}) {
    EXPECT_DOUBLE_EQ(result.part(part)->metrics.at("accuracy"), record.score(part)) << part;
    EXPECT_EQ(result.part(part)->samples, record.samples.at(part)) << part;
    EXPECT_EQ(result.part(part)->used, 0) << part;
  }
  EXPECT_DOUBLE_EQ(result.baseline.at("test").at("accuracy"), record.baseline_score("test"));
  EXPECT_EQ(result.parameters, record.parameters);
  EXPECT_EQ(result.dataset, record.dataset);
  ASSERT_TRUE(result.test_classes);
  EXPECT_THAT(result.test_classes->names, ElementsAre("cat", "dog"));
  EXPECT_EQ(result.test_classes->scores(0).samples + result.test_classes->scores(1).samples, 6);
  EXPECT_THAT(result.recalibrated, IsEmpty());
}

TEST_F(EvaluationTest, SamplesThatTheFitHasUsedAreRefusedOrCounted) {
  train("run", "gcn", 1);
  EvaluationRequest request;
  request.fold = 3;
  EXPECT_THAT(error_of<SamplesUsed>([&] { evaluate_fit(fit("run"), request); }),
              AllOf(HasSubstr("6 of the 6 test samples of this split"), Not(HasSubstr("--"))));
  request.allow_used_samples = true;
  const Evaluation result = evaluate_fit(fit("run"), request);
  EXPECT_EQ(result.config.fold, 3);
  EXPECT_EQ(result.part("test")->used, 6);
}

TEST_F(EvaluationTest, OtherDataWithoutASplitIsATestAsAWhole) {
  train("run", "gcn", 0);
  write_other("other");
  EvaluationRequest request;
  request.dataset = place("other");
  const Evaluation result = evaluate_fit(fit("run"), request);
  EXPECT_THAT(names_of(result.parts), ElementsAre("test"));
  EXPECT_EQ(result.part("train"), nullptr);
  EXPECT_EQ(result.part("test")->samples, 24);
  EXPECT_EQ(result.part("test")->used, 0);
  EXPECT_EQ(result.dataset, "other");
  EXPECT_DOUBLE_EQ(result.baseline.at("test").at("accuracy"), 0.5);
}

TEST_F(EvaluationTest, ACopyOfTheFitsDataIsRecognised) {
  train("run", "gcn", 0);
  fs::copy(folder.path() / "data", folder.path() / "copy");
  EvaluationRequest request;
  request.dataset = place("copy");
  EXPECT_THAT(error_of<SamplesUsed>([&] { evaluate_fit(fit("run"), request); }),
              HasSubstr("18 of the 24 test samples or their equals"));
}

TEST_F(EvaluationTest, WithoutTheFitsDataANoteSaysWhatCannotBeKnown) {
  train("run", "gcn", 0);
  write_other("other");
  fs::remove_all(folder.path() / "data");
  std::vector<std::string> notes;
  EvaluationRequest request;
  request.dataset = place("other");
  request.note = [&](const std::string& note) { notes.push_back(note); };
  const Evaluation result = evaluate_fit(fit("run"), request);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("cannot tell whether the model was trained on samples "
                                           "of other")));
  EXPECT_THAT(result.baseline, IsEmpty());
}

TEST_F(EvaluationTest, DataThatTheFitCannotBeScoredOnIsRefused) {
  train("run", "gcn", 0);
  write("cows", "id,height,age,label", [](int v) {
    return number(v) + "," + number(v) + (v < 8 ? ",dog" : v < 16 ? ",cat" : ",cow");
  });
  EvaluationRequest request;
  request.dataset = place("cows");
  EXPECT_THAT(error_of<Mismatch>([&] { evaluate_fit(fit("run"), request); }),
              HasSubstr("cows has the class cow, which the model was not trained on"));
  request = {};
  request.fold = 9;
  EXPECT_THAT(error_of<InvalidSplit>([&] { evaluate_fit(fit("run"), request); }),
              HasSubstr("fold 9 does not exist"));
  request = {};
  request.split = "wrong";
  EXPECT_THAT(error_of<InvalidSettings>([&] { evaluate_fit(fit("run"), request); }),
              HasSubstr("/run: split 'wrong' of data: "));
}

TEST_F(EvaluationTest, RecalibratesOnlyWhatHasStatisticsAndTrainingSamples) {
  train("plain", "gcn", 0);
  train("normed", "gcn", 0, false, with_batch_norm);
  EvaluationRequest request;
  request.recalibrate = true;
  EXPECT_THAT(error_of<NoRunningStatistics>([&] { evaluate_fit(fit("plain"), request); }),
              HasSubstr("has no norm with running statistics"));
  const Evaluation result = evaluate_fit(fit("normed"), request);
  EXPECT_THAT(names_of(result.recalibrated), ElementsAre("train", "val", "test"));
  write_other("other");
  request.dataset = place("other");
  EXPECT_THAT(error_of<NoTrainingSamples>([&] { evaluate_fit(fit("normed"), request); }),
              HasSubstr("split random:0,0,1 has no training samples"));
}

TEST_F(EvaluationTest, TestClassesOfFoldsAreOneTableForEachModel) {
  std::vector<Evaluation> fits;
  for (const auto& [name, model, fold] :
       {std::tuple("a", "gcn", 0), {"b", "gin", 0}, {"c", "gcn", 1}}) {
    train(name, model, fold);
    fits.push_back(evaluate_fit(fit(name), {}));
  }
  const std::vector<TestClasses> tables = test_classes(fits);
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].first, fits.data());
  EXPECT_EQ(tables[0].fits, 2);
  EXPECT_EQ(tables[0].table.scores(0).samples + tables[0].table.scores(1).samples, 12);
  EXPECT_EQ(tables[1].first, &fits[1]);
  EXPECT_EQ(tables[1].fits, 1);
}

}  // namespace
}  // namespace hgnet
