// Sections of the HTML report.

#pragma once

#include <span>

#include "hgnet/report/claims.hpp"
#include "hgnet/report/results.hpp"
#include "hgnet/report/tables.hpp"
#include "report/markup.hpp"

namespace hgnet {

struct PlainCell {
  Markup content;
  std::string sort_by = {};  // a number; empty: the content
  std::string css_class = {};
};

using PlainRow = std::vector<PlainCell>;

/// A table that scrolls sideways if needed; the first cell of a row is its heading. Headings that
/// begin with # mark columns of numbers.
Markup plain_table(std::string_view label, bool sortable, const std::vector<std::string>& headings,
                   const std::vector<PlainRow>& rows);

/// A table as a heat map, with the values of all fits behind it.
Markup table_section(const ResultTable& table, const Catalogue& catalogue);

/// Claims with their checks, those that differ in their reading alone in one article.
Markup claim_articles(std::span<const Claim> claims);
/// The verdicts on all claims, with links to their articles.
Markup verdict_list(std::span<const Claim> claims);

/// Charts for the form of this name; empty if there is nothing to draw.
struct ChartSection {
  const char* id;
  const char* link;
  Markup charts;
};

std::vector<ChartSection> chart_sections(std::span<const ResultTable> tables,
                                         const Results& results);

/// The files in src/report/assets.
extern const char* const kReportForms;
extern const char* const kReportStyle;
extern const char* const kReportScript;

/// What stands below the comment with this name in forms.html.
std::string_view form(std::string_view name);

}  // namespace hgnet
