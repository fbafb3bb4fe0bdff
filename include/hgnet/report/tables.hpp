#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hgnet/report/paper.hpp"
#include "hgnet/report/results.hpp"

namespace hgnet {

struct TableRow {
  std::string model;
  std::optional<int> depth;  // none where the table does not tell depths apart, or none was run
};

struct TableColumn {
  std::string dataset;
  std::string split;
  std::string heading;  // over several columns, or empty
};

struct TableCell {
  const RunGroup* group = nullptr;  // null: missing
  double heat = 0;                  // place between the column's worst, 0, and best, 1
  bool best = false;                // of the column, reduced runs only among themselves
};

/// Figures of others for one model.
struct ReferenceRow {
  std::string model;
  std::vector<const PublishedFigure*> figures;  // by column; null: none
};

/// Models by data sets. Heat is per column, as in the paper: a column is a data set or, in Table 2, the block of a
/// data set and k.
struct ResultTable {
  std::string id;  // "table1"; also an anchor
  std::string title;
  std::string caption;
  std::string heat_note;  // what the heat of its cells goes by
  bool with_depth = false;
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
  std::vector<std::vector<TableCell>> cells;  // by row and column
  std::vector<ReferenceRow> references;

  bool empty() const;
};

/// The paper's four and, if there are runs that fit none of them, one for the others. A cell takes full runs before reduced
/// ones, longer ones before shorter ones, and then the group with most runs.
std::vector<ResultTable> result_tables(const Results& results);
std::vector<ResultTable> result_tables(Results&&) = delete;  // cells point into the results

/// "levels" or "layers".
std::string depth_unit(std::string_view model, int depth);
/// "GCN, 2 layers".
std::string row_label(const TableRow& row);
/// What others have published of the model for the column; null: nothing.
const PublishedFigure* published_for(const TableColumn& column, const std::string& model);
/// The metric of the column's cells, or the paper's if all are missing.
std::string column_metric(const ResultTable& table, std::size_t column);

}  // namespace hgnet
