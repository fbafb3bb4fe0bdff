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

/// "holds", with a symbol and a class for its colour.
Markup verdict_badge(Verdict verdict, bool reduced) {
  const Badge& badge = kBadges[static_cast<std::size_t>(verdict)];
  return markup(R"(<span class="verdict {}"><span aria-hidden="true">{}</span> {}</span>)",
                badge.css_class, badge.sign, verdict_text(verdict, reduced));
}

Markup verdict_badge(const Claim& claim) { return verdict_badge(claim.verdict(), claim.reduced()); }

/// Claims that differ in their reading alone, which stand one after the other.
std::vector<std::span<const Claim>> by_number(std::span<const Claim> claims) {
  std::vector<std::span<const Claim>> result;
  for (std::size_t begin = 0, end = 0; begin < claims.size(); begin = end) {
    while (end < claims.size() && claims[end].number == claims[begin].number) ++end;
    result.push_back(claims.subspan(begin, end - begin));
  }
  return result;
}

/// Their verdicts side by side.
Markup verdict_badges(std::span<const Claim> same) {
  if (same.size() == 1) return verdict_badge(same.front());
  return markup("<span>{}</span>", each(same, [](const Claim& claim) {
                  return markup(" <small>{}</small> {}", reading_text(*claim.reading),
                                verdict_badge(claim));
                }));
}

PlainRow part_row(const ClaimPart& part, bool with_tests) {
  PlainRow row = {{markup("{}", part.subject)},
                  {verdict_badge(part.verdict, false)},
                  {markup("{}", part.numbers), "", "finding"}};
  std::vector<std::string> tests(with_tests ? 4 : 0, "–");
  if (part.comparison && part.comparison->pairs >= 2) {
    const Comparison& c = *part.comparison;
    tests = {std::to_string(c.pairs), signed_fixed(c.difference, 2), p_text(c.wilcoxon.p),
             p_text(c.t.p)};
  }
  for (const std::string& text : tests) row.push_back({markup("{}", text)});
  return row;
}

Markup check_details(const ClaimCheck& check) {
  std::vector<PlainRow> rows;
  for (const ClaimPart& part : check.parts) rows.push_back(part_row(part, check.compares()));
  std::vector<std::string> headings = {"On", "Verdict", "Numbers"};
  if (check.compares())
    headings.insert(headings.end(), {"#Pairs", "#Paired difference", "#Wilcoxon p", "#t-test p"});
  std::string count =
      std::to_string(check.count(Verdict::kHolds)) + " of " + std::to_string(check.parts.size());
  if (check.needed < check.parts.size()) count += ", " + std::to_string(check.needed) + " needed";
  const Markup quoted = check.sentence.empty()
                            ? Markup()
                            : markup("<p class=\"rule\">The paper: “{}”</p>\n", check.sentence);
  return markup(form("check"), verdict_badge(check.verdict(), check.reduced), check.statement,
                count, quoted, check.rule,
                plain_table("Parts of this check", false, headings, rows));
}

}  // namespace

Markup verdict_list(std::span<const Claim> claims) {
  if (claims.empty()) return {};
  return markup("<ul class=\"verdicts\">\n{}</ul>\n",
                each(by_number(claims), [](std::span<const Claim> same) {
                  return markup("<li>{} <a href=\"#claim{}\">{}. {}</a></li>\n",
                                verdict_badges(same), same.front().number, same.front().number,
                                same.front().title);
                }));
}

Markup claim_articles(std::span<const Claim> claims) {
  return each(by_number(claims), [](std::span<const Claim> same) {
    const Claim& claim = same.front();
    Markup checks;
    for (const Claim& in_reading : same) {
      if (same.size() > 1)
        checks += markup("<h4>{} {}</h4>\n", capital(reading_text(*in_reading.reading)),
                         verdict_badge(in_reading));
      checks += each(in_reading.checks, check_details);
    }
    return markup(form("claim"), claim.number, claim.number, claim.title, verdict_badges(same),
                  claim.statement, checks);
  });
}

}  // namespace hgnet
