#include "hgnet/report/tables.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace hgnet {
namespace {

using Groups = std::vector<const RunGroup*>;

/// Models that have runs come after the given ones if they are not among them.
std::vector<std::string> with_found_models(std::vector<std::string> models, const Groups& groups) {
  for (const RunGroup* group : groups) {
    if (std::find(models.begin(), models.end(), group->key.model) == models.end())
      models.push_back(group->key.model);
  }
  return models;
}

/// Where rows do not tell depths apart they have the paper's. A run that does not say its depth is taken to have it.
bool has_depth(const GroupKey& key, const TableRow& row) {
  if (row.depth) return key.depth == *row.depth;
  return key.depth == 0 || key.depth == paper_depth(row.model, key.dataset);
}

/// The best of the groups that fit; ties go to the smaller key.
TableCell pick(const Groups& groups, const TableRow& row, const TableColumn& column) {
  const auto is_better = [](const RunGroup& a, const RunGroup& b) {
    if (training_text(a.key) != training_text(b.key)) return trained_longer(a.key, b.key);
    return a.test.count > b.test.count;
  };
  TableCell cell;
  for (const RunGroup* group : groups) {
    const GroupKey& key = group->key;
    const bool fits = key.model == row.model && key.dataset == column.dataset &&
                      key.split == column.split && has_depth(key, row);
    if (group->test.count == 0 || !fits) continue;
    if (cell.group == nullptr || is_better(*group, *cell.group)) cell.group = group;
  }
  return cell;
}

/// Lower errors are better, higher scores are.
double goodness(const RunGroup& group) {
  return lower_is_better(group.metric) ? -group.test.mean : group.test.mean;
}

void heat_column(ResultTable& table, std::size_t column) {
  std::vector<TableCell*> cells;
  for (auto& row : table.cells) {
    if (row[column].group != nullptr) cells.push_back(&row[column]);
  }
  if (cells.empty()) return;
  const auto by_goodness = [](const TableCell* a, const TableCell* b) {
    return goodness(*a->group) < goodness(*b->group);
  };
  const auto [worst, best] = std::minmax_element(cells.begin(), cells.end(), by_goodness);
  const double low = goodness(*(*worst)->group);
  const double high = goodness(*(*best)->group);
  for (TableCell* cell : cells)
    cell->heat = high > low ? (goodness(*cell->group) - low) / (high - low) : 1;
  // The best of the full runs, where there are any.
  const auto is_reduced = [](const TableCell* cell) { return cell->group->key.reduced(); };
  if (!std::all_of(cells.begin(), cells.end(), is_reduced)) std::erase_if(cells, is_reduced);
  const double first =
      goodness(*(*std::max_element(cells.begin(), cells.end(), by_goodness))->group);
  for (TableCell* cell : cells) cell->best = goodness(*cell->group) == first;
}

void add_references(ResultTable& table) {
  for (const PaperModel& model : paper_models()) {
    ReferenceRow row{model.name, {}};
    for (const TableColumn& column : table.columns)
      row.figures.push_back(published_for(column, model.name));
    const bool any = std::any_of(row.figures.begin(), row.figures.end(),
                                 [](const PublishedFigure* figure) { return figure != nullptr; });
    if (any) table.references.push_back(std::move(row));
  }
}

void fill(ResultTable& table, const Groups& groups) {
  for (const TableRow& row : table.rows) {
    auto& cells = table.cells.emplace_back();
    for (const TableColumn& column : table.columns) cells.push_back(pick(groups, row, column));
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c) heat_column(table, c);
  add_references(table);
}

/// A row for every depth of every model, the given ones and those that have runs. A model with
/// neither has one row.
std::vector<TableRow> depth_rows(const std::vector<std::string>& models, const Groups& groups,
                                 const std::function<std::set<int>(const std::string&)>& expected) {
  std::vector<TableRow> rows;
  for (const std::string& model : models) {
    std::set<int> depths = expected(model);
    for (const RunGroup* group : groups) {
      if (group->key.model == model) depths.insert(group->key.depth);
    }
    if (depths.empty()) rows.push_back({model, std::nullopt});
    for (const int depth : depths) rows.push_back({model, depth});
  }
  return rows;
}

/// Groups of a table on its data sets.
Groups groups_of(const Results& results, const ResultTable& table) {
  Groups groups = results.select(table.id);
  std::erase_if(groups, [&](const RunGroup* group) {
    const auto has = [&](const TableColumn& column) {
      return column.dataset == group->key.dataset && column.split == group->key.split;
    };
    return std::none_of(table.columns.begin(), table.columns.end(), has) ||
           !(table.with_depth || has_depth(group->key, {group->key.model, std::nullopt}));
  });
  return groups;
}

ResultTable table1(const Results& results) {
  ResultTable table{"table1",
                    "Table 1. Legacy graph benchmarks",
                    "Test score, mean and standard deviation over seeds (citation networks, one "
                    "public split) or over the "
                    "folds of a stratified cross-validation (graph classification).",
                    "Heat is normalised per data set.",
                    false,
                    {},
                    {},
                    {},
                    {}};
  for (const std::string& set : citation_sets())
    table.columns.push_back({set, paper_split(set), "node classification"});
  for (const std::string& set : tu_sets())
    table.columns.push_back({set, paper_split(set), "graph classification"});
  const Groups groups = groups_of(results, table);
  for (const std::string& model : with_found_models(table1_models(), groups))
    table.rows.push_back({model, std::nullopt});
  fill(table, groups);
  return table;
}

ResultTable table2(const Results& results) {
  ResultTable table{"table2",
                    "Table 2. Citation networks with k-hop sanitized splits",
                    "Test accuracy over seeds, for models of one to three layers or levels. No two "
                    "labelled nodes are within k "
                    "hops of each other.",
                    "Heat is normalised per block of a data set and k.",
                    true,
                    {},
                    {},
                    {},
                    {}};
  for (const char* k : {"1", "2"}) {
    for (const std::string& set : citation_sets())
      table.columns.push_back({set, std::string("sanitized:") + k, std::string("k = ") + k});
  }
  const Groups groups = groups_of(results, table);
  table.rows =
      depth_rows(with_found_models(table1_models(), groups), groups, [](const std::string&) {
        return std::set<int>{1, 2, 3};
      });
  fill(table, groups);
  return table;
}

ResultTable table3(const Results& results) {
  ResultTable table{"table3",
                    "Table 3. OGB molecular benchmarks",
                    "Test score over seeds on OGB's scaffold split: average precision on "
                    "ogbg-molpcba, ROC-AUC on ogbg-molhiv.",
                    "Heat is normalised per data set.",
                    true,
                    {},
                    {},
                    {},
                    {}};
  for (const std::string& set : ogb_sets()) table.columns.push_back({set, paper_split(set), ""});
  const Groups groups = groups_of(results, table);
  table.rows =
      depth_rows(with_found_models(table3_models(), groups), groups, [](const std::string& model) {
        return is_hierarchical(model) ? std::set<int>{1, 2, 3} : std::set<int>{5};
      });
  fill(table, groups);
  return table;
}

ResultTable table4(const Results& results) {
  ResultTable table{"table4",
                    "Table 4. Color-connectivity",
                    "Test accuracy over the folds of a stratified cross-validation, for several "
                    "depths of each model. Half of "
                    "the answers would be right by chance.",
                    "Heat is normalised per data set.",
                    true,
                    {},
                    {},
                    {},
                    {}};
  for (const std::string& set : color_sets()) table.columns.push_back({set, paper_split(set), ""});
  const Groups groups = groups_of(results, table);
  table.rows = depth_rows(with_found_models(table1_models(), groups), groups,
                          [](const std::string&) { return std::set<int>(); });
  fill(table, groups);
  return table;
}

/// Runs that none of the tables has a column for.
ResultTable other_runs(const Results& results, const std::vector<ResultTable>& tables) {
  std::set<const RunGroup*> placed;
  for (const ResultTable& table : tables) {
    const Groups groups = groups_of(results, table);
    placed.insert(groups.begin(), groups.end());
  }
  ResultTable table{"others",
                    "Other runs",
                    "Runs that are in none of the paper's tables.",
                    "Heat is normalised per column.",
                    true,
                    {},
                    {},
                    {},
                    {}};
  Groups groups;
  std::set<std::pair<std::string, std::string>> columns;
  for (const RunGroup& group : results.groups()) {
    if (placed.contains(&group)) continue;
    groups.push_back(&group);
    columns.insert({group.key.split, group.key.dataset});
  }
  for (const auto& [split, dataset] : columns) table.columns.push_back({dataset, split, split});
  std::vector<std::string> known;
  for (const PaperModel& model : paper_models()) known.push_back(model.name);
  std::vector<std::string> models = with_found_models(known, groups);
  std::erase_if(models, [&](const std::string& model) {
    return std::none_of(groups.begin(), groups.end(),
                        [&](const RunGroup* group) { return group->key.model == model; });
  });
  table.rows = depth_rows(models, groups, [](const std::string&) { return std::set<int>(); });
  fill(table, groups);
  return table;
}

}  // namespace

bool ResultTable::empty() const {
  for (const auto& row : cells) {
    for (const TableCell& cell : row) {
      if (cell.group != nullptr) return false;
    }
  }
  return true;
}

std::vector<ResultTable> result_tables(const Results& results) {
  std::vector<ResultTable> tables = {table1(results), table2(results), table3(results),
                                     table4(results)};
  ResultTable others = other_runs(results, tables);
  if (!others.empty()) tables.push_back(std::move(others));
  return tables;
}

std::string depth_unit(std::string_view model, int depth) {
  return std::string(is_hierarchical(model) ? "level" : "layer") + (depth == 1 ? "" : "s");
}

std::string row_label(const TableRow& row) {
  const std::string label = model_label(row.model);
  if (!row.depth) return label;
  return label + ", " + std::to_string(*row.depth) + " " + depth_unit(row.model, *row.depth);
}

const PublishedFigure* published_for(const TableColumn& column, const std::string& model) {
  // Others have published scores of the usual splits alone.
  return column.split == paper_split(column.dataset) ? published_figure(model, column.dataset)
                                                     : nullptr;
}

std::string column_metric(const ResultTable& table, std::size_t column) {
  for (const auto& row : table.cells) {
    if (row[column].group != nullptr) return row[column].group->metric;
  }
  return paper_metric(table.columns[column].dataset);
}

}  // namespace hgnet
