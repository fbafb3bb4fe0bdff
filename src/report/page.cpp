#include "hgnet/report/page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <sstream>

#include "hgnet/core/error.hpp"
#include "hgnet/core/nearest_name.hpp"
#include "report/markdown.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

constexpr std::string_view kBegin = "<!-- report: ";
constexpr std::string_view kClose = " -->";
constexpr std::string_view kEnd = "<!-- end -->";

/// A row for every table and data set that has fits, data sets in the catalogue's order; unknown
/// ones come last. After these two stands what `cells` returns for the groups; if that is nothing,
/// there is no row.
template <class Cells>
std::string by_dataset(const Results& results, std::span<const ResultTable> tables,
                       const TextRow& headings, const Cells& cells) {
  TextRows rows = {headings};
  const auto& known = results.catalogue().datasets;
  for (const ResultTable& table : tables) {
    const std::string id = table.layout.id == "others" ? "" : table.layout.id;
    std::map<std::pair<std::ptrdiff_t, std::string>, FitGroups> groups;
    for (const FitGroup* group : results.select(id)) {
      const auto at = std::ranges::find(known, group->key.dataset, &Catalogue::Data::name);
      groups[{at - known.begin(), group->key.dataset}].push_back(group);
    }
    for (const auto& [place, of_dataset] : groups) {
      TextRow row = cells(of_dataset);
      if (row.empty()) continue;
      row.insert(row.begin(), {short_title(table.layout.title),
                               results.catalogue().dataset_label(place.second)});
      rows.push_back(std::move(row));
    }
  }
  return markdown_rows(rows);
}

/// Models, fits, epochs and hours.
TextRow fit_cells(const FitGroups& groups) {
  std::set<std::string> models;
  std::set<std::int64_t> epochs;
  std::size_t fits = 0;
  double total = 0;
  for (const FitGroup* group : groups) {
    models.insert(group->key.model);
    fits += group->fits.size();
    for (const FitRecord* fit : group->fits) {
      epochs.insert(fit->option_number("epochs"));
      total += hours_of(*fit);
    }
  }
  return {std::to_string(models.size()), std::to_string(fits),
          joined(epochs, ", ", [](auto number) { return std::to_string(number); }),
          fixed(total, 1)};
}

std::string fits_part(const Results& results, std::span<const ResultTable> tables) {
  std::string out =
      by_dataset(results, tables, {"table", "data set", "models", "fits", "epochs", "hours"},
                 fit_cells) +
      "\n";
  for (const std::string& origin : results.origins()) out += "- " + markdown_text(origin) + "\n";
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

/// Fits, test scores as they are and recomputed, largest gain and loss.
TextRow recalibrated_cells(const FitGroups& groups) {
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
  if (gains.empty()) return {};
  const auto text = [&](double score) { return score_text(groups.front()->metric, score); };
  return {std::to_string(gains.size()), text(summary_of(as_is).mean),
          text(summary_of(recomputed).mean), text(std::max(std::ranges::max(gains), 0.0)),
          text(std::max(0.0, -std::ranges::min(gains)))};
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
        row = {markdown_text(group.label + bracketed(epochs_text(group.key)) + ", " + group.place) +
                   ", " + name,
               score_text(group.metric, summary_of(values).mean)};
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
  const auto at = std::ranges::find(probe.distance, distance);
  if (at == probe.distance.end() || probe.distance[0] != 0) return "–";
  const double there = probe.influence[static_cast<std::size_t>(at - probe.distance.begin())];
  return printed("%.2g", there / probe.influence[0]);
}

std::string probes_part(const Results& results) {
  constexpr std::array kDistances = {1, 2, 4, 8, 12, 16, 24, 32};
  const Catalogue& catalogue = results.catalogue();
  TextRows rows = {{"model", "data set", "epochs", "fold"}};
  for (const int distance : kDistances) rows[0].push_back(std::to_string(distance));
  std::vector<ProbeRecord> probes = results.probes();
  std::ranges::stable_sort(probes, {}, [&](const ProbeRecord& p) {
    return std::tuple(p.dataset, catalogue.style(p.model), p.depth, p.epochs, p.fold);
  });
  for (const ProbeRecord& probe : probes) {
    auto& row = rows.emplace_back();
    row = {depth_label(catalogue.model_label(probe.model), probe.model, probe.depth),
           catalogue.dataset_label(probe.dataset), std::to_string(probe.epochs),
           probe.fold < 0 ? "–" : std::to_string(probe.fold)};
    for (const int distance : kDistances) row.push_back(influence_text(probe, distance));
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
      {"fits", fits_part(results, tables)},
      {"claims", claims_part(claims)},
      {"findings", claims_part(findings)},
      {"recalibrated", by_dataset(results, tables,
                                  {"table", "data set", "fits", "test", "test, recomputed",
                                   "largest gain", "largest loss"},
                                  recalibrated_cells)},
      {"curves", curves_part(results)},
      {"probes", probes_part(results)}};
  for (const ResultTable& table : tables) parts[table.layout.id] = markdown_table(table);
  return parts;
}

std::string filled_page(std::string_view page, const PageParts& parts, const std::string& file) {
  std::string out;
  std::int64_t number = 0;
  std::int64_t opened = 0;  // the line of the part that is being replaced; 0: none is
  std::istringstream lines{std::string(page)};
  for (std::string line; std::getline(lines, line);) {
    ++number;
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
