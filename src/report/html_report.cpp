#include "hgnet/report/html_report.hpp"

#include <array>
#include <map>
#include <set>

#include "report/html.hpp"
#include "report/html_parts.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

std::string duration_text(double seconds) {
  if (seconds < 120) return fixed(seconds, 1) + " s";
  if (seconds < 7200) return fixed(seconds / 60, 0) + " min";
  return fixed(seconds / 3600, 1) + " h";
}

std::string tile(const std::string& value, const std::string& label) {
  return "<div class=\"tile\"><b>" + html_text(value) + "</b><span>" + html_text(label) +
         "</span></div>\n";
}

std::string tiles(const ReportContent& content) {
  std::set<std::string> datasets;
  std::set<std::string> models;
  std::size_t runs = 0;
  std::size_t quick = 0;
  double seconds = 0;
  for (const RunGroup& group : content.results.groups()) {
    datasets.insert(group.key.dataset);
    models.insert(group.key.model);
    runs += group.runs.size();
    quick += group.key.quick ? group.runs.size() : 0;
    seconds += group.train_seconds.mean * group.train_seconds.count;
  }
  std::array<int, 3> verdicts{};
  for (const Claim& claim : content.claims) ++verdicts[static_cast<std::size_t>(claim.verdict())];
  std::string out =
      "<div class=\"tiles\">\n" +
      tile(std::to_string(runs),
           quick == 0 ? "runs" : "runs, " + std::to_string(quick) + " of them quick") +
      tile(std::to_string(datasets.size()), "data sets") +
      tile(std::to_string(models.size()), "models") + tile(duration_text(seconds), "of training");
  if (!content.claims.empty())
    out += tile(std::to_string(verdicts[0]) + " of " + std::to_string(content.claims.size()),
                "claims hold; " + std::to_string(verdicts[1]) + " do not, " +
                    std::to_string(verdicts[2]) + " lack runs");
  return out + "</div>\n";
}

std::string summary_section(const ReportContent& content) {
  std::string out = "<section id=\"summary\">\n" + tiles(content);
  if (content.results.has_quick_runs())
    out +=
        "<p class=\"warning\"><b>Quick runs.</b> Figures marked <abbr class=\"quick\">q</abbr> "
        "come from shortened runs: few "
        "epochs, folds or graphs. They show that the program works, not what the models can "
        "do.</p>\n";
  if (!content.claims.empty()) out += "<ul class=\"verdicts\">\n";
  for (const Claim& claim : content.claims)
    out += "<li>" + verdict_badge(claim.verdict(), claim.reduced()) + " <a href=\"#claim" +
           std::to_string(claim.number) + "\">" + std::to_string(claim.number) + ". " +
           html_text(claim.title) + "</a></li>\n";
  if (!content.claims.empty()) out += "</ul>\n";
  if (!content.results.notes().empty()) {
    out += "<details class=\"notes\"><summary>" + std::to_string(content.results.notes().size()) +
           (content.results.notes().size() == 1 ? " note" : " notes") +
           " on the records</summary>\n<ul>\n";
    for (const std::string& note : content.results.notes())
      out += "<li>" + html_text(note) + "</li>\n";
    out += "</ul></details>\n";
  }
  return out + "</section>\n";
}

std::string figures_section(std::span<const ReportFigure> figures) {
  if (figures.empty()) return "";
  std::string out = "<section id=\"pictures\">\n<h2>Pictures</h2>\n";
  for (const ReportFigure& figure : figures)
    out += "<figure class=\"picture\"><figcaption><b>" + html_text(figure.title) + ".</b> " +
           html_text(figure.caption) + "</figcaption>\n<div class=\"paper\">" + figure.svg +
           "</div></figure>\n";
  return out + "</section>\n";
}

struct Link {
  std::string id;
  std::string label;
};

std::string navigation(const std::vector<Link>& links) {
  std::string out = "<nav aria-label=\"Sections\"><div class=\"bar\"><div class=\"links\">\n";
  for (const Link& link : links)
    out += "<a href=\"#" + html_text(link.id) + "\">" + html_text(link.label) + "</a>\n";
  return out + "</div><button type=\"button\" id=\"theme\" hidden>Dark</button></div></nav>\n";
}

/// "Table 1" of "Table 1. Legacy graph benchmarks".
std::string short_title(const std::string& title) { return title.substr(0, title.find('.')); }

}  // namespace

std::string commands_section(std::span<const ResultTable> tables, const Results& results) {
  std::map<std::string, int> versions;
  for (const FitRecord& run : results.runs()) {
    if (!run.version.empty()) ++versions[run.version];
  }
  std::string out =
      "<section id=\"commands\">\n<h2>Commands and versions</h2>\n<p class=\"caption\">The first "
      "run of each "
      "group; the others have other seeds and folds.</p>\n<ul class=\"versions\">\n";
  for (const auto& [version, count] : versions)
    out += "<li><code>" + html_text(version) + "</code>: " + std::to_string(count) +
           (count == 1 ? " run" : " runs") + "</li>\n";
  out += "</ul>\n";
  for (const ResultTable& table : tables) {
    std::set<const RunGroup*> groups;
    std::string rows;
    for (const auto& row : table.cells) {
      for (const TableCell& cell : row) {
        if (cell.group == nullptr || cell.group->runs.front()->command.empty()) continue;
        if (!groups.insert(cell.group).second) continue;
        rows += "<tr><th scope=\"row\">" + html_text(group_label(*cell.group)) + "</th><td>" +
                html_text(place_label(*cell.group)) + "</td><td><code>" +
                html_text(cell.group->runs.front()->command) + "</code></td></tr>\n";
      }
    }
    if (rows.empty()) continue;
    out += "<details><summary>" + html_text(table.title) + ": " + std::to_string(groups.size()) +
           " commands</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
           "aria-label=\"Commands\"><table "
           "class=\"plain sortable\"><thead><tr><th scope=\"col\">Model</th><th "
           "scope=\"col\">Data</th><th "
           "scope=\"col\">Command</th></tr></thead><tbody>\n" +
           rows + "</tbody></table></div></details>\n";
  }
  return out + "</section>\n";
}

std::string to_html(const ReportContent& content) {
  std::vector<Link> links = {{"summary", "Summary"}};
  std::string body = summary_section(content);
  const auto add = [&](const std::string& id, const std::string& label,
                       const std::string& section) {
    if (section.empty()) return;
    links.push_back({id, label});
    body += section;
  };
  if (!content.claims.empty()) add("claims", "Claims", claims_section(content.claims));
  for (const ResultTable& table : content.tables)
    add(table.id, short_title(table.title), table_section(table));
  add("depth", "Depth", depth_section(content.tables));
  add("time", "Time", time_section(content.tables));
  add("curves", "Learning curves", learning_curves_section(content.tables));
  add("probes", "Probes", probe_section(content.results));
  add("pictures", "Pictures", figures_section(content.figures));
  add("commands", "Commands", commands_section(content.tables, content.results));

  const std::string title = html_text(content.title);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" "
      "content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"" +
      html_text(content.version) + "\">\n<link rel=\"icon\" href=\"data:,\">\n<title>" + title +
      "</title>\n<style>\n";
  out += kReportStyle;
  // The theme is set before anything is drawn; see the script for the button.
  out +=
      "</style>\n<script>\ndocument.documentElement.dataset.theme = "
      "matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : "
      "'light';\n</script>\n</head>\n<body>\n";
  out += navigation(links);
  out += "<main>\n<header class=\"masthead\"><h1>" + title +
         "</h1>\n<p>Rampášek and Wolf, <cite>Hierarchical graph neural nets can capture long-range "
         "interactions</cite>. "
         "Written by " +
         html_text(content.version) + ".</p></header>\n";
  out += body;
  out += "</main>\n<div id=\"tip\" role=\"status\" hidden></div>\n<script>\n";
  out += kReportScript;
  return out + "</script>\n</body>\n</html>\n";
}

}  // namespace hgnet
