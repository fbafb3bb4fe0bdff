// Pieces of Markdown that the writer of reports and that of pages share.

#pragma once

#include <string>
#include <vector>

#include "hgnet/report/tables.hpp"

namespace hgnet {

using TextRow = std::vector<std::string>;
using TextRows = std::vector<TextRow>;

/// The text with a backslash before what Markdown would take for markup, on one line.
std::string markdown_text(const std::string& text);
/// Rows as a table; the first is its header. The first column is left-aligned, the others to the
/// right.
std::string markdown_rows(TextRows rows);
/// Caption and figures, without the title.
std::string markdown_table(const ResultTable& table);

}  // namespace hgnet
