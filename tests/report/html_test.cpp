#include "hgnet/report/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <regex>

#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/claims.hpp"
#include "hgnet/report/chart.hpp"
#include "support/sample_records.hpp"

namespace hgnet {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string html_of(const Results& results, std::span<const Claim> claims = {}) {
  const std::vector<ResultTable> tables = result_tables(results);
  const ReportFigure figure{"A <figure>", "with a caption", "<svg></svg>"};
  return to_html(
      {"A & B", "About <it>.", "hgnet 0", results, tables, claims, {}, std::span(&figure, 1)});
}

/// Without the elements of this name.
std::string without(const std::string& html, const std::string& name) {
  const std::string end = "</" + name + ">";
  std::string result;
  std::size_t from = 0;
  for (std::size_t at; (at = html.find("<" + name + ">", from)) != std::string::npos;) {
    result += html.substr(from, at - from);
    from = html.find(end, at) + end.size();
  }
  return result + html.substr(from);
}

/// Without style and script, which have their own syntax.
std::string markup(const std::string& html) { return without(without(html, "style"), "script"); }

/// The first error in the tags: one that is not closed, or closed by another. Empty: none.
std::string tag_error(const std::string& text) {
  static const std::array kVoid = {"meta", "link", "br"};
  std::vector<std::string> open;
  for (std::size_t i = 0; (i = text.find('<', i)) != std::string::npos;) {
    if (text.compare(i, 2, "<!") == 0) {
      i = text.find('>', i);
      continue;
    }
    const bool closing = text[i + 1] == '/';
    std::size_t end = i + (closing ? 2 : 1);
    std::string name;
    while (std::isalnum(static_cast<unsigned char>(text[end])) != 0) name += text[end++];
    if (name.empty()) return "a bare < at: " + text.substr(i, 40);
    bool quoted = false;
    while (end < text.size() && (quoted || text[end] != '>')) {
      if (text[end] == '"') quoted = !quoted;
      if (!quoted && text[end] == '<') return "a < inside a tag: " + text.substr(i, 60);
      ++end;
    }
    if (closing) {
      if (open.empty() || open.back() != name)
        return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back());
      open.pop_back();
    } else if (text[end - 1] != '/' && std::find(kVoid.begin(), kVoid.end(), name) == kVoid.end()) {
      open.push_back(name);
    }
    i = end;
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

TEST(TagError, SeesWhatIsWrong) {
  EXPECT_EQ(tag_error("<p>a<br>b</p><path d=\"M0 0\"/>"), "");
  EXPECT_NE(tag_error("<p>a"), "");
  EXPECT_NE(tag_error("<p><b>a</p></b>"), "");
  EXPECT_NE(tag_error("a < b"), "");
}

TEST(Html, IsWellFormedAndNeedsNothingElse) {
  const Results results = paper_results(test::sample_records());
  const std::vector<Claim> claims = check_result_claims(results);
  const std::string html = html_of(results, claims);
  EXPECT_EQ(tag_error(markup(html)), "");
  EXPECT_THAT(html, Not(HasSubstr("src=")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, Not(HasSubstr("https:")));
  for (const char* id : {"summary", "claims", "table1", "table2", "table3", "table4", "others",
                         "depth", "time", "curves", "probes", "pictures", "commands"}) {
    EXPECT_THAT(html, HasSubstr("<section id=\"" + std::string(id) + "\"")) << id;
    EXPECT_THAT(html, HasSubstr("href=\"#" + std::string(id) + "\"")) << id;
  }
}

TEST(Html, ShowsBothReadingsSideBySide) {
  const Results results = paper_results(test::sample_records_of_both_readings());
  const std::vector<ResultTable> tables = result_tables(results);
  const std::vector<Claim> claims = check_result_claims(results);
  const std::vector<FactTable> facts = {dataset_facts()};
  const std::string html = to_html({"t", "s", "v", results, tables, claims, {}, {}, facts});
  EXPECT_EQ(tag_error(markup(html)), "");
  EXPECT_THAT(html, HasSubstr("C-C 16x16 grid<small>as written</small><small>accuracy, %</small>"));
  EXPECT_THAT(html, HasSubstr("C-C 16x16 grid<small>as run</small><small>accuracy, %</small>"));
  EXPECT_THAT(html, HasSubstr("<h4>As run "));
  EXPECT_THAT(html, HasSubstr("claims hold, as run; "));
  EXPECT_THAT(html, HasSubstr("with statistics recomputed: test "));
  EXPECT_THAT(html, HasSubstr("Table A.1. Data sets"));
  EXPECT_THAT(html, HasSubstr("ogbg-molhiv<small>validation</small><small>ROC-AUC, %</small>"));
}

TEST(Html, EscapesWhatUsersName) {
  const Results results = paper_results(test::sample_records());
  const std::string html = html_of(results);
  EXPECT_THAT(html, Not(HasSubstr("<b>my")));
  EXPECT_THAT(html, HasSubstr("&lt;b&gt;my &amp; &quot;graph&quot;&lt;/b&gt;"));
  EXPECT_THAT(html, HasSubstr("<title>A &amp; B</title>"));
  EXPECT_THAT(html, HasSubstr("A &lt;figure&gt;"));
  EXPECT_THAT(html, HasSubstr("About &lt;it&gt;. Written by hgnet 0."));
}

TEST(Html, EscapesEveryTextOfARecord) {
  const std::string evil = "\"'><script>alert(1)</script>";
  FitRecord fit = test::sample_fit(evil, evil, 2, 0.5);
  fit.split = fit.version = fit.command = fit.receptive_field = fit.table = evil;
  fit.metric = evil;
  fit.metrics = {{"test", {{evil, 0.5}}}, {"val", {{evil, 0.5}}}};
  fit.curve["val"] = {0.1, 0.5};
  fit.seconds["train"] = 1;
  const Results results =
      paper_results({{fit}, {{evil, evil, 1, 0, -1, 0, {0, 1}, {1, 0.5}, {}}}, {evil}});
  const std::string html = html_of(results);
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_EQ(tag_error(markup(html)), "");
}

TEST(Html, CellsCarryTheirFits) {
  const Results results = paper_results(
      {{test::sample_fit("cora", "gcn", 2, 0.80, 0), test::sample_fit("cora", "gcn", 2, 0.82, 4)},
       {},
       {}});
  const std::string html = html_of(results);
  EXPECT_THAT(html, HasSubstr("81.0 ± 1.4 over 2 fits"));
  EXPECT_THAT(html, HasSubstr("seed 0: 80.0\nseed 4: 82.0"));
  EXPECT_THAT(html, HasSubstr("published: 81.5"));
}

TEST(Html, SaysWhereFitsAreQuickOrMissing) {
  FitRecord quick = test::sample_fit("cora", "gcn", 2, 0.8);
  const Results full = paper_results({{quick}, {}, {}});
  EXPECT_THAT(html_of(full), Not(HasSubstr("<b>Quick fits.</b>")));
  quick.quick = true;
  const Results results = paper_results({{quick}, {}, {}});
  EXPECT_THAT(html_of(results), HasSubstr("<b>Quick fits.</b>"));
  EXPECT_THAT(html_of(results), HasSubstr("There are no fits of this table yet."));
}

Chart chart_of(std::vector<ChartPoint> points) {
  return {"a chart",
          {"x", false, false},
          {"y", false, false},
          true,
          true,
          {{"s", 0, 0, std::move(points)}}};
}

std::vector<double> tick_labels(const std::string& svg, const std::string& kind) {
  std::vector<double> labels;
  const std::regex tick("class=\"tick " + kind + "\"[^>]*>([^<]*)<");
  for (std::sregex_iterator it(svg.begin(), svg.end(), tick), end; it != end; ++it)
    labels.push_back(std::stod((*it)[1]));
  return labels;
}

TEST(Chart, PutsPointsWhereTheAxesSay) {
  const std::string svg = chart_svg(chart_of({{0, 10, 0, "a"}, {4, 30, 0, "b"}}));
  EXPECT_EQ(tag_error(svg), "");
  EXPECT_THAT(tick_labels(svg, "middle"), testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(tick_labels(svg, "end"), testing::ElementsAre(10, 15, 20, 25, 30));
  // The line goes through the positions of the ticks 0, 10 and 4, 30.
  std::smatch line;
  ASSERT_TRUE(std::regex_search(
      svg, line, std::regex("class=\"line\" d=\"M([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)\"")));
  EXPECT_THAT(svg, HasSubstr("x=\"" + line[1].str() + "\""));
  EXPECT_THAT(svg, HasSubstr("x=\"" + line[3].str() + "\""));
  EXPECT_GT(std::stod(line[2]), std::stod(line[4]));  // higher values are further up
}

TEST(Chart, LeavesOutWhatCannotBeDrawn) {
  Chart chart =
      chart_of({{1, 1, 0, "one"}, {2, NAN, 0, "none"}, {3, 0, 0, "zero"}, {4, 1e-5, 0, "small"}});
  chart.y.logarithmic = true;
  const std::string svg = chart_svg(chart);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  EXPECT_THAT(svg, Not(HasSubstr("<title>none")));
  EXPECT_THAT(svg, Not(HasSubstr("<title>zero")));
  EXPECT_THAT(svg, HasSubstr("<title>small"));
  EXPECT_THAT(svg, HasSubstr(">1e-5<"));
}

TEST(Chart, NarrowLogarithmicAxesHaveTicks) {
  for (const double low : {1.0, 61.0, 110.0, 210.0, 1300.0}) {
    Chart chart = chart_of({{low, 1, 0, "a"}, {1.2 * low, 2, 0, "b"}});
    chart.x.logarithmic = true;
    const std::string svg = chart_svg(chart);
    const std::regex tick(R"(class="tick middle"[^>]*>0?[.]?[125]0*</text>)");
    EXPECT_GE(std::distance(std::sregex_iterator(svg.begin(), svg.end(), tick), {}), 2) << svg;
  }
}

TEST(Chart, CopesWithExtremes) {
  EXPECT_THAT(chart_svg(chart_of({})), HasSubstr("nothing to draw"));
  for (const double value : {0.0, 1e18, -1e300, 1e-300}) {
    const std::string svg = chart_svg(chart_of({{value, value, 0, ""}}));
    EXPECT_THAT(svg, Not(HasSubstr("nan"))) << value;
    EXPECT_LT(svg.size(), 20000U);
  }
  const std::string near = chart_svg(chart_of({{1e18, 0, 0, ""}, {1e18 + 128, 1, 0, ""}}));
  EXPECT_LT(near.size(), 20000U);
}

}  // namespace
}  // namespace hgnet
