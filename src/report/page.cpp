#include "hgnet/report/page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "core/nearest_name.hpp"
#include "hgnet/core/error.hpp"
#include "report/markdown.hpp"
#include "report/number_text.hpp"
#include "report/origins.hpp"

namespace hgnet {
namespace {

constexpr std::string_view kBegin = "<!-- report: ";
constexpr std::string_view kClose = " -->";
constexpr std::string_view kEnd = "<!-- end -->";

using Groups = std::vector<const FitGroup*>;

/// The groups of a table by data set, in the catalogue's order; unknown data sets come last.
std::vector<Groups> by_dataset(const Results& results, const std::string& table) {
  const auto& known = results.catalogue().datasets;
  std::map<std::pair<std::size_t, std::string>, Groups> groups;
  for (const FitGroup* group : results.select(table)) {
    const auto at = std::find_if(known.begin(), known.end(), [&](const Catalogue::Data& data) {
      return data.name == group->key.dataset;
    });
    groups[{static_cast<std::size_t>(at - known.begin()), group->key.dataset}].push_back(group);
  }
  std::vector<Groups> result;
  for (auto& [place, of_dataset] : groups) result.push_back(std::move(of_dataset));
  return result;
}

/// Calls visit(title, data set's label, groups) for every table and data set that has fits.
template <class Visit>
void for_each_dataset(const Results& results, std::span<const ResultTable> tables,
                      const Visit& visit) {
  for (const ResultTable& table : tables) {
    const std::string id = table.layout.id == "others" ? "" : table.layout.id;
    const std::string& title = table.layout.title;
    for (const Groups& groups : by_dataset(results, id))
      visit(title.substr(0, title.find('.')),
            results.catalogue().dataset_label(groups.front()->key.dataset), groups);
  }
}

std::string fits_part(const Results& results, std::span<const ResultTable> tables) {
  TextRows rows = {{"table", "data set", "models", "fits", "epochs", "hours"}};
  const auto add = [&](const std::string& title, const std::string& dataset, const Groups& groups) {
    std::set<std::string> models;
    std::set<std::int64_t> epochs;
    std::size_t fits = 0;
    double total = 0;
    for (const FitGroup* group : groups) {
      models.insert(group->key.model);
      fits += group->fits.size();
      for (const FitRecord* fit : group->fits) {
        epochs.insert(fit->option_number("epochs"));
        total += hours(*fit);
      }
    }
    std::string numbers;
    for (const std::int64_t number : epochs) append(numbers, ", ", std::to_string(number));
    rows.push_back({title, dataset, std::to_string(models.size()), std::to_string(fits), numbers,
                    fixed(total, 1)});
  };
  for_each_dataset(results, tables, add);
  std::string out = markdown_rows(rows) + "\n";
  for (const std::string& origin : origins(results)) out += "- " + markdown_text(origin) + "\n";
  return out;
}

std::string claims_part(std::span<const Claim> claims) {
  std::string out;
  for (const Claim& claim : claims) {
    out += "- **" + markdown_text(claim.heading()) + "**\n";
    for (const ClaimCheck& check : claim.checks)
      out += "  - " + markdown_text(check.statement) + ": " + check.outcome() + "\n";
  }
  return out;
}

std::string recalibrated_part(const Results& results, std::span<const ResultTable> tables) {
  TextRows rows = {
      {"table", "data set", "fits", "test", "test, recomputed", "largest gain", "largest loss"}};
  const auto add = [&](const std::string& title, const std::string& dataset, const Groups& groups) {
    std::vector<double> as_is, recomputed, gains;
    for (const FitGroup* group : groups) {
      for (const FitRecord* fit : group->fits) {
        const double score = fit->recalibrated_score("test");
        if (!std::isfinite(score) || !std::isfinite(fit->score("test"))) continue;
        as_is.push_back(fit->score("test"));
        recomputed.push_back(score);
        gains.push_back(score - as_is.back());
      }
    }
    if (gains.empty()) return;
    const std::string& metric = groups.front()->metric;
    const auto [loss, gain] = std::minmax_element(gains.begin(), gains.end());
    rows.push_back(
        {title, dataset, std::to_string(gains.size()), score_text(metric, summary_of(as_is).mean),
         score_text(metric, summary_of(recomputed).mean), score_text(metric, std::max(*gain, 0.0)),
         score_text(metric, std::max(-*loss, 0.0))});
  };
  for_each_dataset(results, tables, add);
  return markdown_rows(rows);
}

/// Validation by epoch of the fits that were scored with recomputed statistics after each.
std::string curves_part(const Results& results) {
  std::size_t epochs = 0;
  TextRows rows = {{"validation, by epoch", "mean"}};
  for (const FitGroup& group : results.groups()) {
    for (const FitRecord* fit : group.fits) {
      if (!fit->curve.contains("val_recalibrated")) continue;
      for (const auto& [curve, name] :
           {std::pair{"val", "running statistics"}, std::pair{"val_recalibrated", "recomputed"}}) {
        const std::vector<double>& values = fit->curve.at(curve);
        auto& row = rows.emplace_back();
        row.push_back(
            markdown_text(group.label + bracketed(epochs_text(group.key)) + ", " + group.place) +
            ", " + name);
        row.push_back(score_text(group.metric, summary_of(values).mean));
        for (const double value : values) row.push_back(score_text(group.metric, value));
        epochs = std::max(epochs, values.size());
      }
    }
  }
  for (std::size_t epoch = 1; epoch <= epochs; ++epoch) rows[0].push_back(std::to_string(epoch));
  for (auto& row : rows) row.resize(epochs + 2);
  return markdown_rows(rows);
}

/// Relative to distance 0, with two digits.
std::string influence_text(const ProbeRecord& probe, double distance) {
  const auto at = std::find(probe.distance.begin(), probe.distance.end(), distance);
  if (at == probe.distance.end() || probe.distance[0] != 0) return "–";
  char text[32];
  const double own = probe.influence[0];
  const double there = probe.influence[static_cast<std::size_t>(at - probe.distance.begin())];
  std::snprintf(text, sizeof text, "%.2g", there / own);
  return text;
}

std::string probes_part(const Results& results) {
  constexpr std::array kDistances = {1, 2, 4, 8, 12, 16, 24, 32};
  const Catalogue& catalogue = results.catalogue();
  TextRows rows = {{"model", "data set", "epochs", "fold"}};
  for (const int distance : kDistances) rows[0].push_back(std::to_string(distance));
  std::vector<const ProbeRecord*> probes;
  for (const ProbeRecord& probe : results.probes()) probes.push_back(&probe);
  std::stable_sort(probes.begin(), probes.end(), [&](const ProbeRecord* a, const ProbeRecord* b) {
    const auto order = [&](const ProbeRecord& p) {
      return std::tuple(p.dataset, catalogue.style(p.model), p.depth, p.epochs, p.fold);
    };
    return order(*a) < order(*b);
  });
  for (const ProbeRecord* probe : probes) {
    auto& row = rows.emplace_back();
    row = {depth_label(catalogue.model_label(probe->model), probe->model, probe->depth),
           catalogue.dataset_label(probe->dataset), std::to_string(probe->epochs),
           probe->fold < 0 ? "–" : std::to_string(probe->fold)};
    for (const int distance : kDistances) row.push_back(influence_text(*probe, distance));
  }
  return markdown_rows(rows);
}

/// The name in `<!-- report: NAME -->`, or nothing.
std::string_view name_in(std::string_view line) {
  if (!line.starts_with(kBegin) || !line.ends_with(kClose)) return {};
  return line.substr(kBegin.size(), line.size() - kBegin.size() - kClose.size());
}

}  // namespace

PageParts page_parts(const Results& results, std::span<const ResultTable> tables,
                     std::span<const Claim> claims, std::span<const Claim> findings) {
  PageParts parts = {
      {"fits", fits_part(results, tables)}, {"claims", claims_part(claims)},
      {"findings", claims_part(findings)},  {"recalibrated", recalibrated_part(results, tables)},
      {"curves", curves_part(results)},     {"probes", probes_part(results)}};
  for (const ResultTable& table : tables) parts[table.layout.id] = markdown_table(table);
  return parts;
}

std::string filled_page(std::string_view page, const PageParts& parts, const std::string& file) {
  std::string out;
  std::int64_t number = 0;
  std::int64_t opened = 0;  // the line of the part that is being replaced; 0: none is
  while (!page.empty()) {
    ++number;
    const std::size_t end = page.find('\n');
    const std::string_view line = page.substr(0, end);
    page.remove_prefix(end == std::string_view::npos ? page.size() : end + 1);
    const std::string name(name_in(line));
    if (!name.empty() && opened > 0)
      throw InvalidFile(file, number,
                        "a part begins before that of line " + std::to_string(opened) + " ends");
    if (opened > 0 && line != kEnd) continue;
    if (opened == 0 && line == kEnd) throw InvalidFile(file, number, "the end of no part");
    opened = 0;
    out.append(line).append("\n");
    if (name.empty()) continue;
    const auto part = parts.find(name);
    if (part == parts.end()) {
      std::vector<std::string> names;
      for (const auto& [known, text] : parts) names.push_back(known);
      throw InvalidFile(file, number, unknown_name("part", name, names));
    }
    out.append("\n").append(part->second).append("\n");
    opened = number;
  }
  if (opened > 0)
    throw InvalidFile(file, opened, "the part has no end: a line " + std::string(kEnd));
  return out;
}

}  // namespace hgnet
