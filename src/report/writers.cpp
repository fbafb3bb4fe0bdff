#include "hgnet/report/writers.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hgnet/core/text.hpp"
#include "report/markdown.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

using Json = nlohmann::ordered_json;

/// How a text format writes what all tables have.
struct Form {
  std::string (*escape)(const std::string& text);
  std::string between;         // mean and deviation
  std::string open, close;     // around a figure
  std::string bold, bold_end;  // around the best
  std::string quick;           // after a quick one
  std::string missing;
  std::string italic, italic_end;  // around the label of published figures
};

std::string latex_text(const std::string& text) {
  static const Escapes escapes = {{'\\', "\\textbackslash{}"},
                                  {'~', "\\textasciitilde{}"},
                                  {'^', "\\textasciicircum{}"},
                                  {'<', "\\textless{}"},
                                  {'>', "\\textgreater{}"}};
  return escaped(text, escapes, "&%$#_{}");
}

const Form kMarkdown = {markdown_text, " ± ", "", "", "**", "**", " q", "–", "*", "*"};
const Form kLatex = {latex_text, " \\pm ", "$",  "$",         "\\mathbf{",
                     "}",        "^{q}",   "--", "\\textit{", "}"};

std::string cell_text(const TableCell& cell, const TableColumn& column, const Form& form) {
  if (cell.group == nullptr) return form.missing;
  const FitGroup& group = *cell.group;
  if (column.shown == Shown::kParameters) return std::to_string(group.parameters());
  const Summary& scores = column.scores(group);
  const std::string text = figure_text(group.metric, scores.mean, scores.spread(), form.between);
  return form.open + (cell.best ? form.bold + text + form.bold_end : text) +
         (group.key.quick ? form.quick : "") + form.close + bracketed(epochs_text(group.key)) +
         " (" + std::to_string(group.test.count) + ")";
}

/// The caption, with an explanation of the marks in use.
std::string caption_text(const ResultTable& table) {
  const FitGroups groups = table.groups();
  const bool quick = std::ranges::any_of(groups, [](auto* group) { return group->key.quick; });
  return table.layout.caption + (groups.empty() ? "" : " In parentheses: the number of fits.") +
         (quick ? " q: quick fits, shortened, only to show that things work." : "");
}

/// The header, one line per row, and the lines of published figures.
TextRows lines_of(const ResultTable& table, const Form& form) {
  TextRows lines = {{"model"}};
  for (const TableColumn& column : table.columns)
    lines[0].push_back(form.escape(column.full_label()));
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const TableRow& row = table.rows[r];
    auto& line = lines.emplace_back();
    line.push_back(
        form.escape(row.depth ? depth_label(row.label, row.model, *row.depth) : row.label));
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      line.push_back(cell_text(table.cells[r][c], table.columns[c], form));
  }
  for (const ReferenceRow& row : table.references) {
    auto& line = lines.emplace_back();
    line.push_back(form.italic + form.escape(row.label) + form.italic_end);
    for (std::size_t c = 0; c < row.figures.size(); ++c) {
      const std::optional<PublishedFigure>& figure = row.figures[c];
      line.push_back(figure ? form.open +
                                  figure_text(table.columns[c].metric, figure->mean,
                                              figure->deviation, form.between) +
                                  form.close
                            : "");
    }
  }
  return lines;
}

std::string comparison_text(const ClaimPart& part) {
  if (!part.comparison || part.comparison->pairs < 2) return "";
  const Comparison& c = *part.comparison;
  return "; paired over " + std::to_string(c.pairs) + ": " + signed_fixed(c.difference, 2) +
         ", Wilcoxon p " + p_text(c.wilcoxon.p) + ", t p " + p_text(c.t.p);
}

std::string markdown_claim(const Claim& claim) {
  std::string out =
      "### " + markdown_text(claim.heading()) + "\n\n" + markdown_text(claim.statement) + "\n\n";
  for (const ClaimCheck& check : claim.checks) {
    out += "- **" + markdown_text(check.statement) + "**: " + check.outcome() +
           ". Rule: " + markdown_text(check.rule) + ".";
    if (!check.sentence.empty()) out += " The paper: \"" + markdown_text(check.sentence) + "\"";
    out += "\n";
    for (const ClaimPart& part : check.parts)
      out += "  - " + markdown_text(part.subject) + ": " + std::string(verdict_text(part.verdict)) +
             " (" + markdown_text(part.numbers + comparison_text(part)) + ")\n";
  }
  return out + "\n";
}

/// LaTeX numbers tables itself: "Table 1. Legacy graph benchmarks" without its number.
std::string unnumbered(const std::string& title) {
  const std::size_t dot = title.starts_with("Table ") ? title.find(". ") : std::string::npos;
  return dot == std::string::npos ? title : title.substr(dot + 2);
}

std::string latex_table(const ResultTable& table) {
  const TextRows lines = lines_of(table, kLatex);
  std::string out = "\\begin{table*}[htb]\n\\caption{\\textbf{" +
                    latex_text(unnumbered(table.layout.title)) + ".} " +
                    latex_text(caption_text(table)) + "}\n\\label{tab:" + table.layout.id +
                    "}\n\\centering\n\\begin{tabular}{l" + std::string(table.columns.size(), 'r') +
                    "}\n\\toprule\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == 1 || i == 1 + table.rows.size()) out += "\\midrule\n";
    out += joined(lines[i], " & ") + " \\\\\n";
  }
  return out + "\\bottomrule\n\\end{tabular}\n\\end{table*}\n\n";
}

constexpr const char* kCsvColumns[] = {
    "table", "dataset",   "split",  "model",     "depth",   "training", "metric",     "count",
    "mean",  "deviation", "values", "published", "reading", "variant",  "validation", "parameters"};

std::string exact(double value) { return printed("%.9g", value); }

std::string csv_line(const std::vector<std::string>& cells) {
  return joined(cells, ",", csv_cell) + "\r\n";
}

Json or_null(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json group_json(const FitGroup& group) {
  Json values = Json::array();
  for (const FitRecord* fit : group.fits)
    values.push_back({{"seed", fit->seed},
                      {"fold", fit->fold < 0 ? Json() : Json(fit->fold)},
                      {"test", fit->score("test")}});
  const std::string training = training_text(group.key);
  return {{"dataset", group.key.dataset},
          {"split", group.key.split},
          {"reading", group.key.reading},
          {"model", group.key.model},
          {"depth", group.key.depth},
          {"variant", group.key.variant},
          {"training", training.empty() ? "full" : training},
          {"metric", group.metric},
          {"mean", group.test.mean},
          {"deviation", or_null(group.test.spread())},
          {"validation", group.val.count > 0 ? Json(group.val.mean) : Json()},
          {"parameters", group.parameters()},
          {"values", values}};
}

/// "0/3:0.78;..." by seed and fold, or "0:0.78;..." without folds.
std::string values_text(const FitGroup& group) {
  return joined(group.fits, ";", [](const FitRecord* fit) {
    return std::to_string(fit->seed) + (fit->fold >= 0 ? "/" + std::to_string(fit->fold) : "") +
           ":" + exact(fit->score("test"));
  });
}

/// The group's fields with those that only a cell of a table has.
std::vector<std::string> csv_fields(const ResultTable& table, const TableColumn& column,
                                    const TableCell& cell) {
  Json json = group_json(*cell.group);
  json["table"] = table.layout.id;
  json["count"] = cell.group->test.count;
  json["values"] = values_text(*cell.group);
  json["published"] = cell.published == nullptr ? Json() : Json(cell.published->mean);
  json["reading"] = enum_name(column.reading);
  std::vector<std::string> fields;
  for (const char* name : kCsvColumns) {
    const Json& value = json.at(name);
    fields.push_back(value.is_null()           ? ""
                     : value.is_string()       ? value.get<std::string>()
                     : value.is_number_float() ? exact(value.get<double>())
                                               : value.dump());
  }
  return fields;
}

Json part_json(const ClaimPart& part) {
  Json json{{"subject", part.subject},
            {"verdict", verdict_text(part.verdict)},
            {"numbers", part.numbers}};
  if (part.comparison) {
    json["pairs"] = part.comparison->pairs;
    json["points"] = part.comparison->difference;
    json["bound"] = part.comparison->bound;
    if (part.comparison->pairs >= 2) {
      json["wilcoxon_p"] = part.comparison->wilcoxon.p;
      json["t_p"] = part.comparison->t.p;
    }
    if (part.comparison->standard_error) json["standard_error"] = *part.comparison->standard_error;
  }
  return json;
}

Json claim_json(const Claim& claim) {
  Json checks = Json::array();
  for (const ClaimCheck& check : claim.checks) {
    Json parts = Json::array();
    for (const ClaimPart& part : check.parts) parts.push_back(part_json(part));
    checks.push_back({{"statement", check.statement},
                      {"sentence", check.sentence},
                      {"rule", check.rule},
                      {"verdict", verdict_text(check.verdict())},
                      {"reduced", check.reduced},
                      {"holding", check.count(Verdict::kHolds)},
                      {"ties", check.count(Verdict::kTie)},
                      {"needed", check.needed},
                      {"parts", parts}});
  }
  return {{"number", claim.number},
          {"title", claim.title},
          {"reading", claim.reading ? Json(enum_name(*claim.reading)) : Json()},
          {"statement", claim.statement},
          {"verdict", verdict_text(claim.verdict())},
          {"checks", checks}};
}

}  // namespace

std::string markdown_text(const std::string& text) {
  return escaped(text, {{'\n', " "}}, "\\|*_`<>[]");
}

std::string markdown_rows(TextRows rows) {
  std::vector<std::string> rule(rows.at(0).size(), "---:");
  rule[0] = "---";
  rows.insert(rows.begin() + 1, rule);
  std::string out;
  for (const auto& row : rows) out += "| " + joined(row, " | ") + " |\n";
  return out;
}

std::string markdown_table(const ResultTable& table) {
  return markdown_text(caption_text(table)) + "\n\n" + markdown_rows(lines_of(table, kMarkdown));
}

std::string to_markdown(std::span<const ResultTable> tables, std::span<const Claim> claims,
                        std::span<const Claim> findings, const std::string& title) {
  std::string out = "# " + markdown_text(title) + "\n\n";
  for (const ResultTable& table : tables)
    out += "## " + markdown_text(table.layout.title) + "\n\n" + markdown_table(table) + "\n";
  if (!claims.empty()) out += "## Claims of the paper\n\n";
  for (const Claim& claim : claims) out += markdown_claim(claim);
  if (!findings.empty()) out += "## Findings\n\n";
  for (const Claim& finding : findings) out += markdown_claim(finding);
  return out;
}

std::string to_csv(std::span<const ResultTable> tables) {
  std::string out = csv_line({std::begin(kCsvColumns), std::end(kCsvColumns)});
  for (const ResultTable& table : tables) {
    for (const auto& row : table.cells) {
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (row[c].group != nullptr && table.columns[c].shown == Shown::kTest)
          out += csv_line(csv_fields(table, table.columns[c], row[c]));
      }
    }
  }
  return out;
}

std::string to_latex(std::span<const ResultTable> tables) {
  std::string out = "% \\usepackage{booktabs}\n\n";
  for (const ResultTable& table : tables) out += latex_table(table);
  return out;
}

std::string to_json(const Results& results, std::span<const ResultTable> tables,
                    std::span<const Claim> claims, std::span<const Claim> findings) {
  Json json{{"fits", results.fits().size()}, {"probes", results.probes().size()}};
  json["notes"] = results.notes();
  json["tables"] = Json::array();
  for (const ResultTable& table : tables) {
    Json cells = Json::array();
    for (const FitGroup* group : table.groups()) cells.push_back(group_json(*group));
    json["tables"].push_back(
        {{"id", table.layout.id}, {"title", table.layout.title}, {"cells", cells}});
  }
  json["claims"] = Json::array();
  for (const Claim& claim : claims) json["claims"].push_back(claim_json(claim));
  json["findings"] = Json::array();
  for (const Claim& finding : findings) json["findings"].push_back(claim_json(finding));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace hgnet
