#include "hgnet/report/tables.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <tuple>

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

bool fits(const RunGroup& group, const TableRow& row, const TableColumn& column) {
  return group.key.model == row.model && group.key.dataset == column.dataset &&
         (!row.depth || group.key.depth == *row.depth) &&
         (column.split.empty() || group.key.split == column.split);
}

/// The best of the groups that fit; ties go to the smaller key.
TableCell pick(const Groups& groups, const TableRow& row, const TableColumn& column) {
  const int wanted = paper_depth(row.model, column.dataset);
  const auto merit = [&](const RunGroup& group) {
    return std::tuple(!group.key.quick, group.key.depth == wanted, group.test.count);
  };
  TableCell cell;
  for (const RunGroup* group : groups) {
    if (group->test.count == 0 || !fits(*group, row, column)) continue;
    if (cell.group == nullptr || merit(*group) > merit(*cell.group)) cell.group = group;
  }
  return cell;
}

void heat_column(ResultTable& table, std::size_t column) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  const auto goodness = [](const RunGroup& group) {
    return lower_is_better(group.metric) ? -group.test.mean : group.test.mean;
  };
  for (auto& row : table.cells) {
    if (row[column].group == nullptr) continue;
    low = std::min(low, goodness(*row[column].group));
    high = std::max(high, goodness(*row[column].group));
  }
  for (auto& row : table.cells) {
    TableCell& cell = row[column];
    if (cell.group == nullptr) continue;
    const double value = goodness(*cell.group);
    cell.heat = high > low ? (value - low) / (high - low) : 1;
    cell.best = value == high;
  }
}

void add_references(ResultTable& table) {
  for (const PaperModel& model : paper_models()) {
    ReferenceRow row{model.name, {}};
    for (const TableColumn& column : table.columns) {
      // Others have published scores of the usual splits alone.
      row.figures.push_back(column.split.empty() ? published_figure(model.name, column.dataset)
                                                 : nullptr);
    }
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
    return std::none_of(table.columns.begin(), table.columns.end(), [&](const TableColumn& column) {
      return column.dataset == group->key.dataset &&
             (column.split.empty() || column.split == group->key.split);
    });
  });
  return groups;
}

ResultTable table1(const Results& results) {
  ResultTable table{"table1",
                    "Table 1. Legacy graph benchmarks",
                    "Test score, mean and standard deviation over seeds (citation networks, one "
                    "public split) or over the "
                    "folds of a stratified cross-validation (graph classification). Heat is "
                    "normalised per data set.",
                    false,
                    {},
                    {},
                    {},
                    {}};
  for (const std::string& set : citation_sets())
    table.columns.push_back({set, "", "node classification"});
  for (const std::string& set : tu_sets())
    table.columns.push_back({set, "", "graph classification"});
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
                    "hops of each other. Heat is normalised per block of a data set and k.",
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
                    "ogbg-molpcba, ROC-AUC on ogbg-molhiv. "
                    "Heat is normalised per data set.",
                    true,
                    {},
                    {},
                    {},
                    {}};
  for (const std::string& set : ogb_sets()) table.columns.push_back({set, "", ""});
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
                    "the answers would be right by chance. Heat is normalised per data set.",
                    true,
                    {},
                    {},
                    {},
                    {}};
  for (const std::string& set : color_sets()) table.columns.push_back({set, "", ""});
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
                    "Runs on data sets or splits that are in none of the paper's tables. Heat is "
                    "normalised per column.",
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

std::string column_metric(const ResultTable& table, std::size_t column) {
  for (const auto& row : table.cells) {
    if (row[column].group != nullptr) return row[column].group->metric;
  }
  return paper_metric(table.columns[column].dataset);
}

}  // namespace hgnet
