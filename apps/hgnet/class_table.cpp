#include "class_table.hpp"

#include <algorithm>
#include <cstdio>

namespace hgnet::app {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kWidestName = 24;
constexpr std::size_t kMostInMatrix = 12;

std::string padded(std::string text, std::size_t width, bool right = true) {
  if (text.size() < width) text.insert(right ? 0 : text.size(), width - text.size(), ' ');
  return text;
}

std::string percent(std::optional<double> share) {
  if (!share) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %%", 100 * *share);
  return text;
}

/// Cut between characters of UTF-8.
std::string short_name(const std::string& name) {
  if (name.size() <= kWidestName) return name;
  std::size_t end = kWidestName - 3;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  return name.substr(0, end) + "...";
}

std::string matrix_text(const ClassTable& table, const std::vector<std::string>& names,
                        std::size_t width) {
  std::string text = "  predicted, by true class:\n  " + padded("", width);
  for (const std::string& name : names) text += "  " + padded(name, 6);
  text += "\n";
  for (std::size_t t = 0; t < names.size(); ++t) {
    text += "  " + padded(names[t], width, false);
    for (std::size_t g = 0; g < names.size(); ++g) {
      const std::size_t column = std::max<std::size_t>(names[g].size(), 6);
      text += "  " + padded(std::to_string(table.confusions.front().at(
                                static_cast<std::int64_t>(t), static_cast<std::int64_t>(g))),
                            column);
    }
    text += "\n";
  }
  return text;
}

ordered_json number_or_null(std::optional<double> value) {
  return value ? ordered_json(*value) : ordered_json();
}

}  // namespace

std::string to_text(const ClassTable& table) {
  std::vector<std::string> names;
  std::size_t width = 5;
  for (const std::string& name : table.names) {
    names.push_back(short_name(name));
    width = std::max(width, names.back().size());
  }
  std::string text = "  " + padded(table.are_labels ? "label" : "class", width, false) +
                     "  samples  precision     recall         F1\n";
  for (std::size_t c = 0; c < names.size(); ++c) {
    const ClassScores scores = table.scores(c);
    text +=
        "  " + padded(names[c], width, false) + "  " + padded(std::to_string(scores.samples), 7);
    for (const auto& share : {scores.precision, scores.recall, scores.f1})
      text += "  " + padded(percent(share), 9);
    text += "\n";
  }
  const bool has_matrix = !table.are_labels && names.size() <= kMostInMatrix;
  return has_matrix ? text + matrix_text(table, names, width) : text;
}

ordered_json to_json(const ClassTable& table) {
  ordered_json rows = ordered_json::array();
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const ClassScores scores = table.scores(c);
    rows.push_back({{"name", table.names[c]},
                    {"samples", scores.samples},
                    {"precision", number_or_null(scores.precision)},
                    {"recall", number_or_null(scores.recall)},
                    {"f1", number_or_null(scores.f1)}});
  }
  if (table.are_labels) return {{"labels", rows}};
  ordered_json matrix = ordered_json::array();
  const Confusion& confusion = table.confusions.front();
  for (std::int64_t t = 0; t < confusion.classes(); ++t) {
    ordered_json& row = matrix.emplace_back(ordered_json::array());
    for (std::int64_t g = 0; g < confusion.classes(); ++g) row.push_back(confusion.at(t, g));
  }
  return {{"classes", rows}, {"confusion", matrix}};
}

}  // namespace hgnet::app
