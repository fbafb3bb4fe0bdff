#pragma once

#include <string>
#include <vector>

namespace hgnet::app {

/// A line per row, with columns as wide as their widest cell and two blanks between them. All rows
/// have the same number of cells.
std::vector<std::string> in_columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace hgnet::app
