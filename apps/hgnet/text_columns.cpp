#include "text_columns.hpp"

#include <algorithm>

namespace hgnet::app {

std::vector<std::string> in_columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> lines(rows.size());
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  for (std::size_t c = 0; c < columns; ++c) {
    std::size_t width = 0;
    for (const auto& row : rows) width = std::max(width, row[c].size());
    for (std::size_t r = 0; r < rows.size(); ++r)
      lines[r] += rows[r][c] + std::string(width - rows[r][c].size() + 2, ' ');
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

}  // namespace hgnet::app
