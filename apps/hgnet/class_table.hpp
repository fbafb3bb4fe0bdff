// Scores by class and the confusion matrix, as text and as JSON.

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hgnet/records/class_table.hpp"

namespace hgnet::app {

/// Lines with samples, precision, recall and F1 of each class or label, and, for up to 12 classes,
/// the confusion matrix.
std::string to_text(const ClassTable& table);

/// {"classes": [{"name", "samples", "precision", "recall", "f1"}], "confusion": [...]}, with a row
/// of the matrix for each true class; of labels, {"labels": [...]}.
nlohmann::ordered_json to_json(const ClassTable& table);

}  // namespace hgnet::app
