#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "hgnet/report/claims.hpp"
#include "hgnet/report/results.hpp"
#include "hgnet/report/tables.hpp"

namespace hgnet {

/// The parts of a report as Markdown without headings, by name: a table's id, "fits" (how many
/// there are of each table, their versions, machines and hours), "claims" and "findings" (the
/// verdicts), "recalibrated" (test scores with recomputed statistics of norms), "curves" (the same
/// on validation, by epoch) and "probes".
using PageParts = std::map<std::string, std::string>;

PageParts page_parts(const Results& results, std::span<const ResultTable> tables,
                     std::span<const Claim> claims, std::span<const Claim> findings);

/// The page with what stands between the lines `<!-- report: NAME -->` and `<!-- end -->` replaced
/// by that part. Throws InvalidFile, with `file` and the line, for a name that no part has and for
/// a part without an end.
std::string filled_page(std::string_view page, const PageParts& parts, const std::string& file);

}  // namespace hgnet
