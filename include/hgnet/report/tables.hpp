#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hgnet/report/results.hpp"

namespace hgnet {

struct TableRow {
  std::string model;
  std::string label;
  std::optional<int> depth;  // none if the table does not distinguish depths, or no fit exists
  std::string variant = {};
};

/// What a column shows of its fits.
enum class Shown { kTest, kValidation, kParameters };

struct TableColumn {
  std::string dataset;
  std::string split;
  std::string heading;      // above several columns, or empty
  std::string qualifier;    // after the label if there is no heading: "k = 1"
  std::string label = {};   // of the data set; filled in
  std::string metric = {};  // of the cells, or the usual one if all are empty; filled in
  Reading reading = Reading::kAsWritten;
  bool one_of_two = false;  // the other reading has a column beside it; filled in
  Shown shown = Shown::kTest;

  /// "as run", or nothing if there is only one reading; then "validation" or "parameters".
  std::string specifier() const;
  /// "Cora", "Cora, k = 1, as run".
  std::string full_label() const;
  /// What it shows of a group, unless that is its parameters.
  const Summary& scores(const FitGroup& group) const {
    return shown == Shown::kValidation ? group.val : group.test;
  }
};

struct TableCell {
  const FitGroup* group = nullptr;             // null: missing
  const PublishedFigure* published = nullptr;  // of the same model; null: none
  double heat = 0;    // from the column's worst, 0, to its best, 1; 0 for parameters
  bool best = false;  // of the column's cells with the most seeds and folds; reduced fits apart
};

/// Figures to compare with: published ones of a model, or those of the baseline.
struct ReferenceRow {
  std::string label;
  std::vector<std::optional<PublishedFigure>> figures;  // by column
};

/// The contents of a table. Models and depths that were fitted are added to those named here.
struct TableLayout {
  std::string id;  // its name in records; also an anchor
  std::string title;
  std::string caption;
  std::string heat_note = "Heat is normalised per data set.";
  std::vector<TableColumn> columns = {};
  std::vector<std::string> models = {};
  std::vector<int> layers = {};  // depths of a flat model, the preferred one first
  std::vector<int> levels = {};  // the same for a hierarchical model
  bool as_fitted = false;        // rows only for models and depths that were fitted
  bool over_hops = false;        // scores are also drawn over hops
  bool with_parameters = false;  // columns also for validation scores and numbers of parameters
  /// Models whose fits are those of another table, because their settings are the same there: of
  /// each data set, those of the seeds and folds that this table's own fits have.
  std::string other_table = {};
  std::vector<std::string> of_other_table = {};
  /// For tables with one row per model: its depth on a data set. Null: a row for every depth.
  int (*depth)(std::string_view model, std::string_view dataset) = nullptr;
};

/// Models by data sets.
struct ResultTable {
  TableLayout layout;
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
  std::vector<std::vector<TableCell>> cells;  // by row and column
  std::vector<ReferenceRow> references;
  std::vector<std::shared_ptr<const FitGroup>> parts = {};  // of groups of another table

  /// Whether it is a list, each row a group of its own: of models by data sets nearly all cells
  /// would be empty. It has one column, without a data set.
  bool is_list() const { return columns.size() == 1 && columns.front().dataset.empty(); }
  bool with_depth() const { return layout.depth == nullptr; }
  std::size_t filled() const;
  /// The groups in the cells, row by row or of one column; each listed once.
  FitGroups groups(std::optional<std::size_t> column = {}) const;
};

/// The tables and, if some fits belong to none of them, one for those. Where a column has fits of
/// the as-run reading alone, these get a column beside it; no cell mixes readings. A cell prefers
/// full fits to reduced ones, then longer fits to shorter ones, and then the group with the most
/// fits.
std::vector<ResultTable> make_tables(const Results& results,
                                     const std::vector<TableLayout>& layouts);
std::vector<ResultTable> make_tables(Results&&, const std::vector<TableLayout>&) = delete;

}  // namespace hgnet
