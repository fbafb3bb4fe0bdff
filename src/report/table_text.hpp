// What all writers of tables say in the same way.

#pragma once

#include <string>

#include "hgnet/report/tables.hpp"

namespace hgnet {

/// "81.5", and what follows `between` the mean and the deviation: "81.5 ± 0.4". One run has no deviation.
inline std::string mean_text(const RunGroup& group, const std::string& between) {
  std::string text = score_text(group.metric, group.test.mean);
  if (group.test.count > 1) text += between + score_text(group.metric, group.test.deviation);
  return text;
}

inline std::string published_text(const PublishedFigure& figure, const std::string& between) {
  const std::string metric = paper_metric(figure.dataset);
  std::string text = score_text(metric, figure.mean);
  if (figure.deviation) text += between + score_text(metric, *figure.deviation);
  return text;
}

/// "GCN, published" for the row of figures by others.
inline std::string reference_label(const ReferenceRow& row) {
  for (const PublishedFigure* figure : row.figures) {
    if (figure != nullptr) return model_label(row.model) + ", " + figure->source;
  }
  return model_label(row.model);
}

/// "Cora", or "Cora, k = 1", or "Cora, random:0.8,0.1,0.1" where it is not the paper's split.
inline std::string column_label(const ResultTable& table, const TableColumn& column) {
  const std::string label = dataset_label(column.dataset);
  if (column.split == paper_split(column.dataset)) return label;
  return label + ", " + (table.id == "table2" ? column.heading : column.split);
}

/// Whether some cell has quick runs, so that their mark needs a word.
inline bool has_quick_cell(const ResultTable& table) {
  for (const auto& row : table.cells) {
    for (const TableCell& cell : row) {
      if (cell.group != nullptr && cell.group->key.quick) return true;
    }
  }
  return false;
}

}  // namespace hgnet
