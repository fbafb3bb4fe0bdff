#include "hgnet/report/html.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "report/html_parts.hpp"
#include "report/number_text.hpp"
#include "report/origins.hpp"

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

/// The verdicts on the claims in a reading; empty if there are none.
Markup claims_tile(std::span<const Claim> claims, Reading reading, bool named) {
  std::array<int, 4> count{};
  int all = 0;
  for (const Claim& claim : claims) {
    if (claim.reading.value_or(reading) != reading) continue;
    ++count[static_cast<std::size_t>(claim.verdict())];
    ++all;
  }
  const auto of = [&](Verdict verdict) {
    return std::to_string(count[static_cast<std::size_t>(verdict)]);
  };
  return tile(of(Verdict::kHolds) + " of " + std::to_string(all),
              "claims hold" + (named ? ", " + reading_text(reading) : "") + "; " +
                  of(Verdict::kFails) + " do not, " + of(Verdict::kTie) + " tie, " +
                  of(Verdict::kNotEnoughRuns) + " lack fits");
}

Markup claims_tiles(std::span<const Claim> claims) {
  if (claims.empty()) return {};
  const bool both = std::any_of(claims.begin(), claims.end(), [](const Claim& claim) {
    return claim.reading == Reading::kAsRun;
  });
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
  Markup verdicts, notes;
  for (const std::span<const Claim> same : by_number(content.claims))
    verdicts += markup("<li>{} <a href=\"#claim{}\">{}. {}</a></li>\n", verdict_badges(same),
                       same.front().number, same.front().number, same.front().title);
  for (const std::string& note : content.results.notes()) notes += markup("<li>{}</li>\n", note);
  Markup out =
      markup("<section id=\"summary\">\n<div class=\"tiles\">\n{}{}{}{}{}</div>\n",
             tile(std::to_string(fits),
                  quick == 0 ? "fits" : "fits, " + std::to_string(quick) + " of them quick"),
             tile(std::to_string(datasets.size()), "data sets"),
             tile(std::to_string(models.size()), "models"),
             tile(duration_text(seconds), "of training"), claims_tiles(content.claims));
  if (quick > 0)
    out += markup(
        R"(<p class="warning"><b>Quick fits.</b> Figures marked <abbr class="quick">q</abbr> come from shortened fits: few
epochs, folds or graphs. They show that the program works, not what the models can do.</p>
)");
  if (!verdicts.empty()) out += markup("<ul class=\"verdicts\">\n{}</ul>\n", verdicts);
  if (!notes.empty())
    out += markup(
        "<details class=\"notes\"><summary>{} on the records</summary>\n<ul>\n{}</ul></details>\n",
        counted(content.results.notes().size(), "note"), notes);
  return out += markup("</section>\n");
}

Markup facts_section(const FactTable& table) {
  Markup rows;
  for (const std::vector<std::string>& row : table.rows) {
    rows += markup("<tr>");
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool number = table.headings[c].starts_with("#");
      rows += c == 0 ? markup(R"(<th scope="row">{}</th>)", row[c])
                     : markup("<td{}>{}</td>", markup(number ? R"( class="number")" : ""), row[c]);
    }
    rows += markup("</tr>\n");
  }
  return markup("<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"caption\">{}</p>\n{}</section>\n",
                table.id, table.title, table.caption,
                plain_table(table.title, false, table.headings, rows));
}

Markup figures_section(std::span<const ReportFigure> figures) {
  if (figures.empty()) return {};
  Markup out = markup("<section id=\"pictures\">\n<h2>Pictures</h2>\n");
  for (const ReportFigure& figure : figures)
    out += markup(R"(<figure class="picture"><figcaption><b>{}.</b> {}</figcaption>
<div class="paper">{}</div></figure>
)",
                  figure.title, figure.caption, Markup{figure.svg});
  return out += markup("</section>\n");
}

/// The commands, versions and machines that the fits were made with.
Markup commands_section(std::span<const ResultTable> tables, const Results& results) {
  Markup items;
  for (const std::string& origin : origins(results)) items += markup("<li>{}</li>\n", origin);
  Markup out = markup(R"(<section id="commands">
<h2>Commands and versions</h2>
<p class="caption">The first fit of each group; the others differ in seed and fold.</p>
<ul class="versions">
{}</ul>
)",
                      items);
  for (const ResultTable& table : tables) {
    std::size_t count = 0;
    Markup rows;
    for (const FitGroup* group : table.groups()) {
      const std::string& command = group->fits.front()->command;
      if (command.empty()) continue;
      ++count;
      rows += markup("<tr><th scope=\"row\">{}</th><td>{}</td><td><code>{}</code></td></tr>\n",
                     group->label, group->place, command);
    }
    if (count > 0)
      out += markup("<details><summary>{}: {}</summary>\n{}</details>\n", table.layout.title,
                    counted(count, "command"),
                    plain_table("Commands", true, {"Model", "Data", "Command"}, rows));
  }
  return out += markup("</section>\n");
}

}  // namespace

std::string to_html(const ReportContent& content) {
  const Catalogue& catalogue = content.results.catalogue();
  Markup links, body;
  const auto add = [&](const std::string& id, const std::string& label, const Markup& section) {
    if (!section.empty()) links += markup("<a href=\"#{}\">{}</a>\n", id, label);
    body += section;
  };
  add("summary", "Summary", summary_section(content));
  add("claims", "Claims", claims_section(content.claims));
  add("findings", "Findings", findings_section(content.findings));
  for (const ResultTable& table : content.tables) {
    const std::string& title =
        table.layout.title;  // "Table 1" of "Table 1. Legacy graph benchmarks"
    add(table.layout.id, title.substr(0, title.find('.')), table_section(table, catalogue));
  }
  for (const FactTable& table : content.facts)
    add(table.id, table.title.substr(0, table.title.find(". ")), facts_section(table));
  add("depth", "Depth", depth_section(content.tables, catalogue));
  add("hops", "Hops", hops_section(content.tables, catalogue));
  add("time", "Time", time_section(content.tables, catalogue));
  add("curves", "Learning curves", learning_curves_section(content.tables, catalogue));
  add("probes", "Probes", probe_section(content.results));
  add("pictures", "Pictures", figures_section(content.figures));
  add("commands", "Commands", commands_section(content.tables, content.results));
  // The theme is set before anything is drawn; see the script for the button.
  return markup(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="{}">
<link rel="icon" href="data:,">
<title>{}</title>
<style>
{}</style>
<script>
document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
</script>
</head>
<body>
<nav aria-label="Sections"><div class="bar"><div class="links">
{}</div><button type="button" id="theme" hidden>Dark</button></div></nav>
<main>
<header class="masthead"><h1>{}</h1>
<p>{} Written by {}.</p></header>
{}</main>
<div id="tip" role="status" hidden></div>
<script>
{}</script>
</body>
</html>
)",
                content.version, content.title, Markup{kReportStyle}, links, content.title,
                content.subject, content.version, body, Markup{kReportScript})
      .text;
}

}  // namespace hgnet
