// Tables and claims as text. The figure of a quick fit has a "q" after it; a missing one is a dash.

#pragma once

#include <span>
#include <string>

#include "hgnet/report/claims.hpp"
#include "hgnet/report/tables.hpp"

namespace hgnet {

/// GitHub Markdown: the tables, with the best of each column in bold, then the claims, and findings
/// if there are any.
std::string to_markdown(std::span<const ResultTable> tables, std::span<const Claim> claims,
                        std::span<const Claim> findings, const std::string& title);

/// One line for every cell that has fits: table, data set, split, model, depth, metric, mean,
/// deviation, the individual values by seed and fold, the published figure, reading, settings other
/// than the paper's, mean of validation, parameters. RFC 4180.
std::string to_csv(std::span<const ResultTable> tables);

/// Floating tables for booktabs, with the best of each column in bold; no surrounding document.
std::string to_latex(std::span<const ResultTable> tables);

/// Everything in machine-readable form: tables with their values, claims and findings with their
/// parts.
std::string to_json(const Results& results, std::span<const ResultTable> tables,
                    std::span<const Claim> claims, std::span<const Claim> findings);

}  // namespace hgnet
