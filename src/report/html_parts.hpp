// Sections of the HTML report. Each is a string that ends with a line's end.

#pragma once

#include <span>
#include <string>

#include "hgnet/report/claims.hpp"
#include "hgnet/report/results.hpp"
#include "hgnet/report/tables.hpp"

namespace hgnet {

/// A table as a heat map, with the values of all runs behind it.
std::string table_section(const ResultTable& table);

std::string claims_section(std::span<const Claim> claims);
/// "holds", with a sign and a class to colour it.
std::string verdict_badge(Verdict verdict, bool reduced);

/// Charts; each is empty if there is nothing to draw.
std::string learning_curves_section(std::span<const ResultTable> tables);
std::string depth_section(std::span<const ResultTable> tables);
std::string time_section(std::span<const ResultTable> tables);
std::string probe_section(const Results& results);

/// The commands and versions that the runs were made with.
std::string commands_section(std::span<const ResultTable> tables, const Results& results);

/// "GCN, 2 layers".
std::string group_label(const RunGroup& group);
/// "Cora", or "Cora, sanitized:1".
std::string place_label(const RunGroup& group);

/// The style sheet and the script, from src/report/assets.
extern const char* const kReportStyle;
extern const char* const kReportScript;

}  // namespace hgnet
