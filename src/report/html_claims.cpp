#include <algorithm>
#include <cctype>

#include "report/html_parts.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

std::string capital(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

struct Badge {
  const char* css_class;
  const char* sign;
};

constexpr Badge kBadges[] = {{"holds", "✓"}, {"fails", "✗"}, {"tie", "="}, {"unknown", "?"}};

Markup part_row(const ClaimPart& part, bool with_tests) {
  Markup out = markup(R"(<tr><th scope="row">{}</th><td>{}</td><td class="finding">{}</td>)",
                      part.subject, verdict_badge(part.verdict, false), part.numbers);
  std::vector<std::string> tests(with_tests ? 4 : 0, "–");
  if (part.comparison && part.comparison->pairs >= 2) {
    const Comparison& c = *part.comparison;
    tests = {std::to_string(c.pairs), signed_fixed(c.difference, 2), p_text(c.wilcoxon.p),
             p_text(c.t.p)};
  }
  for (const std::string& text : tests) out += markup(R"(<td class="number">{}</td>)", text);
  return out += markup("</tr>\n");
}

Markup check_details(const ClaimCheck& check) {
  const bool with_tests =
      std::any_of(check.parts.begin(), check.parts.end(),
                  [](const ClaimPart& part) { return part.comparison.has_value(); });
  Markup rows;
  for (const ClaimPart& part : check.parts) rows += part_row(part, with_tests);
  std::vector<std::string> headings = {"On", "Verdict", "Numbers"};
  if (with_tests)
    headings.insert(headings.end(), {"#Pairs", "#Paired difference", "#Wilcoxon p", "#t-test p"});
  std::string count =
      std::to_string(check.count(Verdict::kHolds)) + " of " + std::to_string(check.parts.size());
  if (check.needed < check.parts.size()) count += ", " + std::to_string(check.needed) + " needed";
  const Markup quoted = check.sentence.empty()
                            ? Markup()
                            : markup("<p class=\"rule\">The paper: “{}”</p>\n", check.sentence);
  return markup(R"(<details class="check"><summary>{} <span class="statement">{}</span>
<span class="count">{}</span></summary>
{}<p class="rule">Rule: {}.</p>
{}</details>
)",
                verdict_badge(check.verdict(), check.reduced), check.statement, count, quoted,
                check.rule, plain_table("Parts of this check", false, headings, rows));
}

}  // namespace

Markup verdict_badge(Verdict verdict, bool reduced) {
  const Badge& badge = kBadges[static_cast<std::size_t>(verdict)];
  return markup(R"(<span class="verdict {}"><span aria-hidden="true">{}</span> {}</span>)",
                badge.css_class, badge.sign, verdict_text(verdict, reduced));
}

std::vector<std::span<const Claim>> by_number(std::span<const Claim> claims) {
  std::vector<std::span<const Claim>> result;
  for (std::size_t begin = 0, end = 0; begin < claims.size(); begin = end) {
    while (end < claims.size() && claims[end].number == claims[begin].number) ++end;
    result.push_back(claims.subspan(begin, end - begin));
  }
  return result;
}

Markup verdict_badges(std::span<const Claim> same) {
  Markup out;
  for (const Claim& claim : same) {
    if (same.size() > 1) out += markup(" <small>{}</small> ", reading_text(*claim.reading));
    out += verdict_badge(claim.verdict(), claim.reduced());
  }
  return same.size() > 1 ? markup("<span>{}</span>", out) : out;
}

namespace {

Markup articles(std::span<const Claim> claims) {
  Markup out;
  for (const std::span<const Claim> same : by_number(claims)) {
    const Claim& claim = same.front();
    Markup checks;
    for (const Claim& in_reading : same) {
      if (same.size() > 1)
        checks += markup("<h4>{} {}</h4>\n", capital(reading_text(*in_reading.reading)),
                         verdict_badge(in_reading.verdict(), in_reading.reduced()));
      for (const ClaimCheck& check : in_reading.checks) checks += check_details(check);
    }
    out += markup(R"(<article class="claim" id="claim{}">
<header><h3><span class="ordinal">{}</span> {}</h3>{}</header>
<p>{}</p>
{}</article>
)",
                  claim.number, claim.number, claim.title, verdict_badges(same), claim.statement,
                  checks);
  }
  return out;
}

}  // namespace

Markup claims_section(std::span<const Claim> claims) {
  if (claims.empty()) return {};
  Markup out = markup(R"(<section id="claims">
<h2>The paper's claims</h2>
<p class="caption">Each claim is made precise as checks over the fits. A part of a check compares scores of the seeds and
folds that all its models have in common, and compares their difference with a bound. It is a tie if the difference is not
clearly different from the bound: p of the paired t-test is 0.05 or more or, with fewer than 5 pairs, the distance is
within one standard error. A tie counts neither for nor against. A check holds if enough of its parts hold; a claim holds
if all its checks hold. Both p values are two-sided and test the difference minus the bound. If the best of several models
is compared, they do not account for the choice. Where there are fits of both readings of the paper, as written and as its
authors' program runs, each has its own verdict; no comparison mixes them.</p>
)");
  return out += markup("{}</section>\n", articles(claims));
}

Markup findings_section(std::span<const Claim> findings) {
  if (findings.empty()) return {};
  return markup(R"(<section id="findings">
<h2>Who sees far</h2>
<p class="caption">Statements about colourings that local counts do not solve, checked like the paper's claims but not
counted among them. There is one fold of each data set, so a part compares the means over data sets.</p>
{}</section>
)",
                articles(findings));
}

}  // namespace hgnet
