// Sections of the HTML report; each is empty if there is nothing to show.

#pragma once

#include <span>

#include "hgnet/report/claims.hpp"
#include "hgnet/report/results.hpp"
#include "hgnet/report/tables.hpp"
#include "report/markup.hpp"

namespace hgnet {

/// A table as a heat map, with the values of all fits behind it.
Markup table_section(const ResultTable& table, const Catalogue& catalogue);

Markup claims_section(std::span<const Claim> claims);
/// Statements of our own in the same form.
Markup findings_section(std::span<const Claim> findings);
/// Claims that differ in their reading alone, which stand one after the other.
std::vector<std::span<const Claim>> by_number(std::span<const Claim> claims);
/// Their verdicts side by side.
Markup verdict_badges(std::span<const Claim> same);
/// "holds", with a symbol and a class for its colour.
Markup verdict_badge(Verdict verdict, bool reduced);

Markup learning_curves_section(std::span<const ResultTable> tables, const Catalogue& catalogue);
Markup depth_section(std::span<const ResultTable> tables, const Catalogue& catalogue);
/// For tables that ask for it.
Markup hops_section(std::span<const ResultTable> tables, const Catalogue& catalogue);
Markup time_section(std::span<const ResultTable> tables, const Catalogue& catalogue);
Markup probe_section(const Results& results);

/// The style sheet and the script, from src/report/assets.
extern const char* const kReportStyle;
extern const char* const kReportScript;

}  // namespace hgnet
