#include "hgnet/report/table_writers.hpp"

#include <functional>
#include <nlohmann/json.hpp>

#include "report/number_text.hpp"
#include "report/table_text.hpp"

namespace hgnet {
namespace {

using Json = nlohmann::ordered_json;

/// Puts `escapes(c)`, if that is not empty, in place of c.
std::string escaped(const std::string& text, const std::function<std::string(char)>& escapes) {
  std::string result;
  for (const char c : text) {
    const std::string escape = escapes(c);
    result += escape.empty() ? std::string(1, c) : escape;
  }
  return result;
}

std::string markdown_text(const std::string& text) {
  return escaped(text, [](char c) -> std::string {
    if (c == '\n') return " ";
    return std::string_view("\\|*_`<>[]").find(c) != std::string_view::npos ? std::string("\\") + c
                                                                            : "";
  });
}

std::string latex_text(const std::string& text) {
  return escaped(text, [](char c) -> std::string {
    switch (c) {
      case '\\': return "\\textbackslash{}";
      case '~': return "\\textasciitilde{}";
      case '^': return "\\textasciicircum{}";
      case '<': return "\\textless{}";
      case '>': return "\\textgreater{}";
      default: break;
    }
    return std::string_view("&%$#_{}").find(c) != std::string_view::npos ? std::string("\\") + c
                                                                         : "";
  });
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return "\"" + escaped(text, [](char c) -> std::string { return c == '"' ? "\"\"" : ""; }) + "\"";
}

/// The caption, with a word on the marks in use.
std::string caption_text(const ResultTable& table) {
  return table.caption +
         (has_quick_cell(table) ? " q: quick runs, shortened to show that things work." : "");
}

// Markdown.

void markdown_line(std::string& out, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) out += "| " + cell + " ";
  out += "|\n";
}

std::string markdown_cell(const TableCell& cell) {
  if (cell.group == nullptr) return "–";
  const std::string text = mean_text(*cell.group, " ± ");
  const GroupKey& key = cell.group->key;
  return (cell.best ? "**" + text + "**" : text) + (key.quick ? " q" : "") +
         (key.shortened > 0 ? " (" + training_text(key) + ")" : "");
}

void markdown_table(std::string& out, const ResultTable& table) {
  out += "## " + markdown_text(table.title) + "\n\n" + markdown_text(caption_text(table)) + "\n\n";
  std::vector<std::string> head = {"model"};
  for (const TableColumn& column : table.columns)
    head.push_back(markdown_text(column_label(table, column)));
  markdown_line(out, head);
  std::vector<std::string> rule(head.size(), "---:");
  rule[0] = "---";
  markdown_line(out, rule);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    std::vector<std::string> line = {markdown_text(row_label(table.rows[r]))};
    for (const TableCell& cell : table.cells[r]) line.push_back(markdown_cell(cell));
    markdown_line(out, line);
  }
  for (const ReferenceRow& row : table.references) {
    std::vector<std::string> line = {"*" + markdown_text(reference_label(row)) + "*"};
    for (const PublishedFigure* figure : row.figures)
      line.push_back(figure == nullptr ? "" : published_text(*figure, " ± "));
    markdown_line(out, line);
  }
  out += "\n";
}

std::string comparison_text(const ClaimPart& part) {
  if (!part.comparison || part.comparison->pairs < 2) return "";
  return "; paired over " + std::to_string(part.comparison->pairs) + ": " +
         signed_fixed(shown_score(part.metric, part.comparison->difference), 2) + ", Wilcoxon p " +
         p_text(part.comparison->wilcoxon.p) + ", t p " + p_text(part.comparison->t.p);
}

void markdown_claim(std::string& out, const Claim& claim) {
  out += "### " + std::to_string(claim.number) + ". " + markdown_text(claim.title) + ": " +
         verdict_text(claim.verdict(), claim.reduced()) + "\n\n" + markdown_text(claim.statement) +
         "\n\n";
  for (const ClaimCheck& check : claim.checks) {
    out += "- **" + markdown_text(check.statement) +
           "**: " + verdict_text(check.verdict(), check.reduced) + ", " +
           std::to_string(check.holding()) + " of " + std::to_string(check.parts.size()) +
           " (needed " + std::to_string(check.needed) + "). Rule: " + markdown_text(check.rule) +
           ".\n";
    for (const ClaimPart& part : check.parts)
      out += "  - " + markdown_text(part.subject) + ": " + std::string(verdict_text(part.verdict)) +
             " (" + markdown_text(part.numbers + comparison_text(part)) + ")\n";
  }
  out += "\n";
}

// LaTeX.

std::string latex_cell(const TableCell& cell) {
  if (cell.group == nullptr) return "--";
  const std::string text = mean_text(*cell.group, " \\pm ");
  const GroupKey& key = cell.group->key;
  return "$" + (cell.best ? "\\mathbf{" + text + "}" : text) + (key.quick ? "^{q}" : "") + "$" +
         (key.shortened > 0 ? " (" + training_text(key) + ")" : "");
}

/// LaTeX numbers tables by itself: "Table 1. Legacy graph benchmarks" without its number.
std::string unnumbered(const std::string& title) {
  const std::size_t dot = title.starts_with("Table ") ? title.find(". ") : std::string::npos;
  return dot == std::string::npos ? title : title.substr(dot + 2);
}

void latex_table(std::string& out, const ResultTable& table) {
  out += "\\begin{table*}[htb]\n\\caption{\\textbf{" + latex_text(unnumbered(table.title)) + ".} " +
         latex_text(caption_text(table)) + "}\n\\label{tab:" + table.id +
         "}\n\\centering\n\\begin{tabular}{l" + std::string(table.columns.size(), 'r') +
         "}\n\\toprule\nmodel";
  for (const TableColumn& column : table.columns)
    out += " & " + latex_text(column_label(table, column));
  out += " \\\\\n\\midrule\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    out += latex_text(row_label(table.rows[r]));
    for (const TableCell& cell : table.cells[r]) out += " & " + latex_cell(cell);
    out += " \\\\\n";
  }
  if (!table.references.empty()) out += "\\midrule\n";
  for (const ReferenceRow& row : table.references) {
    out += "\\textit{" + latex_text(reference_label(row)) + "}";
    for (const PublishedFigure* figure : row.figures)
      out += figure == nullptr ? " &" : " & $" + published_text(*figure, " \\pm ") + "$";
    out += " \\\\\n";
  }
  out += "\\bottomrule\n\\end{tabular}\n\\end{table*}\n\n";
}

// CSV.

void csv_line(std::string& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) out += (i == 0 ? "" : ",") + csv_text(cells[i]);
  out += "\r\n";
}

std::string exact(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// "0/3:0.78;..." by seed and fold, or "0:0.78;..." where there are no folds.
std::string csv_values(const RunGroup& group) {
  std::string text;
  for (const FitRecord* run : group.runs) {
    text += (text.empty() ? "" : ";") + std::to_string(run->seed);
    if (run->fold >= 0) text += "/" + std::to_string(run->fold);
    text += ":" + exact(run->score("test"));
  }
  return text;
}

void csv_cell(std::string& out, const ResultTable& table, const TableColumn& column,
              const RunGroup& group) {
  const PublishedFigure* published = published_for(column, group.key.model);
  csv_line(out, {table.id, group.key.dataset, group.key.split, group.key.model,
                 std::to_string(group.key.depth),
                 group.key.reduced() ? training_text(group.key) : "full", group.metric,
                 std::to_string(group.test.count), exact(group.test.mean),
                 group.test.count > 1 ? exact(group.test.deviation) : "", csv_values(group),
                 published == nullptr ? "" : exact(published->mean)});
}

// JSON.

Json group_json(const RunGroup& group) {
  Json values = Json::array();
  for (const FitRecord* run : group.runs)
    values.push_back({{"seed", run->seed}, {"fold", run->fold}, {"test", run->score("test")}});
  return {{"dataset", group.key.dataset},
          {"split", group.key.split},
          {"model", group.key.model},
          {"depth", group.key.depth},
          {"runs", group.key.reduced() ? training_text(group.key) : "full"},
          {"metric", group.metric},
          {"mean", group.test.mean},
          {"deviation", group.test.count > 1 ? Json(group.test.deviation) : Json()},
          {"values", values}};
}

Json part_json(const ClaimPart& part) {
  Json json{{"subject", part.subject},
            {"verdict", verdict_text(part.verdict)},
            {"numbers", part.numbers}};
  if (part.comparison) {
    json["pairs"] = part.comparison->pairs;
    json["difference"] = part.comparison->difference;
    json["wilcoxon_p"] = part.comparison->wilcoxon.p;
    json["t_p"] = part.comparison->t.p;
  }
  return json;
}

Json claim_json(const Claim& claim) {
  Json checks = Json::array();
  for (const ClaimCheck& check : claim.checks) {
    Json parts = Json::array();
    for (const ClaimPart& part : check.parts) parts.push_back(part_json(part));
    checks.push_back({{"statement", check.statement},
                      {"rule", check.rule},
                      {"verdict", verdict_text(check.verdict())},
                      {"reduced", check.reduced},
                      {"holding", check.holding()},
                      {"needed", check.needed},
                      {"parts", parts}});
  }
  return {{"number", claim.number},
          {"title", claim.title},
          {"statement", claim.statement},
          {"verdict", verdict_text(claim.verdict())},
          {"checks", checks}};
}

}  // namespace

std::string to_markdown(std::span<const ResultTable> tables, std::span<const Claim> claims,
                        const std::string& title) {
  std::string out = "# " + markdown_text(title) + "\n\n";
  for (const ResultTable& table : tables) markdown_table(out, table);
  out += "## Claims of the paper\n\n";
  for (const Claim& claim : claims) markdown_claim(out, claim);
  return out;
}

std::string to_csv(std::span<const ResultTable> tables) {
  std::string out;
  csv_line(out, {"table", "dataset", "split", "model", "depth", "runs", "metric", "count", "mean",
                 "deviation", "values", "published"});
  for (const ResultTable& table : tables) {
    for (const auto& row : table.cells) {
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (row[c].group != nullptr) csv_cell(out, table, table.columns[c], *row[c].group);
      }
    }
  }
  return out;
}

std::string to_latex(std::span<const ResultTable> tables) {
  std::string out = "% \\usepackage{booktabs}\n\n";
  for (const ResultTable& table : tables) latex_table(out, table);
  return out;
}

std::string to_json(const Results& results, std::span<const ResultTable> tables,
                    std::span<const Claim> claims) {
  Json json{{"runs", results.runs().size()}, {"probes", results.probes().size()}};
  json["notes"] = results.notes();
  json["tables"] = Json::array();
  for (const ResultTable& table : tables) {
    Json cells = Json::array();
    for (const auto& row : table.cells) {
      for (const TableCell& cell : row) {
        if (cell.group != nullptr) cells.push_back(group_json(*cell.group));
      }
    }
    json["tables"].push_back({{"id", table.id}, {"title", table.title}, {"cells", cells}});
  }
  json["claims"] = Json::array();
  for (const Claim& claim : claims) json["claims"].push_back(claim_json(claim));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace hgnet
