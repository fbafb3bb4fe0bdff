#include "hgnet/report/html.hpp"

#include <algorithm>
#include <set>

#include "report/html_parts.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

std::string duration_text(double seconds) {
  if (seconds < 120) return fixed(seconds, 1) + " s";
  if (seconds < 7200) return fixed(seconds / 60, 0) + " min";
  return fixed(seconds / 3600, 1) + " h";
}

Markup tile(const std::string& value, const std::string& label) {
  return markup("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", value, label);
}

Markup list_item(const std::string& text) { return markup("<li>{}</li>\n", text); }

/// How many claims hold in a reading.
Markup claims_tile(std::span<const Claim> claims, Reading reading, bool named) {
  std::map<Verdict, int> count;
  int all = 0;
  for (const Claim& claim : claims) {
    if (claim.reading.value_or(reading) != reading) continue;
    ++count[claim.verdict()];
    ++all;
  }
  const auto of = [&](Verdict verdict) { return std::to_string(count[verdict]); };
  return tile(of(Verdict::kHolds) + " of " + std::to_string(all),
              "claims hold" + (named ? ", " + reading_text(reading) : "") + "; " +
                  of(Verdict::kFails) + " do not, " + of(Verdict::kTie) + " tie, " +
                  of(Verdict::kNotEnoughRuns) + " lack fits");
}

Markup claims_tiles(std::span<const Claim> claims) {
  if (claims.empty()) return {};
  const bool both = std::ranges::find(claims, Reading::kAsRun, &Claim::reading) != claims.end();
  Markup out = claims_tile(claims, Reading::kAsWritten, both);
  if (both) out += claims_tile(claims, Reading::kAsRun, true);
  return out;
}

Markup summary_section(const ReportContent& content) {
  std::set<std::string> datasets, models;
  std::size_t fits = 0;
  std::size_t quick = 0;
  double seconds = 0;
  for (const FitGroup& group : content.results.groups()) {
    datasets.insert(group.key.dataset);
    models.insert(group.key.model);
    fits += group.fits.size();
    quick += group.key.quick ? group.fits.size() : 0;
    seconds += group.train_seconds.mean * group.train_seconds.count;
  }
  Markup tiles = tile(std::to_string(fits),
                      quick == 0 ? "fits" : "fits, " + std::to_string(quick) + " of them quick");
  tiles += tile(std::to_string(datasets.size()), "data sets");
  tiles += tile(std::to_string(models.size()), "models");
  tiles += tile(duration_text(seconds), "of training");
  tiles += claims_tiles(content.claims);
  const std::vector<std::string>& notes = content.results.notes();
  return markup(form("summary"), tiles, quick > 0 ? markup(form("quick")) : Markup(),
                verdict_list(content.claims),
                notes.empty()
                    ? Markup()
                    : markup(form("notes"), counted(notes.size(), "note"), each(notes, list_item)));
}

Markup facts_section(const FactTable& table) {
  std::vector<PlainRow> rows;
  for (const std::vector<std::string>& texts : table.rows) {
    PlainRow& row = rows.emplace_back();
    for (const std::string& text : texts) row.push_back({markup("{}", text)});
  }
  return markup(form("facts"), table.id, table.title, table.caption,
                plain_table(table.title, false, table.headings, rows));
}

Markup pictures(std::span<const ReportFigure> figures) {
  return each(figures, [](const ReportFigure& figure) {
    return markup(form("picture"), figure.title, figure.caption, Markup{figure.svg});
  });
}

/// The commands, versions and machines that the fits were made with.
Markup commands_section(std::span<const ResultTable> tables, const Results& results) {
  Markup lists;
  for (const ResultTable& table : tables) {
    std::vector<PlainRow> rows;
    for (const FitGroup* group : table.groups()) {
      const std::string& command = group->fits.front()->command;
      if (!command.empty())
        rows.push_back({{markup("{}", group->label)},
                        {markup("{}", group->place)},
                        {markup("<code>{}</code>", command)}});
    }
    if (!rows.empty())
      lists += markup("<details><summary>{}: {}</summary>\n{}</details>\n", table.layout.title,
                      counted(rows.size(), "command"),
                      plain_table("Commands", true, {"Model", "Data", "Command"}, rows));
  }
  return markup(form("commands"), each(results.origins(), list_item), lists);
}

}  // namespace

std::string_view form(std::string_view name) {
  const std::string heading = "<!-- " + std::string(name) + " -->\n";
  std::string_view below = kReportForms;
  below = below.substr(below.find(heading)).substr(heading.size());  // throws if there is none
  return below.substr(0, below.find("<!-- "));
}

std::string to_html(const ReportContent& content) {
  const Catalogue& catalogue = content.results.catalogue();
  Markup links, body;
  const auto add = [&](std::string_view id, std::string_view link, const Markup& section) {
    if (!section.empty()) links += markup("<a href=\"#{}\">{}</a>\n", id, link);
    body += section;
  };
  // The contents in the form of the same name; nothing if there are none.
  const auto add_in_form = [&](std::string_view id, std::string_view link, const Markup& inside) {
    if (!inside.empty()) add(id, link, markup(form(id), inside));
  };
  add("summary", "Summary", summary_section(content));
  add_in_form("claims", "Claims", claim_articles(content.claims));
  add_in_form("findings", "Findings", claim_articles(content.findings));
  for (const ResultTable& table : content.tables)
    add(table.layout.id, short_title(table.layout.title), table_section(table, catalogue));
  for (const FactTable& table : content.facts)
    add(table.id, short_title(table.title), facts_section(table));
  for (const auto& [id, link, charts] : chart_sections(content.tables, content.results))
    add_in_form(id, link, charts);
  add_in_form("pictures", "Pictures", pictures(content.figures));
  add("commands", "Commands", commands_section(content.tables, content.results));
  // The theme is set before anything is drawn; see the script for the button.
  return markup(form("page"), content.version, content.title, Markup{kReportStyle}, links,
                content.title, content.subject, content.version, body, Markup{kReportScript})
      .text;
}

}  // namespace hgnet
