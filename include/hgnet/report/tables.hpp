#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hgnet/report/results.hpp"

namespace hgnet {

struct TableRow {
  std::string model;
  std::string label;
  std::optional<int> depth;  // none where the table does not tell depths apart, or none was fitted
};

struct TableColumn {
  std::string dataset;
  std::string split;
  std::string heading;      // over several columns, or empty
  std::string qualifier;    // behind the label where there is no heading: "k = 1"
  std::string label = {};   // of the data set; filled in
  std::string metric = {};  // of the cells, or the usual one if all are missing; filled in

  /// "Cora", "Cora, k = 1".
  std::string full_label() const { return qualifier.empty() ? label : label + ", " + qualifier; }
};

struct TableCell {
  const FitGroup* group = nullptr;             // null: missing
  const PublishedFigure* published = nullptr;  // of the same model; null: none
  double heat = 0;                             // between the column's worst, 0, and best, 1
  bool best = false;                           // of the column, reduced fits only among themselves
};

/// Figures of others for one model.
struct ReferenceRow {
  std::string label;
  std::vector<const PublishedFigure*> figures;  // by column; null: none
};

/// What a table is to consist of. Models and depths that were fitted are added to those named here.
struct TableLayout {
  std::string id;  // as records name it; also an anchor
  std::string title;
  std::string caption;
  std::string heat_note;  // what the heat of its cells goes by
  std::vector<TableColumn> columns = {};
  std::vector<std::string> models = {};
  std::vector<int> layers =
      {};  // depths of a flat model, the most wanted first; of a hierarchical one
  std::vector<int> levels = {};
  bool as_fitted = false;  // rows only for those that were fitted
  /// Where a model has one row: the depth it has on a data set. Null: a row for every depth.
  int (*depth)(std::string_view model, std::string_view dataset) = nullptr;
};

/// Models by data sets.
struct ResultTable {
  TableLayout layout;
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
  std::vector<std::vector<TableCell>> cells;  // by row and column
  std::vector<ReferenceRow> references;

  bool with_depth() const { return layout.depth == nullptr; }
  std::size_t filled() const;
  /// The groups in the cells, row by row or of one column; each once.
  std::vector<const FitGroup*> groups(std::optional<std::size_t> column = {}) const;
};

/// The tables and, if there are fits that have no place in them, one for the others. A cell takes full fits before
/// reduced ones, longer ones before shorter ones, and then the group with most fits.
std::vector<ResultTable> make_tables(const Results& results,
                                     const std::vector<TableLayout>& layouts);
std::vector<ResultTable> make_tables(Results&&, const std::vector<TableLayout>&) = delete;

}  // namespace hgnet
