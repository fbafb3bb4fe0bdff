// Scores by class and the confusion matrix, as text and as JSON.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hgnet/records/confusion.hpp"

namespace hgnet::app {

struct ClassTable {
  std::vector<std::string> names;
  std::vector<Confusion> confusions;  // one of all classes; or of no and yes, for each label
  bool are_labels = false;

  ClassScores scores(std::size_t of) const;
  /// Adds the counts of another one with the same classes or labels.
  void add(const ClassTable& other);
};

/// Lines with samples, precision, recall and F1 of each class or label, and, for up to 12 classes,
/// the confusion matrix.
std::string to_text(const ClassTable& table);

/// {"classes": [{"name", "samples", "precision", "recall", "f1"}], "confusion": [...]}, with a row
/// of the matrix for each true class; of labels, {"labels": [...]}.
nlohmann::ordered_json to_json(const ClassTable& table);

}  // namespace hgnet::app
