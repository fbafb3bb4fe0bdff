#include "hgnet/report/tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "hgnet/paper/catalogue.hpp"
#include "support/sample_records.hpp"

namespace hgnet {
namespace {

using test::sample_fit;

Results results_of(std::vector<FitRecord> fits) { return paper_results({std::move(fits), {}, {}}); }

std::size_t column_of(const ResultTable& table, const std::string& dataset,
                      const std::string& split = "") {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].dataset == dataset && (split.empty() || table.columns[c].split == split))
      return c;
  }
  throw std::runtime_error("no column " + dataset);
}

const TableCell& cell(const ResultTable& table, const std::string& model, int depth,
                      std::size_t column) {
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (table.rows[r].model == model && (!table.rows[r].depth || *table.rows[r].depth == depth))
      return table.cells[r][column];
  }
  throw std::runtime_error("no row " + model);
}

TEST(Tables, HaveThePapersShapeEvenWithoutFits) {
  const Results results = results_of({});
  const std::vector<ResultTable> tables = result_tables(results);
  ASSERT_EQ(tables.size(), 4U);
  EXPECT_EQ(tables[0].rows.size(), 8U);
  EXPECT_EQ(tables[0].columns.size(), 10U);
  EXPECT_EQ(tables[1].rows.size(), 24U);
  EXPECT_EQ(tables[1].columns.size(), 6U);
  EXPECT_EQ(tables[2].rows.size(), 10U);    // four baselines, two HGNets of three depths
  EXPECT_EQ(tables[2].columns.size(), 6U);  // test, validation, parameters
  EXPECT_EQ(tables[3].rows.size(), 8U);
  EXPECT_EQ(tables[3].columns.size(), 4U);
  for (const ResultTable& table : tables) EXPECT_EQ(table.filled(), 0U);
}

TEST(Tables, HeatIsNormalisedPerColumn) {
  const Results results =
      results_of({sample_fit("cora", "gcn", 2, 0.80), sample_fit("cora", "gat", 2, 0.70),
                  sample_fit("cora", "gin", 2, 0.725), sample_fit("pubmed", "gcn", 2, 0.60)});
  const ResultTable table = result_tables(results)[0];
  const std::size_t cora = column_of(table, "cora");
  EXPECT_DOUBLE_EQ(cell(table, "gcn", 2, cora).heat, 1);
  EXPECT_TRUE(cell(table, "gcn", 2, cora).best);
  EXPECT_DOUBLE_EQ(cell(table, "gat", 2, cora).heat, 0);
  EXPECT_FALSE(cell(table, "gat", 2, cora).best);
  EXPECT_NEAR(cell(table, "gin", 2, cora).heat, 0.25, 1e-12);
  EXPECT_DOUBLE_EQ(cell(table, "gcn", 2, column_of(table, "pubmed")).heat,
                   1);  // alone in its column
  EXPECT_EQ(cell(table, "cheb", 2, cora).group, nullptr);
}

TEST(Tables, LowErrorsAreTheBest) {
  FitRecord low = sample_fit("ogbg-molesol", "gcn", 2, 0);
  low.metric = "rmse";
  low.metrics = {{"test", {{"rmse", 0.9}}}};
  FitRecord high = low;
  high.model = "gin";
  high.metrics = {{"test", {{"rmse", 1.4}}}};
  const Results results = results_of({low, high});
  const std::vector<ResultTable> tables = result_tables(results);
  ASSERT_EQ(tables.size(), 5U);
  EXPECT_EQ(tables[4].layout.id, "others");
  EXPECT_TRUE(tables[4].cells[0][0].best);
  EXPECT_EQ(tables[4].rows[0].model, "gcn");
  EXPECT_EQ(tables[4].cells[1][0].heat, 0);
}

TEST(Tables, FullFitsComeBeforeReducedOnesAndOtherDepthsThanThePapersStandApart) {
  FitRecord quick = sample_fit("cora", "gcn", 2, 0.99);
  quick.quick = true;
  const Results results =
      results_of({quick, sample_fit("cora", "gcn", 3, 0.7, 0), sample_fit("cora", "gcn", 3, 0.7, 1),
                  sample_fit("cora", "gcn", 2, 0.8), sample_fit("cora", "gat", 4, 0.6)});
  const ResultTable table = result_tables(results)[0];
  const std::size_t cora = column_of(table, "cora");
  ASSERT_NE(cell(table, "gcn", 2, cora).group, nullptr);
  EXPECT_FALSE(cell(table, "gcn", 2, cora).group->key.quick);
  EXPECT_DOUBLE_EQ(cell(table, "gcn", 2, cora).group->test.mean, 0.8);
  EXPECT_EQ(cell(table, "gat", 4, cora).group, nullptr);
  const ResultTable others = result_tables(results)[4];
  EXPECT_EQ(cell(others, "gat", 4, 0).group->key.depth, 4);
  EXPECT_EQ(cell(others, "gcn", 3, 0).group->test.count, 2);
  const Results quick_results = results_of({quick});
  const ResultTable only_quick = result_tables(quick_results)[0];
  EXPECT_TRUE(cell(only_quick, "gcn", 2, cora).group->key.quick);
}

TEST(Tables, ReducedFitsAreNotTheBestWhereThereAreFullOnes) {
  FitRecord quick = sample_fit("cora", "gat", 2, 0.9);
  quick.quick = true;
  FitRecord shorter = sample_fit("cora", "gin", 2, 0.85);
  shorter.epochs = 20;
  FitRecord longer = sample_fit("cora", "gin", 2, 0.7);
  longer.epochs = 40;
  const Results results = results_of({quick, shorter, longer, sample_fit("cora", "gcn", 2, 0.8)});
  const ResultTable table = result_tables(results)[0];
  const std::size_t cora = column_of(table, "cora");
  EXPECT_TRUE(cell(table, "gcn", 2, cora).best);
  EXPECT_FALSE(cell(table, "gat", 2, cora).best);
  EXPECT_EQ(cell(table, "gin", 2, cora).group->key.shortened, 40);
}

TEST(Tables, SanitizedSplitsAreBlocksOfTheirOwn) {
  FitRecord one = sample_fit("cora", "hgnet-louvain", 2, 0.7);
  one.split = "sanitized:1";
  FitRecord two = sample_fit("cora", "hgnet-louvain", 2, 0.6);
  two.split = "sanitized:2";
  const Results results = results_of({one, two});
  const ResultTable table = result_tables(results)[1];
  EXPECT_DOUBLE_EQ(
      cell(table, "hgnet-louvain", 2, column_of(table, "cora", "sanitized:1")).group->test.mean,
      0.7);
  EXPECT_DOUBLE_EQ(
      cell(table, "hgnet-louvain", 2, column_of(table, "cora", "sanitized:2")).group->test.mean,
      0.6);
  EXPECT_EQ(cell(table, "hgnet-louvain", 1, column_of(table, "cora", "sanitized:1")).group,
            nullptr);
  EXPECT_TRUE(table.references.empty());  // there are no published figures for these splits
}

TEST(Tables, DepthsOfTable4AreThoseThatWereFitted) {
  const Results results =
      results_of({sample_fit("cc-grid16", "gin", 4, 0.9), sample_fit("cc-grid32", "gin", 6, 0.8)});
  const ResultTable table = result_tables(results)[3];
  std::vector<int> depths;
  for (const TableRow& row : table.rows) {
    if (row.model == "gin") depths.push_back(row.depth.value_or(-1));
    if (row.model == "gcn") {
      EXPECT_FALSE(row.depth.has_value());
    }
  }
  EXPECT_THAT(depths, testing::ElementsAre(4, 6));
}

TEST(Tables, EveryGroupOfTheSampleIsInSomeCell) {
  const Results results = paper_results(test::sample_records());
  std::set<const FitGroup*> shown;
  for (const ResultTable& table : result_tables(results)) {
    for (const auto& row : table.cells) {
      for (const TableCell& c : row) shown.insert(c.group);
    }
  }
  shown.erase(nullptr);
  EXPECT_EQ(shown.size(), results.groups().size());
}

/// Table 4's cell of a model on the 16x16 grid, in a reading.
const TableCell& grid_cell(const ResultTable& table, Reading reading) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].dataset == "cc-grid16" && table.columns[c].reading == reading)
      return cell(table, "gin", 4, c);
  }
  throw std::runtime_error("no column of that reading");
}

TEST(Tables, ReadingsStandSideBySideAndAreNeverMixed) {
  FitRecord run = sample_fit("cc-grid16:fixed-starts", "gin", 4, 0.9, 1);
  run.reading = "as-run";
  const Results results = results_of(
      {sample_fit("cc-grid16", "gin", 4, 0.7, 0), sample_fit("cc-grid32", "gin", 4, 0.6, 0), run});
  const ResultTable table = result_tables(results)[3];
  ASSERT_EQ(table.columns.size(), 5U);  // only the 16x16 grid has both
  EXPECT_EQ(table.columns[0].full_label(), "C-C 16x16 grid, as written");
  EXPECT_EQ(table.columns[1].full_label(), "C-C 16x16 grid, as run");
  EXPECT_EQ(table.columns[2].full_label(), "C-C 32x32 grid");
  const TableCell& written = grid_cell(table, Reading::kAsWritten);
  const TableCell& as_run = grid_cell(table, Reading::kAsRun);
  EXPECT_DOUBLE_EQ(written.group->test.mean, 0.7);
  EXPECT_DOUBLE_EQ(as_run.group->test.mean, 0.9);
  EXPECT_TRUE(written.best);
  EXPECT_TRUE(as_run.best);
  EXPECT_EQ(as_run.group->place, "C-C 16x16 grid, folds:10, as run");
}

TEST(Tables, FitsThatAreTheSameInBothReadingsStandInBoth) {
  FitRecord run = sample_fit("NCI1", "hgnet-edgepool", 2, 0.9);
  run.reading = "as-run";
  const Results results = results_of({run, sample_fit("NCI1", "gin", 2, 0.7)});
  const ResultTable table = result_tables(results)[0];
  const std::size_t first = column_of(table, "NCI1");
  EXPECT_EQ(table.columns[first + 1].reading, Reading::kAsRun);
  EXPECT_EQ(cell(table, "gin", 2, first).group, cell(table, "gin", 2, first + 1).group);
  EXPECT_NE(cell(table, "gin", 2, first).group, nullptr);
  EXPECT_EQ(cell(table, "hgnet-edgepool", 2, first).group, nullptr);
  EXPECT_NE(cell(table, "hgnet-edgepool", 2, first + 1).group, nullptr);
}

TEST(Tables, Table3ShowsValidationAndParameters) {
  FitRecord gcn = sample_fit("ogbg-molhiv", "gcn", 5, 0);
  gcn.metric = "roc_auc";
  gcn.metrics = {{"test", {{"roc_auc", 0.75}}}, {"val", {{"roc_auc", 0.80}}}};
  gcn.parameters = 4321;
  FitRecord gin = gcn;
  gin.model = "gin";
  gin.metrics = {{"test", {{"roc_auc", 0.77}}}, {"val", {{"roc_auc", 0.78}}}};
  const Results results = results_of({gcn, gin});
  const ResultTable table = result_tables(results)[2];
  const std::size_t test = column_of(table, "ogbg-molhiv");
  EXPECT_EQ(table.columns[test + 1].full_label(), "ogbg-molhiv, validation");
  EXPECT_EQ(table.columns[test + 2].full_label(), "ogbg-molhiv, parameters");
  EXPECT_TRUE(cell(table, "gin", 5, test).best);
  EXPECT_TRUE(cell(table, "gcn", 5, test + 1).best);
  EXPECT_FALSE(cell(table, "gcn", 5, test + 2).best);
  EXPECT_EQ(cell(table, "gcn", 5, test + 1).published, nullptr);
  EXPECT_NE(cell(table, "gcn", 5, test).published, nullptr);
}

TEST(Tables, EqualNormsTakeFromTableOneWhatItHas) {
  FitRecord own = sample_fit("NCI1", "gin", 2, 0.75);
  own.table = "tu-batch-norm";
  own.config["norm"] = JsonValue::parsed("\"batch\"");
  FitRecord more = sample_fit("NCI1", "hgnet-louvain", 2, 0.2);
  more.seed = own.seed + 1;  // which the table's own fits do not have
  const Results results = results_of({own, sample_fit("NCI1", "gin", 2, 0.7),
                                      sample_fit("NCI1", "hgnet-louvain", 2, 0.8), more,
                                      sample_fit("PROTEINS", "hgnet-louvain", 2, 0.9)});
  const std::vector<ResultTable> tables = result_tables(results);
  ASSERT_EQ(tables.size(), 5U);  // and none without norms, which has no fits of its own
  EXPECT_EQ(tables[4].layout.id, "tu-batch-norm");
  const std::size_t nci = column_of(tables[4], "NCI1");
  EXPECT_DOUBLE_EQ(cell(tables[4], "gin", 2, nci).group->test.mean, 0.75);
  EXPECT_DOUBLE_EQ(cell(tables[4], "hgnet-louvain", 2, nci).group->test.mean, 0.8);
  EXPECT_EQ(cell(tables[4], "hgnet-louvain", 2, column_of(tables[4], "PROTEINS")).group, nullptr);
  EXPECT_DOUBLE_EQ(cell(tables[0], "gin", 2, column_of(tables[0], "NCI1")).group->test.mean, 0.7);
}

TEST(Tables, FitsWithOtherSettingsAreRowsOfOtherFits) {
  FitRecord stale = sample_fit("NCI1", "gin", 2, 0.9);
  stale.table = "table1";
  stale.config["norm"] = JsonValue::parsed("\"batch\"");
  FitRecord longer = sample_fit("NCI1", "gin", 2, 0.8);
  longer.config["readout"] = JsonValue::parsed("\"sum\"");
  longer.config["epochs"] = JsonValue::parsed("400");
  const Results results = results_of({stale, longer, sample_fit("NCI1", "gin", 2, 0.7)});
  EXPECT_THAT(results.notes(),
              testing::Contains(testing::HasSubstr("have other settings than it")));
  const std::vector<ResultTable> tables = result_tables(results);
  EXPECT_DOUBLE_EQ(cell(tables[0], "gin", 2, column_of(tables[0], "NCI1")).group->test.mean, 0.7);
  ASSERT_EQ(tables[4].rows.size(), 2U);
  EXPECT_EQ(tables[4].rows[0].label, "GIN (norm batch)");
  EXPECT_EQ(tables[4].rows[1].label, "GIN (readout sum, epochs 400)");
  EXPECT_DOUBLE_EQ(tables[4].cells[1][0].group->test.mean, 0.8);
}

TEST(DatasetFacts, HaveARowForEveryDataSetOfThePaper) {
  const FactTable facts = dataset_facts();
  EXPECT_EQ(facts.rows.size(), 16U);
  for (const auto& row : facts.rows) EXPECT_EQ(row.size(), facts.headings.size());
  EXPECT_THAT(facts.rows[0], testing::ElementsAre("Cora", "1", "2708", "5278", "1,433 words", "7",
                                                  "10 seeds, public split", "accuracy",
                                                  "5429 edges, with repetitions"));
}

TEST(TableOf, GoesByDataSetAndSplit) {
  const auto table = [](const std::string& dataset, const std::string& split) {
    FitRecord fit = sample_fit(dataset, "gcn", 2, 0.5);
    fit.split = split;
    return table_of(fit);
  };
  EXPECT_EQ(table("PubMed", "public"), "table1");
  EXPECT_EQ(table("PubMed", "sanitized:2"), "table2");
  EXPECT_EQ(table("D&D", "folds:10"), "table1");
  EXPECT_EQ(table("OGBG-molhiv", "scaffold"), "table3");
  EXPECT_EQ(table("cc-euroroad", "folds:10"), "table4");
  EXPECT_EQ(table("ogbg-molbace", "scaffold"), "");
  EXPECT_EQ(table("ENZYMES", "sanitized:1"), "");
  EXPECT_EQ(table("ENZYMES", "folds.json"), "");
  EXPECT_EQ(table("Cora", "random:0.8,0.1,0.1"), "");
  EXPECT_EQ(table("Cora", "sanitized:3"), "");
  EXPECT_EQ(table("Cora", ""), "table1");
  EXPECT_EQ(table_of(sample_fit("Cora", "gcn", 3, 0.5)), "");  // the paper has two layers there
  FitRecord named = sample_fit("cora", "gcn", 2, 0.5);
  named.table = "ablation";
  EXPECT_EQ(table_of(named), "ablation");
}

TEST(PaperResults, FitsThatWereNotMadeForATableStandBesideThoseThatWere) {
  FitRecord named = sample_fit("cora", "gcn", 2, 0.8);
  named.table = "table1";
  FitRecord other = sample_fit("cora", "gcn", 2, 0.2, 1);
  const Results results = results_of({other, named});
  EXPECT_DOUBLE_EQ(results.select("table1", "cora").at(0)->test.mean, 0.8);
  EXPECT_DOUBLE_EQ(results.select("", "cora").at(0)->test.mean, 0.2);
  EXPECT_THAT(results.notes(), testing::ElementsAre(testing::HasSubstr("listed under other fits")));
}

TEST(Tables, PublishedFiguresStandBelow) {
  const Results results = results_of({});
  const std::vector<ResultTable> tables = result_tables(results);
  ASSERT_EQ(tables[0].references.size(), 4U);  // GCN, GAT, ChebNet; GIN on TU sets
  EXPECT_DOUBLE_EQ(tables[0].references[0].figures[column_of(tables[0], "cora")]->mean, 0.815);
  EXPECT_EQ(tables[2].references.size(), 4U);
}

TEST(PaperCatalogue, HasEveryPublishedFigure) {
  const auto percent = [](const char* model, const std::vector<std::string>& sets) {
    std::vector<double> means;
    for (const std::string& set : sets)
      means.push_back(std::round(1e4 * paper_catalogue().figure(model, set)->mean) / 100);
    return means;
  };
  const std::vector<std::string> citation{"cora", "citeseer", "pubmed"};
  EXPECT_THAT(percent("gcn", citation), testing::ElementsAre(81.5, 70.3, 79.0));
  EXPECT_THAT(percent("cheb", citation), testing::ElementsAre(81.2, 69.8, 74.4));
  EXPECT_THAT(percent("gat", citation), testing::ElementsAre(83.0, 72.5, 79.0));
  EXPECT_THAT(
      percent("gin", {"DD", "NCI1", "PROTEINS", "ENZYMES", "IMDB-BINARY", "IMDB-MULTI", "COLLAB"}),
      testing::ElementsAre(75.3, 80.0, 73.3, 59.6, 71.2, 48.5, 75.6));
  const std::vector<std::string> molecules{"ogbg-molhiv", "ogbg-molpcba"};
  EXPECT_THAT(percent("gcn", molecules), testing::ElementsAre(76.06, 20.20));
  EXPECT_THAT(percent("gcn-vn", molecules), testing::ElementsAre(75.99, 24.24));
  EXPECT_THAT(percent("gin", molecules), testing::ElementsAre(75.58, 22.66));
  EXPECT_THAT(percent("gin-vn", molecules), testing::ElementsAre(77.07, 27.03));
  EXPECT_EQ(paper_catalogue().figures.size(), 24U);
}

/// The contents of the paper's tables, column by column.
TEST(PaperCatalogue, HasSplitMetricAndEpochsOfEveryDataSet) {
  std::set<std::string> in_tables;
  for (const PaperTable& table : paper_tables()) {
    for (const TableColumn& column : table.layout.columns) in_tables.insert(column.dataset);
  }
  EXPECT_EQ(in_tables.size(), 16U + 6);
  for (const Catalogue::Data& data : paper_catalogue().datasets) {
    EXPECT_TRUE(in_tables.contains(data.name)) << data.name;
    EXPECT_EQ(canonical_dataset(data.label == "D&D" ? data.label : data.name), data.name);
    const bool molecules = data.name.starts_with("ogbg-");
    const bool range = data.name.ends_with(":matched") || data.name.starts_with("cc-crossing");
    EXPECT_EQ(data.epochs, molecules || range ? 100 : 200) << data.name;
    EXPECT_EQ(data.metric, !molecules                   ? "accuracy"
                           : data.name == "ogbg-molhiv" ? "roc_auc"
                                                        : "average_precision");
  }
}

TEST(PaperDepth, IsThePapers) {
  EXPECT_EQ(paper_depth("gcn", "cora"), 2);
  EXPECT_EQ(paper_depth("hgnet-louvain", "cora"), 1);
  EXPECT_EQ(paper_depth("hgnet-edgepool", "NCI1"), 2);
  EXPECT_EQ(paper_depth("g-unet", "cora"), 4);
  EXPECT_EQ(paper_depth("gin", "ogbg-molhiv"), 5);
  EXPECT_EQ(paper_depth("hgnet-edgepool", "ogbg-molpcba"), 2);
}

TEST(DepthLabel, CountsLayersLevelsOrRounds) {
  EXPECT_EQ(depth_label("GIN", "gin", 1), "GIN, 1 layer");
  EXPECT_EQ(depth_label("GIN", "gin", 0), "GIN");
  EXPECT_EQ(depth_label("HGNet", "hgnet-louvain", 3), "HGNet, 3 levels");
  EXPECT_EQ(depth_label("WL", "wl", 0), "WL, 0 rounds");
}

}  // namespace
}  // namespace hgnet
