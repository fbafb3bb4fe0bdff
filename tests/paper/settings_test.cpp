#include "hgnet/paper/settings.hpp"

#include <gtest/gtest.h>

#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/plan.hpp"
#include "records/json_tree.hpp"
#include "support/sample_records.hpp"

namespace hgnet {
namespace {

using test::sample_fit;

FitRecord filled_in(FitRecord record) {
  fill_in(record);
  return record;
}

FitRecord with(FitRecord record, const std::string& option, const std::string& value) {
  record.config[option] = JsonValue::parsed(value);
  return record;
}

TEST(FillIn, FindsSettingsOtherThanThePapers) {
  const FitRecord gin = sample_fit("NCI1", "gin", 2, 0.7);
  EXPECT_EQ(filled_in(gin).variant, "");
  EXPECT_EQ(filled_in(with(gin, "norm", "\"none\"")).variant, "");
  EXPECT_EQ(filled_in(with(gin, "norm", "\"batch\"")).variant, "norm batch");
  EXPECT_EQ(filled_in(with(with(gin, "norm", "\"batch\""), "lr", "0.001")).variant,
            "lr 0.001, norm batch");
  EXPECT_EQ(filled_in(with(with(gin, "seed", "7"), "epochs", "20")).variant, "");
  EXPECT_EQ(
      filled_in(with(sample_fit("NCI1", "hgnet-louvain", 2, 0.7), "norm", "\"none\"")).variant,
      "norm none");
}

TEST(FillIn, AnotherMetricChoosesTheEpochButIsNotTheScore) {
  FitRecord gat = sample_fit("pubmed", "gat", 2, 0.78);
  gat.metric = "loss";
  gat.metrics["test"]["loss"] = 0.6;
  EXPECT_EQ(filled_in(gat).variant, "metric loss");
  EXPECT_EQ(filled_in(gat).metric, "accuracy");
  EXPECT_EQ(filled_in(gat).score("test"), 0.78);
}

TEST(FillIn, ATableWithANormOfItsOwnExpectsIt) {
  FitRecord gin = with(sample_fit("NCI1", "gin", 2, 0.7), "norm", "\"batch\"");
  gin.table = "tu-batch-norm";
  EXPECT_EQ(filled_in(gin).variant, "");
  gin.table = "tu-no-norm";
  EXPECT_EQ(filled_in(gin).variant, "norm batch");
}

TEST(FillIn, OldRecordsAreOfThePaperAsWritten) {
  EXPECT_EQ(filled_in(sample_fit("NCI1", "gin", 2, 0.7)).reading, "both");
  EXPECT_EQ(filled_in(sample_fit("NCI1", "hgnet-edgepool", 2, 0.7)).reading, "as-written");
  EXPECT_EQ(filled_in(sample_fit("cc-grid16", "gin", 4, 0.7)).reading, "as-written");
  FitRecord sanitized = sample_fit("Cora", "gcn", 2, 0.7);
  EXPECT_EQ(filled_in(sanitized).reading, "both");
  EXPECT_EQ(filled_in(sanitized).split, "public");
  sanitized.split = "sanitized:2";
  EXPECT_EQ(filled_in(sanitized).reading, "as-written");
}

TEST(FillIn, AsRunHasTheNamesOfThePaperAndItsOwnSettings) {
  FitRecord grid = sample_fit("cc-grid16:fixed-starts", "gin", 4, 0.7);
  EXPECT_EQ(filled_in(grid).dataset, "cc-grid16:fixed-starts") << "the data alone is no reading";
  grid.reading = "as-run";
  EXPECT_EQ(filled_in(grid).dataset, "cc-grid16");
  EXPECT_EQ(filled_in(with(grid, "classifier-hidden", "32")).variant, "");
  EXPECT_EQ(filled_in(with(grid, "classifier-hidden", "128")).variant, "classifier-hidden 128");
  FitRecord cora = sample_fit("cora", "gcn", 2, 0.7);
  cora.split = "sanitized-walk:2";
  cora.reading = "as-run";
  EXPECT_EQ(filled_in(cora).split, "sanitized:2");
}

/// What is planned for a table is at home in it, in either reading.
TEST(FillIn, PlannedFitsAreNoVariants) {
  for (const PaperTable& table : paper_tables()) {
    for (const Reading reading : {Reading::kAsWritten, Reading::kAsRun}) {
      PaperPlanOptions options;
      options.tables = {table.layout.id};
      options.folds = {0};
      options.reading = reading;
      if (reading == Reading::kAsRun && table.layout.id == "tu-batch-norm")
        continue;  // it has none
      for (const PlannedFit& fit : plan_tables(options)) {
        FitRecord record = sample_fit(fit.config.dataset, fit.config.model, 0, 0.5);
        record.split = fit.config.split;
        record.table = fit.table;
        record.reading = enum_name(reading);
        for_each_train_field(fit.config,
                             [&](const std::string& name, const auto& field, const char*) {
                               if constexpr (std::is_arithmetic_v<std::decay_t<decltype(field)>>)
                                 record.config[name] = json_value(field);
                             });
        fill_in(record);
        EXPECT_EQ(record.variant, "") << fit.label;
        EXPECT_TRUE(paper_catalogue().data(record.dataset) != nullptr) << record.dataset;
      }
    }
  }
}

}  // namespace
}  // namespace hgnet
