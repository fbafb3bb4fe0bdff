#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace hgnet {

/// The number of insertions, deletions and replacements that turn one text into the other
/// (Levenshtein).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

inline std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// "Did you mean cora? ", with all known names that are a few typing errors away or contain `name`,
/// ignoring case; empty if there are none.
inline std::string suggestions(const std::string& name, const std::vector<std::string>& known) {
  const std::string wanted = lower_case(name);
  const std::string start = "Did you mean";
  std::string text = start;
  for (const std::string& candidate : known) {
    const std::string lower = lower_case(candidate);
    if (edit_distance(lower, wanted) <= 1 + wanted.size() / 4 ||
        (wanted.size() > 2 && lower.find(wanted) != std::string::npos)) {
      text += " " + candidate;
    }
  }
  return text == start ? "" : text + "? ";
}

/// "; did you mean gcn?" for the nearest known name; empty if none is near.
inline std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  std::string nearest;
  std::size_t least = 3;  // farther than this is not a typing error
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

/// "unknown model 'gnc'; did you mean gcn? Expected one of gcn, gat, ...".
inline std::string unknown_name(const std::string& what, const std::string& name,
                                const std::vector<std::string>& known) {
  std::string all;
  for (const std::string& candidate : known) all += (all.empty() ? "" : ", ") + candidate;
  const std::string near = suggestion(name, known);
  return "unknown " + what + " '" + name + "'" + near +
         (near.empty() ? "; expected one of " : " Expected one of ") + all;
}

}  // namespace hgnet
