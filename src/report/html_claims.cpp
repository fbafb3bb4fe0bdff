#include "report/html.hpp"
#include "report/html_parts.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

const char* verdict_class(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds: return "holds";
    case Verdict::kFails: return "fails";
    case Verdict::kNotEnoughRuns: break;
  }
  return "unknown";
}

const char* verdict_sign(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds: return "✓";
    case Verdict::kFails: return "✗";
    case Verdict::kNotEnoughRuns: break;
  }
  return "?";
}

std::string part_row(const ClaimPart& part, bool with_tests) {
  std::string out = "<tr><th scope=\"row\">" + html_text(part.subject) + "</th><td>" +
                    verdict_badge(part.verdict, false) + "</td><td class=\"finding\">" +
                    html_text(part.numbers) + "</td>";
  if (!with_tests) return out + "</tr>\n";
  if (!part.comparison || part.comparison->pairs < 2)
    return out +
           "<td class=\"number\">–</td><td class=\"number\">–</td><td class=\"number\">–</td><td "
           "class=\"number\">–</td></tr>\n";
  const Comparison& c = *part.comparison;
  return out + "<td class=\"number\">" + std::to_string(c.pairs) + "</td><td class=\"number\">" +
         signed_fixed(shown_score(part.metric, c.difference), 2) + "</td><td class=\"number\">" +
         html_text(p_text(c.wilcoxon.p)) + "</td><td class=\"number\">" + html_text(p_text(c.t.p)) +
         "</td></tr>\n";
}

std::string check_html(const ClaimCheck& check) {
  bool with_tests = false;
  for (const ClaimPart& part : check.parts) with_tests = with_tests || part.comparison.has_value();
  std::string out = "<details class=\"check\"><summary>" +
                    verdict_badge(check.verdict(), check.reduced) + " <span class=\"statement\">" +
                    html_text(check.statement) + "</span> <span class=\"count\">" +
                    std::to_string(check.holding()) + " of " + std::to_string(check.parts.size());
  if (check.needed < check.parts.size()) out += ", " + std::to_string(check.needed) + " needed";
  out += "</span></summary>\n<p class=\"rule\">Rule: " + html_text(check.rule) +
         ".</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Parts of this "
         "check\"><table "
         "class=\"plain\"><thead><tr><th scope=\"col\">On</th><th scope=\"col\">Verdict</th><th "
         "scope=\"col\">Numbers</th>";
  if (with_tests)
    out +=
        "<th scope=\"col\" class=\"number\">Pairs</th><th scope=\"col\" class=\"number\">Paired "
        "difference</th><th "
        "scope=\"col\" class=\"number\">Wilcoxon p</th><th scope=\"col\" class=\"number\">t-test "
        "p</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const ClaimPart& part : check.parts) out += part_row(part, with_tests);
  return out + "</tbody></table></div></details>\n";
}

}  // namespace

std::string verdict_badge(Verdict verdict, bool reduced) {
  return std::string("<span class=\"verdict ") + verdict_class(verdict) +
         "\"><span aria-hidden=\"true\">" + verdict_sign(verdict) + "</span> " +
         verdict_text(verdict, reduced) + "</span>";
}

std::string claims_section(std::span<const Claim> claims) {
  std::string out =
      "<section id=\"claims\">\n<h2>The paper's claims</h2>\n<p class=\"caption\">Each claim is "
      "made precise as checks over "
      "the runs. A check holds when enough of its parts do; a claim holds when all its checks do. "
      "Verdicts go by means and "
      "the thresholds stated; how sure a difference is stands beside it: two-sided p of Wilcoxon's "
      "signed-rank test and of "
      "the paired t-test. Means and tests are over the seeds and folds that all models of a "
      "comparison have. Where the best of several models is compared, p does not count that it was "
      "chosen.</p>\n";
  for (const Claim& claim : claims) {
    out += "<article class=\"claim\" id=\"claim" + std::to_string(claim.number) +
           "\">\n<header><h3><span class=\"ordinal\">" + std::to_string(claim.number) + "</span> " +
           html_text(claim.title) + "</h3>" + verdict_badge(claim.verdict(), claim.reduced()) +
           "</header>\n<p>" + html_text(claim.statement) + "</p>\n";
    for (const ClaimCheck& check : claim.checks) out += check_html(check);
    out += "</article>\n";
  }
  return out + "</section>\n";
}

}  // namespace hgnet
