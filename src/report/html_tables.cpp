#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "report/html.hpp"
#include "report/html_parts.hpp"
#include "report/number_text.hpp"
#include "report/table_text.hpp"

namespace hgnet {
namespace {

const char* const kQuickMark =
    "<abbr class=\"quick\" title=\"quick runs: shortened, to show that things work\">q</abbr>";

std::string run_name(const FitRecord& run) {
  return run.fold >= 0 ? "fold " + std::to_string(run.fold) +
                             (run.seed == 0 ? "" : ", seed " + std::to_string(run.seed))
                       : "seed " + std::to_string(run.seed);
}

/// What stands behind a cell, line by line.
std::string cell_title(const RunGroup& group, const PublishedFigure* published) {
  std::string text = group_label(group) + " on " + place_label(group) + "\n" +
                     mean_text(group, " ± ") + " over " + std::to_string(group.test.count) +
                     (group.test.count == 1 ? " run" : " runs") +
                     (group.key.quick ? ", quick" : "") + "\n";
  if (group.key.shortened > 0)
    text += training_text(group.key) + "; the paper trains for " +
            std::to_string(paper_epochs(group.key.dataset)) + "\n";
  if (group.val.count > 0) text += "validation " + score_text(group.metric, group.val.mean) + "\n";
  if (group.train_seconds.count > 0)
    text +=
        "training " + short_number(std::round(group.train_seconds.mean * 10) / 10) + " s per run\n";
  if (published != nullptr)
    text += published->source + ": " + published_text(*published, " ± ") + "\n";
  const std::string& field = group.runs.front()->receptive_field;
  if (!field.empty()) text += "receptive field: " + field + "\n";
  for (const FitRecord* run : group.runs)
    text += run_name(*run) + ": " + score_text(group.metric, run->score("test")) + "\n";
  text.pop_back();
  return text;
}

std::string cell_html(const TableCell& cell, const TableColumn& column) {
  if (cell.group == nullptr) return "<td class=\"missing\" title=\"no runs\">–</td>";
  const RunGroup& group = *cell.group;
  const PublishedFigure* published = published_for(column, group.key.model);
  std::string out = std::string("<td class=\"heat") + (cell.best ? " best" : "") +
                    "\" tabindex=\"0\" style=\"--h:" + fixed(cell.heat, 3) + "\" data-v=\"" +
                    short_number(group.test.mean) + "\" title=\"" +
                    html_text(cell_title(group, published)) + "\"><span class=\"mean\">" +
                    score_text(group.metric, group.test.mean) + "</span>";
  if (group.key.quick) out += kQuickMark;
  if (group.test.count > 1)
    out += "<span class=\"dev\">± " + score_text(group.metric, group.test.deviation) + "</span>";
  if (group.key.shortened > 0) out += "<span class=\"dev\">" + training_text(group.key) + "</span>";
  return out + "</td>";
}

std::string reference_cell(const PublishedFigure* figure) {
  if (figure == nullptr) return "<td></td>";
  const std::string metric = paper_metric(figure->dataset);
  std::string out = "<td title=\"" + html_text(figure->source) + "\"><span class=\"mean\">" +
                    score_text(metric, figure->mean) + "</span>";
  if (figure->deviation)
    out += "<span class=\"dev\">± " + score_text(metric, *figure->deviation) + "</span>";
  return out + "</td>";
}

std::string row_head(const ResultTable& table, const TableRow& row) {
  std::string out = "<th scope=\"row\">" + html_text(model_label(row.model)) + "</th>";
  if (!table.with_depth) return out;
  if (!row.depth) return out + "<td class=\"depth missing\">–</td>";
  return out + "<td class=\"depth\" data-v=\"" + std::to_string(*row.depth) + "\">" +
         std::to_string(*row.depth) + " " + depth_unit(row.model, *row.depth) + "</td>";
}

/// Headings over several columns, where there are any.
std::string heading_row(const ResultTable& table) {
  const bool any = std::any_of(table.columns.begin(), table.columns.end(),
                               [](const TableColumn& column) { return !column.heading.empty(); });
  if (!any) return "";
  std::string out = std::string("<tr class=\"headings\"><td") +
                    (table.with_depth ? " colspan=\"2\"" : "") + "></td>";
  for (std::size_t begin = 0, end = 0; begin < table.columns.size(); begin = end) {
    const std::string& heading = table.columns[begin].heading;
    while (end < table.columns.size() && table.columns[end].heading == heading) ++end;
    out += "<th scope=\"colgroup\" colspan=\"" + std::to_string(end - begin) + "\">" +
           html_text(heading) + "</th>";
  }
  return out + "</tr>\n";
}

std::string heat_table(const ResultTable& table) {
  std::string out = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                    html_text(table.title) + "\"><table class=\"heatmap sortable" +
                    (table.columns.size() <= 6 ? " roomy" : "") + "\">\n<thead>" +
                    heading_row(table) + "<tr><th scope=\"col\">Model</th>";
  if (table.with_depth) out += "<th scope=\"col\">Depth</th>";
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    out += "<th scope=\"col\" class=\"number\">" +
           html_text(dataset_label(table.columns[c].dataset)) + "<small>" +
           html_text(metric_label(column_metric(table, c))) + "</small></th>";
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const bool first = r == 0 || table.rows[r].model != table.rows[r - 1].model;
    out += std::string("<tr") + (first && r > 0 && table.with_depth ? " class=\"first\"" : "") +
           ">" + row_head(table, table.rows[r]);
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      out += cell_html(table.cells[r][c], table.columns[c]);
    out += "</tr>\n";
  }
  out += "</tbody>\n";
  if (!table.references.empty()) out += "<tbody class=\"reference\">\n";
  for (const ReferenceRow& row : table.references) {
    out += std::string("<tr><th scope=\"row\"") + (table.with_depth ? " colspan=\"2\"" : "") + ">" +
           html_text(reference_label(row)) + "</th>";
    for (const PublishedFigure* figure : row.figures) out += reference_cell(figure);
    out += "</tr>\n";
  }
  if (!table.references.empty()) out += "</tbody>\n";
  return out + "</table></div>\n";
}

/// A dot for every run between the lowest and the highest of the data set.
std::string strip_svg(const RunGroup& group, double low, double high) {
  std::string out =
      "<svg class=\"strip\" viewBox=\"0 0 120 14\" aria-hidden=\"true\"><path d=\"M2 7H118\"/>";
  const auto place = [&](double v) {
    return 4 + 112 * (high > low ? (v - low) / (high - low) : 0.5);
  };
  for (const FitRecord* run : group.runs) {
    const double score = run->score("test");
    if (std::isfinite(score))
      out += "<circle cx=\"" + fixed(place(score), 1) + "\" cy=\"7\" r=\"3\"/>";
  }
  return out + "<path class=\"mean\" d=\"M" + fixed(place(group.test.mean), 1) + " 1V13\"/></svg>";
}

std::string values_row(const RunGroup& group, double low, double high) {
  std::string values;
  for (const FitRecord* run : group.runs) {
    if (!values.empty()) values += " ";
    values += "<span title=\"" + html_text(run_name(*run)) + "\">" +
              score_text(group.metric, run->score("test")) + "</span>";
  }
  const auto number = [](const std::string& text, double value) {
    return "<td class=\"number\" data-v=\"" + short_number(value) + "\">" + text + "</td>";
  };
  const FitRecord& first = *group.runs.front();
  return "<tr><th scope=\"row\">" + html_text(group_label(group)) +
         (group.key.quick ? kQuickMark : "") +
         (group.key.shortened > 0 ? " (" + training_text(group.key) + ")" : "") + "</th><td>" +
         html_text(place_label(group)) + "</td>" +
         number(std::to_string(group.test.count), group.test.count) +
         number(score_text(group.metric, group.test.mean), group.test.mean) +
         number(group.test.count > 1 ? score_text(group.metric, group.test.deviation) : "–",
                group.test.deviation) +
         "<td class=\"values\">" + strip_svg(group, low, high) + "<span class=\"list\">" + values +
         "</span></td>" +
         number(group.val.count > 0 ? score_text(group.metric, group.val.mean) : "–",
                group.val.mean) +
         number(std::to_string(first.parameters), static_cast<double>(first.parameters)) +
         number(fixed(group.train_seconds.mean, 1), group.train_seconds.mean) + "</tr>\n";
}

std::string values_table(const ResultTable& table) {
  std::string out =
      "<details><summary>All runs of this table</summary>\n<div class=\"scroll\" tabindex=\"0\" "
      "role=\"region\" "
      "aria-label=\"All runs\"><table class=\"sortable plain\"><thead><tr><th "
      "scope=\"col\">Model</th><th scope=\"col\">Data</th><th scope=\"col\" "
      "class=\"number\">Runs</th>"
      "<th scope=\"col\" class=\"number\">Mean</th><th scope=\"col\" "
      "class=\"number\">Deviation</th>"
      "<th>Test score of each run</th><th scope=\"col\" class=\"number\">Validation</th><th "
      "scope=\"col\" "
      "class=\"number\">Parameters</th><th scope=\"col\" class=\"number\">Training, "
      "s</th></tr></thead>\n<tbody>\n";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    double low = INFINITY;
    double high = -INFINITY;
    for (const auto& row : table.cells) {
      if (row[c].group == nullptr) continue;
      for (const FitRecord* run : row[c].group->runs) {
        low = std::fmin(low, run->score("test"));
        high = std::fmax(high, run->score("test"));
      }
    }
    for (const auto& row : table.cells) {
      if (row[c].group != nullptr) out += values_row(*row[c].group, low, high);
    }
  }
  return out + "</tbody></table></div></details>\n";
}

}  // namespace

std::string group_label(const RunGroup& group) {
  return row_label(
      {group.key.model, group.key.depth > 0 ? std::optional(group.key.depth) : std::nullopt});
}

std::string place_label(const RunGroup& group) {
  const std::string label = dataset_label(group.key.dataset);
  return group.key.split.empty() ? label : label + ", " + group.key.split;
}

std::string table_section(const ResultTable& table) {
  std::string out = "<section id=\"" + html_text(table.id) + "\">\n<h2>" + html_text(table.title) +
                    "</h2>\n<p class=\"caption\">" +
                    html_text(table.caption + " " + table.heat_note) + "</p>\n";
  if (table.empty()) out += "<p class=\"empty\">There are no runs of this table yet.</p>\n";
  out += heat_table(table);
  out +=
      "<p class=\"key\"><span class=\"scale\" aria-hidden=\"true\"></span> worst to best of a "
      "column; "
      "<b>bold</b> is the best; – has no runs; "
      "<abbr class=\"quick\">q</abbr> quick runs; epochs are given where they are fewer than the "
      "paper's";
  if (!table.references.empty()) out += "; figures of others stand below the line";
  out += ". Hover or tap a figure for its runs; click a heading to sort.</p>\n";
  if (!table.empty()) out += values_table(table);
  return out + "</section>\n";
}

}  // namespace hgnet
