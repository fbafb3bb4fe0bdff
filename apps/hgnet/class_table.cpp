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
      text += "  " + padded(std::to_string(table.confusion.at(static_cast<std::int64_t>(t),
                                                              static_cast<std::int64_t>(g))),
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

void ClassTable::add(const ClassTable& other) {
  for (std::int64_t t = 0; t < confusion.classes(); ++t) {
    for (std::int64_t g = 0; g < confusion.classes(); ++g)
      confusion.at(t, g) += other.confusion.at(t, g);
  }
}

std::string to_text(const ClassTable& table) {
  std::vector<std::string> names;
  std::size_t width = 5;
  for (const std::string& name : table.classes) {
    names.push_back(short_name(name));
    width = std::max(width, names.back().size());
  }
  std::string text =
      "  " + padded("class", width, false) + "  samples  precision     recall         F1\n";
  for (std::size_t c = 0; c < names.size(); ++c) {
    const ClassScores scores = class_scores(table.confusion, static_cast<std::int64_t>(c));
    text +=
        "  " + padded(names[c], width, false) + "  " + padded(std::to_string(scores.samples), 7);
    for (const auto& share : {scores.precision, scores.recall, scores.f1})
      text += "  " + padded(percent(share), 9);
    text += "\n";
  }
  return names.size() <= kMostInMatrix ? text + matrix_text(table, names, width) : text;
}

ordered_json to_json(const ClassTable& table) {
  ordered_json classes = ordered_json::array();
  ordered_json confusion = ordered_json::array();
  const std::int64_t count = table.confusion.classes();
  for (std::int64_t t = 0; t < count; ++t) {
    const ClassScores scores = class_scores(table.confusion, t);
    classes.push_back({{"name", table.classes.at(static_cast<std::size_t>(t))},
                       {"samples", scores.samples},
                       {"precision", number_or_null(scores.precision)},
                       {"recall", number_or_null(scores.recall)},
                       {"f1", number_or_null(scores.f1)}});
    ordered_json row = ordered_json::array();
    for (std::int64_t g = 0; g < count; ++g) row.push_back(table.confusion.at(t, g));
    confusion.push_back(row);
  }
  return {{"classes", classes}, {"confusion", confusion}};
}

}  // namespace hgnet::app
