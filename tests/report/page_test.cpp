#include "hgnet/report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/claims.hpp"
#include "support/errors.hpp"
#include "support/sample_records.hpp"

namespace hgnet {
namespace {

using test::error_of;
using test::sample_fit;
using testing::HasSubstr;
using testing::Not;

PageParts parts_of(Records records) {
  const Results results = paper_results(std::move(records));
  return page_parts(results, result_tables(results), check_result_claims(results),
                    check_range_findings(results));
}

std::string fault_of(const std::string& page) {
  return error_of<InvalidFile>([&] {
    filled_page(page, {{"claims", "hold\n"}, {"table1", "81\n"}}, "p.md");
  });
}

TEST(Page, KeepsWhatIsWrittenByHandAndReplacesTheParts) {
  const std::string page =
      "# Prose\n<!-- report: table1 -->\nold\n\nolder\n<!-- end -->\nMore prose\n"
      "<!-- report: claims -->\n<!-- end -->\n<!-- a remark -->\n";
  const PageParts parts = {{"table1", "| a |\n"}, {"claims", "- hold\n"}};
  const std::string filled = filled_page(page, parts, "p.md");
  EXPECT_EQ(filled,
            "# Prose\n<!-- report: table1 -->\n\n| a |\n\n<!-- end -->\nMore prose\n"
            "<!-- report: claims -->\n\n- hold\n\n<!-- end -->\n<!-- a remark -->\n");
  EXPECT_EQ(filled_page(filled, parts, "p.md"), filled) << "a second time changes nothing";
}

TEST(Page, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(fault_of("\n<!-- report: tabel1 -->\n<!-- end -->\n"),
            "p.md:2: unknown part 'tabel1'; did you mean table1? Expected one of claims, table1");
  EXPECT_EQ(fault_of("a\n<!-- report: claims -->\nb\n"),
            "p.md:2: the part has no end: a line <!-- end -->");
  EXPECT_EQ(fault_of("<!-- report: claims -->\nb\n<!-- report: table1 -->\n<!-- end -->\n"),
            "p.md:3: a part begins before that of line 1 ends");
  EXPECT_EQ(fault_of("b\n<!-- end -->\n"), "p.md:2: the end of no part");
}

TEST(PageParts, HaveTheTablesWithoutTitles) {
  const PageParts parts = parts_of({{sample_fit("cora", "gcn", 2, 0.8)}, {}, {}});
  EXPECT_THAT(parts.at("table1"), HasSubstr("| GCN | – | **80.0** (1) |"));
  EXPECT_THAT(parts.at("table1"), Not(HasSubstr("Table 1")));
  EXPECT_THAT(parts.at("claims"), HasSubstr("- **1. Citation networks, as written: not enough"));
}

TEST(PageParts, SayHowManyFitsThereAreAndWhoMadeThem) {
  FitRecord old = sample_fit("cora", "gcn", 2, 0.8, 0);
  old.version = "hgnet 0.1.0";
  old.seconds["total"] = 1800;
  FitRecord young = sample_fit("cora", "gin", 2, 0.7, 1);
  young.version = "hgnet 0.2.0";
  young.machine = "Abacus, 2 cores";
  young.seconds["total"] = 3600;
  young.config["epochs"] = JsonValue::parsed("20");
  const std::string text = parts_of({{old, young}, {}, {}}).at("fits");
  EXPECT_THAT(text, HasSubstr("| Table 1 | Cora | 2 | 2 |"));
  EXPECT_THAT(text, HasSubstr("| 1.5 |\n"));
  EXPECT_THAT(text, HasSubstr("- 1 fit of hgnet 0.1.0: 0.5 hours\n"));
  EXPECT_THAT(text, HasSubstr("- 1 fit of hgnet 0.2.0 on Abacus, 2 cores: 1.0 hours\n"));
}

TEST(PageParts, ShowRecalibratedScoresBesideTheOthers) {
  FitRecord gcn = sample_fit("cc-grid16", "gcn", 4, 0.5, 0);
  gcn.recalibrated = {{"test", {{"accuracy", 0.8}}}};
  gcn.curve["val"] = {0.5, 0.625};
  gcn.curve["val_recalibrated"] = {0.75, 0.875};
  FitRecord without = sample_fit("cc-grid16", "gin", 4, 0.9, 0);
  const PageParts parts = parts_of({{gcn, without}, {}, {}});
  EXPECT_THAT(parts.at("recalibrated"),
              HasSubstr("| Table 4 | C-C 16x16 grid | 1 | 50.0 | 80.0 | 30.0 | 0.0 |"));
  EXPECT_THAT(parts.at("curves"), HasSubstr("running statistics | 56.2 | 50.0 | 62.5 |"));
  EXPECT_THAT(parts.at("curves"), HasSubstr("recomputed | 81.2 | 75.0 | 87.5 |"));
  EXPECT_THAT(parts.at("curves"), Not(HasSubstr("GIN")));
}

TEST(PageParts, ShowInfluenceRelativeToTheNodeItself) {
  ProbeRecord probe{"cc-grid16",         "gcn",        4, 0, 0, 200, {0, 1, 2, 4},
                    {0.5, 0.25, 0.1, 0}, {1, 4, 8, 16}};
  const std::string text = parts_of({{}, {probe}, {}}).at("probes");
  EXPECT_THAT(text, HasSubstr("| GCN, 4 layers | C-C 16x16 grid | 200 | 0 | 0.5 | 0.2 | 0 | – |"));
}

}  // namespace
}  // namespace hgnet
