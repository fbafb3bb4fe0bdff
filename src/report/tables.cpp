#include "hgnet/report/tables.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "report/number_text.hpp"

namespace hgnet {
namespace {

bool same_place(const GroupKey& key, const TableColumn& column) {
  return column.dataset == key.dataset && column.split == key.split;
}

using Parts = std::vector<std::shared_ptr<const FitGroup>>;

/// Of the groups of another table, what can be compared with the table's own.
Parts parts_of_other_table(const TableLayout& layout, const Results& results) {
  Parts parts;
  for (const std::string& model : layout.of_other_table) {
    for (const FitGroup* group : results.select(layout.other_table, "", "", model)) {
      std::set<FitPlace> places;
      for (const FitGroup* own : results.select(layout.id, group->key.dataset, group->key.split)) {
        for (const FitRecord* fit : own->fits) places.insert(place_of(*fit));
      }
      std::vector<const FitRecord*> fits = group->fits;
      std::erase_if(fits, [&](const FitRecord* fit) { return !places.contains(place_of(*fit)); });
      if (!fits.empty())
        parts.push_back(std::make_shared<const FitGroup>(results.group_of(group->key, fits)));
    }
  }
  return parts;
}

/// Groups of the table that belong in one of its columns.
FitGroups groups_of(const TableLayout& layout, const Results& results, const Parts& parts) {
  FitGroups groups = results.select(layout.id);
  for (const auto& part : parts) groups.push_back(part.get());
  std::erase_if(groups, [&](const FitGroup* group) {
    const GroupKey& key = group->key;
    const auto has = [&](const TableColumn& column) { return same_place(key, column); };
    // Fits without a recorded depth are assumed to have the table's for the model, if it has one.
    const bool other_depth = layout.depth != nullptr && key.depth != 0 &&
                             key.depth != layout.depth(key.model, key.dataset);
    return other_depth || std::ranges::none_of(layout.columns, has);
  });
  return groups;
}

/// A column for each reading that has fits of its own, and for each thing to show of them.
std::vector<TableColumn> columns_of(const TableLayout& layout, const FitGroups& groups) {
  std::vector<Shown> shown = {Shown::kTest};
  if (layout.with_parameters) shown.insert(shown.end(), {Shown::kValidation, Shown::kParameters});
  std::vector<TableColumn> columns;
  for (TableColumn column : layout.columns) {
    column.one_of_two = std::ranges::any_of(groups, [&](const FitGroup* group) {
      return same_place(group->key, column) && !group->key.of(Reading::kAsWritten);
    });
    for (const Reading reading : {Reading::kAsWritten, Reading::kAsRun}) {
      if (reading == Reading::kAsRun && !column.one_of_two) continue;
      column.reading = reading;
      for (const Shown part : shown) columns.emplace_back(column).shown = part;
    }
  }
  return columns;
}

std::vector<TableRow> rows_of(const TableLayout& layout, const FitGroups& groups,
                              const Catalogue& catalogue) {
  std::vector<std::string> models = layout.models;
  std::map<std::string, std::set<std::pair<int, std::string>>> kinds;  // depths and variants
  for (const FitGroup* group : groups) {
    const GroupKey& key = group->key;
    if (std::ranges::find(models, key.model) == models.end()) models.push_back(key.model);
    if (layout.depth == nullptr) kinds[key.model].insert({key.depth, key.variant});
  }
  std::vector<TableRow> rows;
  for (const std::string& model : models) {
    const std::string label = catalogue.model_label(model);
    if (layout.depth == nullptr && !layout.as_fitted) {
      for (const int depth : is_hierarchical(model) ? layout.levels : layout.layers)
        kinds[model].insert({depth, ""});
    }
    if (kinds[model].empty()) rows.push_back({model, label, std::nullopt});
    for (const auto& [depth, variant] : kinds[model])
      rows.push_back({model, label + bracketed(variant), depth, variant});
  }
  return rows;
}

/// Puts every group with a score into its row, in all columns of its data set, split and reading,
/// unless a better one is there: trained longer or, if as long, with more fits.
void place_groups(ResultTable& table, const FitGroups& groups) {
  std::map<std::tuple<std::string, std::optional<int>, std::string>, std::size_t> row_of;
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    row_of[{table.rows[r].model, table.rows[r].depth, table.rows[r].variant}] = r;
  const auto rank = [](const FitGroup& group) {
    return std::pair(training_length(group.key), group.test.count);
  };
  for (const FitGroup* group : groups) {
    const GroupKey& key = group->key;
    const auto depth = table.with_depth() ? std::optional(key.depth) : std::nullopt;
    const auto row = row_of.find({key.model, depth, key.variant});
    if (row == row_of.end() || group->test.count == 0) continue;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!same_place(key, table.columns[c]) || !key.of(table.columns[c].reading)) continue;
      const FitGroup*& best = table.cells[row->second][c].group;
      if (best == nullptr || rank(*group) > rank(*best)) best = group;
    }
  }
}

void heat_column(ResultTable& table, std::size_t column) {
  std::vector<TableCell*> cells;
  for (auto& row : table.cells) {
    if (row[column].group != nullptr) cells.push_back(&row[column]);
  }
  if (cells.empty() || table.columns[column].shown == Shown::kParameters) return;
  // Higher is better: errors are negated.
  const auto good = [&](const TableCell* cell) {
    const double mean = table.columns[column].scores(*cell->group).mean;
    return lower_is_better(cell->group->metric) ? -mean : mean;
  };
  const double low = good(*std::ranges::min_element(cells, {}, good));
  const double high = good(*std::ranges::max_element(cells, {}, good));
  for (TableCell* cell : cells) cell->heat = high > low ? (good(cell) - low) / (high - low) : 1;
  // The best of the full fits, if there are any.
  const auto is_reduced = [](const TableCell* cell) { return cell->group->key.reduced(); };
  if (!std::ranges::all_of(cells, is_reduced)) std::erase_if(cells, is_reduced);
  // Of these, the ones with the most seeds and folds: a score of one fold does not win over ten.
  const auto fits = [](const TableCell* cell) { return cell->group->test.count; };
  const auto places = [](const TableCell* cell) { return common_places({cell->group}); };
  const std::vector<FitPlace> protocol = places(*std::ranges::max_element(cells, {}, fits));
  std::erase_if(cells, [&](const TableCell* cell) { return places(cell) != protocol; });
  const double best = good(*std::ranges::max_element(cells, {}, good));
  for (TableCell* cell : cells) cell->best = good(cell) == best;
}

/// Published scores exist only for the usual splits.
const PublishedFigure* published(const Catalogue& catalogue, const TableColumn& column,
                                 const std::string& model) {
  const Catalogue::Data* data = catalogue.data(column.dataset);
  const bool usual = data != nullptr && data->split == column.split;
  return usual && column.shown == Shown::kTest ? catalogue.figure(model, column.dataset) : nullptr;
}

void add_references(ResultTable& table, const Catalogue& catalogue) {
  for (const Catalogue::Model& model : catalogue.models) {
    ReferenceRow row;
    for (const TableColumn& column : table.columns) {
      const PublishedFigure* figure = published(catalogue, column, model.name);
      row.figures.push_back(figure == nullptr ? std::nullopt : std::optional(*figure));
      if (figure != nullptr && row.label.empty()) row.label = model.label + ", " + figure->source;
    }
    if (!row.label.empty()) table.references.push_back(std::move(row));
  }
}

ResultTable make_table(const TableLayout& layout, const FitGroups& groups,
                       const Catalogue& catalogue) {
  ResultTable table{layout, columns_of(layout, groups), rows_of(layout, groups, catalogue), {}, {}};
  for (const TableRow& row : table.rows) {
    auto& cells = table.cells.emplace_back();
    for (const TableColumn& column : table.columns)
      cells.push_back({nullptr, published(catalogue, column, row.model)});
  }
  place_groups(table, groups);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    TableColumn& column = table.columns[c];
    const Catalogue::Data* data = catalogue.data(column.dataset);
    const FitGroups in_column = table.groups(c);
    column.label = catalogue.dataset_label(column.dataset);
    column.metric = !in_column.empty() ? in_column[0]->metric : data != nullptr ? data->metric : "";
    heat_column(table, c);
  }
  add_references(table, catalogue);
  return table;
}

/// For fits that no table has a column for. A variant is a row of its own.
TableLayout other_layout(const FitGroups& groups, const Catalogue& catalogue) {
  TableLayout layout{"others", "Other fits", "Fits that are in none of the paper's tables.",
                     "Heat is normalised per column."};
  std::set<std::pair<std::string, std::string>> columns;
  std::set<std::string> models;
  for (const FitGroup* group : groups) {
    columns.insert({group->key.split, group->key.dataset});
    models.insert(group->key.model);
  }
  for (const auto& [split, dataset] : columns) {
    const Catalogue::Data* data = catalogue.data(dataset);
    const bool usual = split == (data != nullptr ? data->split : "");
    layout.columns.push_back({dataset, split, split, usual ? "" : split});
  }
  for (const Catalogue::Model& model : catalogue.models) {
    if (models.contains(model.name)) layout.models.push_back(model.name);
  }
  return layout;
}

/// A list of groups instead of a grid.
ResultTable list_of(const TableLayout& layout, const FitGroups& groups,
                    const Catalogue& catalogue) {
  ResultTable table{layout, {{"", "", "", "", "test score"}}, {}, {}, {}};
  for (const FitGroup* group : groups) {
    if (group->test.count == 0) continue;
    const GroupKey& key = group->key;
    const std::string label = catalogue.model_label(key.model) + bracketed(key.variant);
    table.rows.push_back({key.model, label + " on " + group->place, key.depth, key.variant});
    table.cells.push_back({{group, nullptr}});
  }
  return table;
}

/// The mean over the fits of a column of what the best prediction scores that looks at no sample.
void add_baseline(ResultTable& table) {
  ReferenceRow row{"Baseline", {}};
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::vector<double> scores;
    for (const FitGroup* group : table.groups(c)) {
      for (const FitRecord* fit : group->fits) scores.push_back(fit->baseline_score("test"));
    }
    auto& figure = row.figures.emplace_back();
    const Summary spread = summary_of(scores);
    if (spread.count > 0)
      figure = {"", "", spread.mean, {}, "the best prediction that looks at no sample"};
  }
  if (std::ranges::any_of(row.figures, [](const auto& figure) { return figure.has_value(); }))
    table.references.push_back(std::move(row));
}

ResultTable table_of_others(const FitGroups& groups, const Catalogue& catalogue) {
  constexpr std::size_t kSmall = 10'000;  // cells that are shown even if most are empty
  constexpr std::size_t kEmpty = 4;       // cells for each filled one, at most
  const TableLayout layout = other_layout(groups, catalogue);
  const std::size_t cells = rows_of(layout, groups, catalogue).size() * layout.columns.size();
  if (cells > kSmall && cells > kEmpty * groups.size()) return list_of(layout, groups, catalogue);
  ResultTable table = make_table(layout, groups, catalogue);
  add_baseline(table);
  return table;
}

}  // namespace

std::string TableColumn::specifier() const {
  std::string text = one_of_two ? reading_text(reading) : "";
  if (shown == Shown::kValidation) append(text, ", ", "validation");
  if (shown == Shown::kParameters) append(text, ", ", "parameters");
  return text;
}

std::string TableColumn::full_label() const {
  std::string text = label;
  append(text, ", ", qualifier);
  append(text, ", ", specifier());
  return text;
}

std::size_t ResultTable::filled() const {
  std::size_t count = 0;
  for (const auto& row : cells)
    count += std::ranges::count_if(row, [](auto& cell) { return cell.group != nullptr; });
  return count;
}

FitGroups ResultTable::groups(std::optional<std::size_t> column) const {
  FitGroups found;
  std::set<const FitGroup*> seen;
  for (const auto& row : cells) {
    for (std::size_t c = column.value_or(0); c < (column ? *column + 1 : row.size()); ++c) {
      const FitGroup* group = row[c].group;
      if (group != nullptr && seen.insert(group).second) found.push_back(group);
    }
  }
  return found;
}

std::vector<ResultTable> make_tables(const Results& results,
                                     const std::vector<TableLayout>& layouts) {
  std::vector<ResultTable> tables;
  std::set<const FitGroup*> placed;
  for (const TableLayout& layout : layouts) {
    auto parts = parts_of_other_table(layout, results);
    const FitGroups groups = groups_of(layout, results, parts);
    placed.insert(groups.begin(), groups.end());
    tables.push_back(make_table(layout, groups, results.catalogue()));
    tables.back().parts = std::move(parts);
  }
  FitGroups others;
  for (const FitGroup& group : results.groups()) {
    if (!placed.contains(&group)) others.push_back(&group);
  }
  ResultTable table = table_of_others(others, results.catalogue());
  if (table.filled() > 0) tables.push_back(std::move(table));
  return tables;
}

}  // namespace hgnet
