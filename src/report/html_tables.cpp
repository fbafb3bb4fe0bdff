#include <algorithm>
#include <cmath>
#include <set>

#include "hgnet/core/text.hpp"
#include "report/html_parts.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

Markup quick_mark(const GroupKey& key) {
  if (!key.quick) return {};
  return markup(R"(<abbr class="quick" title="{}">q</abbr>)",
                "quick fits: shortened, only to show that things work");
}

std::string fit_name(const FitRecord& fit) {
  const std::string seed = "seed " + std::to_string(fit.seed);
  if (fit.fold < 0) return seed;
  return "fold " + std::to_string(fit.fold) + (fit.seed == 0 ? "" : ", " + seed);
}

/// "with statistics recomputed: test 91.2, validation 91.0", means over the fits that have it.
std::string recalibrated_text(const FitGroup& group) {
  std::string text;
  for (const auto& [part, name] : {std::pair("test", "test "), std::pair("val", "validation ")}) {
    std::vector<double> scores;
    for (const FitRecord* fit : group.fits) scores.push_back(fit->recalibrated_score(part));
    const Summary summary = summary_of(scores);
    if (summary.count > 0) append(text, ", ", name + score_text(group.metric, summary.mean));
  }
  return text.empty() ? "" : "with statistics recomputed: " + text;
}

/// The details of a cell, line by line.
std::string cell_title(const TableCell& cell, const Catalogue& catalogue) {
  const FitGroup& group = *cell.group;
  std::string text = group.label + " on " + group.place + "\n" + group.test_text() + " over " +
                     counted(group.test.count, "fit") + (group.key.quick ? ", quick" : "");
  const auto line = [&](const std::string& more) { append(text, "\n", more); };
  if (group.key.shortened > 0)
    line(training_text(group.key) + "; the paper trains for " +
         std::to_string(catalogue.data(group.key.dataset)->epochs));
  if (group.val.count > 0) line("validation " + score_text(group.metric, group.val.mean));
  line(recalibrated_text(group));
  if (group.train_seconds.count > 0)
    line("training " + short_number(std::round(group.train_seconds.mean * 10) / 10) + " s per fit");
  if (cell.published != nullptr)
    line(cell.published->source + ": " +
         figure_text(group.metric, cell.published->mean, cell.published->deviation));
  const std::string& field = group.fits.front()->receptive_field;
  if (!field.empty()) line("receptive field: " + field);
  for (const FitRecord* fit : group.fits)
    line(fit_name(*fit) + ": " + score_text(group.metric, fit->score("test")));
  return text;
}

Markup small_print(const std::string& text) {
  return text.empty() ? Markup() : markup(R"(<span class="dev">{}</span>)", text);
}

/// The mean, with a mark, and the deviation.
Markup figure_html(const std::string& metric, double mean, std::optional<double> deviation,
                   const Markup& mark = {}) {
  return markup(R"(<span class="mean">{}</span>{}{})", score_text(metric, mean), mark,
                small_print(deviation ? "± " + score_text(metric, *deviation) : ""));
}

Markup cell_html(const TableCell& cell, const TableColumn& column, const Catalogue& catalogue) {
  if (cell.group == nullptr) return {R"(<td class="missing" title="no fits">–</td>)"};
  const FitGroup& group = *cell.group;
  if (column.shown == Shown::kParameters)
    return markup(R"(<td class="number" data-v="{}">{}</td>)", group.parameters(),
                  group.parameters());
  const Summary& scores = column.scores(group);
  if (scores.count == 0) return {R"(<td class="missing">–</td>)"};
  return markup(
      R"(<td class="heat{}" tabindex="0" style="--h:{}" data-v="{}" title="{}">{}{}{}</td>)",
      cell.best ? " best" : "", fixed(cell.heat, 3), short_number(scores.mean),
      cell_title(cell, catalogue),
      figure_html(group.metric, scores.mean, scores.spread(), quick_mark(group.key)),
      small_print("n " + std::to_string(scores.count)), small_print(epochs_text(group.key)));
}

/// What stands below the name of a column's data set, line by line.
Markup subheading(const TableColumn& column) {
  Markup lines;
  if (!column.specifier().empty()) lines += markup("<small>{}</small>", column.specifier());
  if (column.shown != Shown::kParameters && !column.metric.empty())
    lines += markup("<small>{}</small>", metric_label(column.metric));
  return lines;
}

Markup reference_cell(const std::optional<PublishedFigure>& figure, const std::string& metric) {
  if (!figure) return {"<td></td>"};
  return markup(R"(<td title="{}">{}</td>)", figure->source,
                figure_html(metric, figure->mean, figure->deviation));
}

Markup row_head(const ResultTable& table, const TableRow& row) {
  Markup out = markup(R"(<th scope="row">{}</th>)", row.label);
  if (!table.with_depth()) return out;
  if (!row.depth) return out += markup(R"(<td class="depth missing">–</td>)");
  return out += markup(R"(<td class="depth" data-v="{}">{}</td>)", *row.depth,
                       depth_text(row.model, *row.depth));
}

/// Headings above several columns, if there are any.
Markup heading_row(const ResultTable& table) {
  const auto& columns = table.columns;
  if (std::ranges::all_of(columns, [](auto& column) { return column.heading.empty(); })) return {};
  Markup out = markup(R"(<tr class="headings"><td colspan="{}"></td>)", table.with_depth() ? 2 : 1);
  for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
    while (end < columns.size() && columns[end].heading == columns[begin].heading) ++end;
    out +=
        markup(R"(<th scope="colgroup" colspan="{}">{}</th>)", end - begin, columns[begin].heading);
  }
  return out += markup("</tr>\n");
}

Markup heat_table(const ResultTable& table, const Catalogue& catalogue) {
  Markup head;
  if (table.with_depth()) head += markup(R"(<th scope="col">Depth</th>)");
  for (const TableColumn& column : table.columns)
    head += markup(R"(<th scope="col" class="number">{}{}</th>)", column.label, subheading(column));
  Markup rows;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const bool first =
        table.with_depth() && r > 0 && table.rows[r].model != table.rows[r - 1].model;
    rows += markup("<tr{}>{}", markup(first ? R"( class="first")" : ""),
                   row_head(table, table.rows[r]));
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      rows += cell_html(table.cells[r][c], table.columns[c], catalogue);
    rows += markup("</tr>\n");
  }
  Markup references;
  for (const ReferenceRow& row : table.references) {
    references += markup(R"(<tr><th scope="row" colspan="{}">{}</th>)", table.with_depth() ? 2 : 1,
                         row.label);
    for (std::size_t c = 0; c < row.figures.size(); ++c)
      references += reference_cell(row.figures[c], table.columns[c].metric);
    references += markup("</tr>\n");
  }
  if (!references.empty())
    references = markup("<tbody class=\"reference\">\n{}</tbody>\n", references);
  return markup(form("heat table"), table.layout.title, table.columns.size() <= 6 ? " roomy" : "",
                heading_row(table), head, rows, references);
}

/// A dot for every fit between the lowest and the highest of the data set.
Markup strip_svg(const FitGroup& group, double low, double high) {
  const auto place = [&](double v) {
    return fixed(4 + 112 * (high > low ? (v - low) / (high - low) : 0.5), 1);
  };
  Markup dots;
  for (const FitRecord* fit : group.fits) {
    if (const double score = fit->score("test"); std::isfinite(score))
      dots += markup(R"(<circle cx="{}" cy="7" r="3"/>)", place(score));
  }
  return markup(
      R"(<svg class="strip" viewBox="0 0 120 14" aria-hidden="true"><path d="M2 7H118"/>{}
<path class="mean" d="M{} 1V13"/></svg>)",
      dots, place(group.test.mean));
}

PlainRow values_row(const FitGroup& group, double low, double high) {
  const auto score = [&](double value) { return score_text(group.metric, value); };
  const auto number = [](const std::string& text, double value) {
    return PlainCell{markup("{}", text), short_number(value)};
  };
  Markup values;
  for (const FitRecord* fit : group.fits)
    values += markup(R"({}<span title="{}">{}</span>)", values.empty() ? "" : " ", fit_name(*fit),
                     score(fit->score("test")));
  return {{markup("{}{}{}", group.label, quick_mark(group.key), bracketed(epochs_text(group.key)))},
          {markup("{}", group.place)},
          number(std::to_string(group.test.count), group.test.count),
          number(score(group.test.mean), group.test.mean),
          number(group.test.count > 1 ? score(group.test.deviation) : "–", group.test.deviation),
          {markup(R"({}<span class="list">{}</span>)", strip_svg(group, low, high), values), "",
           "values"},
          number(group.val.count > 0 ? score(group.val.mean) : "–", group.val.mean),
          number(std::to_string(group.parameters()), static_cast<double>(group.parameters())),
          number(fixed(group.train_seconds.mean, 1), group.train_seconds.mean)};
}

Markup values_table(const ResultTable& table) {
  std::vector<PlainRow> rows;
  std::set<const FitGroup*> listed;  // a group of both readings has two columns
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    auto groups = table.groups(c);
    std::erase_if(groups, [&](const FitGroup* group) { return !listed.insert(group).second; });
    double low = INFINITY;
    double high = -INFINITY;
    for (const FitGroup* group : groups) {
      for (const FitRecord* fit : group->fits) {
        low = std::fmin(low, fit->score("test"));
        high = std::fmax(high, fit->score("test"));
      }
    }
    for (const FitGroup* group : groups) rows.push_back(values_row(*group, low, high));
  }
  return markup(
      "<details><summary>All fits of this table</summary>\n{}</details>\n",
      plain_table("All fits", true,
                  {"Model", "Data", "#Fits", "#Mean", "#Deviation", "Test score of each fit",
                   "#Validation", "#Parameters", "#Training, s"},
                  rows));
}

Markup plain_cell(const PlainCell& cell, const std::string& css_class) {
  const auto attribute = [](const char* name, const std::string& value) {
    return value.empty() ? Markup() : markup(" {}=\"{}\"", name, value);
  };
  return markup("<td{}{}>{}</td>", attribute("class", css_class), attribute("data-v", cell.sort_by),
                cell.content);
}

}  // namespace

Markup plain_table(std::string_view label, bool sortable, const std::vector<std::string>& headings,
                   const std::vector<PlainRow>& rows) {
  const auto is_number = [](const std::string& heading) { return heading.starts_with("#"); };
  const Markup head = each(headings, [&](const std::string& heading) {
    return markup(R"(<th scope="col"{}>{}</th>)",
                  Markup{is_number(heading) ? R"( class="number")" : ""},
                  heading.substr(is_number(heading) ? 1 : 0));
  });
  const Markup body = each(rows, [&](const PlainRow& row) {
    Markup cells = markup(R"(<th scope="row">{}</th>)", row.front().content);
    for (std::size_t c = 1; c < row.size(); ++c)
      cells += plain_cell(row[c], is_number(headings[c]) ? "number" : row[c].css_class);
    return markup("<tr>{}</tr>\n", cells);
  });
  return markup(form("plain table"), label, sortable ? " sortable" : "", head, body);
}

Markup table_section(const ResultTable& table, const Catalogue& catalogue) {
  const bool empty = table.filled() == 0;
  const bool both = std::ranges::any_of(table.columns, &TableColumn::one_of_two);
  return markup(form("table"), table.layout.id, table.layout.title, table.layout.caption,
                table.layout.heat_note, empty ? markup(form("no fits")) : Markup(),
                heat_table(table, catalogue),
                table.references.empty() ? "" : "; figures to compare with are below the line",
                both ? "; as written and as run are the two readings of the paper" : "",
                empty ? Markup() : values_table(table));
}

}  // namespace hgnet
