#include "hgnet/report/writers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/claims.hpp"
#include "support/sample_records.hpp"

namespace hgnet {
namespace {

using test::sample_fit;
using testing::HasSubstr;
using testing::Not;

std::vector<FitRecord> three_seeds(const std::string& dataset, const std::string& model,
                                   double score) {
  return {sample_fit(dataset, model, 2, score - 0.01, 0), sample_fit(dataset, model, 2, score, 1),
          sample_fit(dataset, model, 2, score + 0.01, 2)};
}

/// Parses RFC 4180.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> lines(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && text[i + 1] == '"') {
      lines.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      lines.back().emplace_back();
    } else if (!quoted && c == '\r') {
      lines.push_back({""});
      ++i;
    } else {
      lines.back().back() += c;
    }
  }
  lines.pop_back();
  return lines;
}

TEST(Markdown, ShowsMeansBestAndMissing) {
  std::vector<FitRecord> fits = three_seeds("cora", "gcn", 0.8);
  FitRecord quick = sample_fit("cora", "gat", 2, 0.75);
  quick.quick = true;
  fits.push_back(quick);
  const Results results = paper_results({fits, {}, {}});
  const std::string text = to_markdown(result_tables(results), {}, {}, "A *title*");
  EXPECT_THAT(text, HasSubstr("# A \\*title\\*"));
  EXPECT_THAT(text, HasSubstr("| GCN | – | **80.0 ± 1.0** (3) | – |"));
  EXPECT_THAT(text, HasSubstr("| GAT | – | 75.0 q (1) | – |"));
  EXPECT_THAT(text, HasSubstr("q: quick fits"));
  EXPECT_THAT(to_latex(result_tables(results)), HasSubstr("q: quick fits"));
  EXPECT_THAT(text, HasSubstr("| *GCN, published* | 70.3 | 81.5 | 79.0 |"));
}

TEST(Tables, SayWhereFitsAreShorterThanThePapers) {
  std::vector<FitRecord> fits = three_seeds("cora", "gcn", 0.8);
  for (FitRecord& fit : fits) fit.epochs = 40;
  fits.push_back(sample_fit("cora", "gat", 2, 0.75));
  FitRecord molecules = sample_fit("ogbg-molhiv", "gcn", 5, 0.75);
  molecules.epochs = 100;  // the paper's
  fits.push_back(molecules);
  const Results results = paper_results({fits, {}, {}});
  const auto tables = result_tables(results);
  const std::string markdown = to_markdown(tables, {}, {}, "");
  EXPECT_THAT(markdown, HasSubstr("| 80.0 ± 1.0 (40 epochs) (3) |"));
  EXPECT_THAT(markdown, HasSubstr("| **75.0** (1) |"));
  EXPECT_THAT(markdown, Not(HasSubstr("(100 epochs)")));
  EXPECT_THAT(to_csv(tables), HasSubstr(",40 epochs,"));
  EXPECT_THAT(to_latex(tables), HasSubstr("(40 epochs)"));
}

TEST(Markdown, EscapesNames) {
  const Results results = paper_results({{sample_fit("a|b_<c>", "gcn", 2, 0.5)}, {}, {}});
  EXPECT_THAT(to_markdown(result_tables(results), {}, {}, "t"), HasSubstr("a\\|b\\_\\<c\\>"));
}

TEST(Markdown, ListsClaimsWithTheirNumbers) {
  const Claim claim{9,
                    "A claim",
                    "It is so.",
                    {{"x", "a quote", "y", {{"z", Verdict::kFails, "1 and 2", {}}}, 1, true}}};
  const std::string text = to_markdown({}, std::span(&claim, 1), {}, "t");
  EXPECT_THAT(text, HasSubstr("### 9. A claim: does not hold (quick or shortened fits)"));
  EXPECT_THAT(text, HasSubstr("0 of 1 (needed 1)"));
  EXPECT_THAT(text, HasSubstr("Rule: y. The paper: \"a quote\""));
  EXPECT_THAT(text, HasSubstr("z: does not hold (1 and 2)"));
}

TEST(Csv, HasALineForEveryCellWithItsValues) {
  const Results results = paper_results(test::sample_records());
  const std::vector<ResultTable> tables = result_tables(results);
  const auto lines = parse_csv(to_csv(tables));
  ASSERT_EQ(lines.size(), results.groups().size() + 1);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    ASSERT_EQ(lines[i].size(), lines[0].size());
    // The mean, computed again from the values.
    double sum = 0;
    int count = 0;
    std::istringstream values(lines[i][10]);
    for (std::string item; std::getline(values, item, ';'); ++count)
      sum += std::stod(item.substr(item.find(':') + 1));
    ASSERT_EQ(std::to_string(count), lines[i][7]);
    ASSERT_NEAR(sum / count, std::stod(lines[i][8]), 1e-8);
  }
  EXPECT_EQ(lines.back()[1], "<b>my & \"graph\"</b>");
}

TEST(Csv, NamesTheReadingOfEveryCell) {
  FitRecord run = sample_fit("cc-grid16:fixed-starts", "gin", 4, 0.9);
  run.reading = "as-run";
  const Results results = paper_results({{sample_fit("cc-grid16", "gin", 4, 0.7), run}, {}, {}});
  const auto lines = parse_csv(to_csv(result_tables(results)));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0][12], "reading");
  EXPECT_EQ(lines[1][12], "as-written");
  EXPECT_EQ(lines[2][12], "as-run");
  EXPECT_EQ(lines[2][8], "0.9");
}

TEST(Latex, EscapesAndBalances) {
  const Results results = paper_results({{sample_fit("50%_{x}\\y", "gcn", 2, 0.5)}, {}, {}});
  const std::string text = to_latex(result_tables(results));
  EXPECT_THAT(text, HasSubstr("50\\%\\_\\{x\\}\\textbackslash{}y"));
  EXPECT_THAT(text, HasSubstr("\\toprule"));
  EXPECT_THAT(text, HasSubstr("D\\&D"));
  std::size_t begins = 0;
  std::size_t ends = 0;
  for (std::size_t at = 0; (at = text.find("\\begin{", at)) != std::string::npos; ++at) ++begins;
  for (std::size_t at = 0; (at = text.find("\\end{", at)) != std::string::npos; ++at) ++ends;
  EXPECT_EQ(begins, 10U);  // five tables
  EXPECT_EQ(ends, begins);
}

TEST(Latex, MarksBestAndQuick) {
  std::vector<FitRecord> fits = three_seeds("cora", "gcn", 0.8);
  fits.push_back(sample_fit("cora", "gat", 2, 0.75));
  fits.back().quick = true;
  const Results results = paper_results({fits, {}, {}});
  const std::string text = to_latex(result_tables(results));
  EXPECT_THAT(text, HasSubstr("$\\mathbf{80.0 \\pm 1.0}$ (3)"));
  EXPECT_THAT(text, HasSubstr("$75.0^{q}$"));
}

TEST(Json, HasTablesAndClaims) {
  const Results results = paper_results(test::sample_records());
  const std::vector<ResultTable> tables = result_tables(results);
  const std::vector<Claim> claims = check_result_claims(results);
  const auto json = nlohmann::json::parse(to_json(results, tables, claims, {}));
  EXPECT_EQ(json["fits"], results.fits().size());
  EXPECT_EQ(json["tables"][0]["id"], "table1");
  EXPECT_EQ(json["tables"][0]["cells"][0]["values"].size(), 10U);
  EXPECT_EQ(json["claims"][0]["verdict"], "holds");
  EXPECT_EQ(json["claims"][0]["reading"], "as-written");
  EXPECT_EQ(json["tables"][0]["cells"][0]["reading"], "both");
  EXPECT_EQ(json["claims"][0]["checks"][0]["parts"][0]["pairs"], 30);
}

}  // namespace
}  // namespace hgnet
