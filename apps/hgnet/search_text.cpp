#include "search_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "hgnet/records/metrics.hpp"
#include "hgnet/records/spread.hpp"
#include "svg.hpp"
#include "text_columns.hpp"

namespace hgnet::app {
namespace {

std::vector<std::string> setting_names(const Search& search) {
  std::set<std::string> names;
  for (const Trial& trial : search.trials) {
    for (const auto& [name, value] : trial.settings) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::string value_of(const Trial& trial, const std::string& name) {
  const auto found = trial.settings.find(name);
  return found == trial.settings.end() ? "" : found->second;
}

/// By the round they reached, then by the mean of their scores there; among equals, the best one
/// first.
std::vector<std::size_t> ranked(const Search& search) {
  std::vector<std::size_t> order(search.trials.size());
  for (std::size_t t = 0; t < order.size(); ++t) order[t] = t;
  const bool lower = lower_is_better(search.trials.front().config.metric);
  const auto best = search.best();
  const auto rank = [&](std::size_t trial) {
    const auto [round, values] = search.reached(trial);
    const double mean = summary_of(values).mean;
    return std::tuple(values.empty() ? -1 : static_cast<int>(round), lower ? -mean : mean,
                      best == trial);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  return order;
}

std::string formatted(const char* form, double value) {
  char text[32];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

/// Values as numbers if all are, and otherwise by their place in the order of texts.
std::map<std::string, double> positions(const std::set<std::string>& values) {
  std::map<std::string, double> at;
  bool numbers = true;
  for (const std::string& text : values) {
    double number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    numbers = numbers && failure == std::errc() && end == text.data() + text.size();
    at[text] = number;
  }
  std::vector<std::string> order(values.begin(), values.end());
  if (numbers)
    std::sort(order.begin(), order.end(),
              [&](const std::string& a, const std::string& b) { return at[a] < at[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) at[order[i]] = static_cast<double>(i);
  return at;
}

constexpr double kPanelWidth = 240;
constexpr double kPanelHeight = 190;
constexpr double kLeft = 50, kTop = 30, kPlotWidth = 170, kPlotHeight = 110;

struct ScoreRange {
  double low = 0;
  double high = 1;
};

std::string text_at(double x, double y, const std::string& anchor, const std::string& text) {
  return "<text x=\"" + formatted("%.1f", x) + "\" y=\"" + formatted("%.1f", y) +
         "\" text-anchor=\"" + anchor + "\">" + text + "</text>\n";
}

std::string panel(const Search& search, const std::string& name, ScoreRange range,
                  const std::map<std::string, std::size_t>& colours) {
  std::set<std::string> values;
  for (const Trial& trial : search.trials) {
    if (trial.settings.contains(name)) values.insert(value_of(trial, name));
  }
  const std::map<std::string, double> at = positions(values);
  const double step = kPlotWidth / static_cast<double>(values.size());
  const std::string& metric = search.trials.front().config.metric;
  std::string out = text_at(kLeft + kPlotWidth / 2, 18, "middle", name);
  out += "<rect x=\"50\" y=\"30\" width=\"170\" height=\"110\" fill=\"none\" stroke=\"#999\"/>\n";
  out += text_at(kLeft - 4, kTop + 8, "end", score_text(metric, range.high));
  out += text_at(kLeft - 4, kTop + kPlotHeight, "end", score_text(metric, range.low));
  for (const auto& [text, place] : at) {
    std::string shown = text;
    std::erase(shown, '"');
    out += text_at(kLeft + (place + 0.5) * step, kTop + kPlotHeight + 14, "middle", shown);
  }
  for (std::size_t t = 0; t < search.trials.size(); ++t) {
    const auto scores = search.reached(t).second;
    const auto place = at.find(value_of(search.trials[t], name));
    if (scores.empty() || place == at.end()) continue;
    const double height = (summary_of(scores).mean - range.low) / (range.high - range.low);
    // Spread over the width of the value, so that equal scores do not hide each other.
    const double aside =
        0.25 + 0.5 * static_cast<double>(t) / static_cast<double>(search.trials.size());
    out += "<circle r=\"3\" fill-opacity=\"0.7\" fill=\"" +
           std::string(kPalette[colours.at(search.trials[t].config.model) % kPalette.size()]) +
           "\" cx=\"" + formatted("%.1f", kLeft + (place->second + aside) * step) + "\" cy=\"" +
           formatted("%.1f", kTop + (1 - height) * kPlotHeight) + "\"><title>trial " +
           std::to_string(t) + ": " + score_with_unit(metric, summary_of(scores).mean) +
           "</title></circle>\n";
  }
  return out;
}

}  // namespace

std::string table_text(const Search& search) {
  const std::string& metric = search.trials.front().config.metric;
  std::vector<std::vector<std::string>> lines{{"trial", "model"}};
  const std::vector<std::string> names = setting_names(search);
  lines[0].insert(lines[0].end(), names.begin(), names.end());
  lines[0].insert(lines[0].end(), {"epochs", "folds", "validation " + metric});
  for (const std::size_t t : ranked(search)) {
    const Trial& trial = search.trials[t];
    auto& line = lines.emplace_back(std::vector{std::to_string(t), trial.config.model});
    for (const std::string& name : names) line.push_back(value_of(trial, name));
    const auto [round, values] = search.reached(t);
    const Summary spread = summary_of(values);
    line.push_back(std::to_string(search.rounds[round].epochs));
    line.push_back(std::to_string(spread.count));
    line.push_back(spread.count == 0 ? "failed" : summary_text(metric, spread));
  }
  std::string text;
  for (const std::string& line : in_columns(lines)) text += line + "\n";
  return text;
}

std::string to_csv(const Search& search) {
  const std::vector<std::string> names = setting_names(search);
  std::string text = "trial,model";
  for (const std::string& name : names) text += "," + name;
  text += ",round,epochs,fold,val\n";
  for (const TrialScore& score : search.scores) {
    const Trial& trial = search.trials[score.trial];
    text += std::to_string(score.trial) + "," + trial.config.model;
    for (const std::string& name : names) text += "," + value_of(trial, name);
    text += "," + std::to_string(score.round) + "," +
            std::to_string(search.rounds[score.round].epochs) + "," +
            (score.fold < 0 ? "" : std::to_string(score.fold)) + "," +
            (score.val ? formatted("%.9g", *score.val) : "") + "\n";
  }
  return text;
}

std::string to_svg(const Search& search) {
  const std::vector<std::string> names = setting_names(search);
  std::map<std::string, std::size_t> colours;
  ScoreRange range{INFINITY, -INFINITY};
  for (std::size_t t = 0; t < search.trials.size(); ++t) {
    colours.try_emplace(search.trials[t].config.model, colours.size());
    const auto scores = search.reached(t).second;
    if (scores.empty()) continue;
    range.low = std::min(range.low, summary_of(scores).mean);
    range.high = std::max(range.high, summary_of(scores).mean);
  }
  if (!(range.low < range.high)) range = {range.low - 0.5, range.low + 0.5};
  if (!std::isfinite(range.low)) range = {};
  const double columns = 3;
  const double rows = std::ceil(static_cast<double>(names.size()) / columns);
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" "
      "font-size=\"11\" width=\"" +
      formatted("%.0f", columns * kPanelWidth) + "\" height=\"" +
      formatted("%.0f", rows * kPanelHeight + 30) +
      "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  double place = 10;
  for (const auto& [model, colour] : colours) {
    out += "<circle r=\"4\" cx=\"" + formatted("%.0f", place) + "\" cy=\"15\" fill=\"" +
           kPalette[colour % kPalette.size()] + "\"/>\n" + text_at(place + 8, 19, "start", model);
    place += 30 + 7.0 * static_cast<double>(model.size());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += "<g transform=\"translate(" +
           formatted("%.0f", static_cast<double>(i % 3) * kPanelWidth) + " " +
           formatted("%.0f", 30 + static_cast<double>(i / 3) * kPanelHeight) + ")\">\n" +
           panel(search, names[i], range, colours) + "</g>\n";
  }
  return out + "</svg>\n";
}

}  // namespace hgnet::app
