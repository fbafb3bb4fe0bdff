// What the paper's tables consist of, and the figures others have published.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/records/fit_record.hpp"

namespace hgnet {

struct PaperModel {
  std::string name;   // as in records
  std::string label;  // as in the paper
};

/// In the paper's order; GIN+VN, which only the table of molecules has, at the place where it stands there.
const std::vector<PaperModel>& paper_models();
/// The eight of Table 1.
std::vector<std::string> table1_models();
/// The six of Table 3.
std::vector<std::string> table3_models();
std::string model_label(std::string_view model);

/// "DD" -> "D&D", "cc-grid16" -> "C-C 16x16 grid"; a data set that the paper does not have keeps its name.
std::string dataset_label(std::string_view dataset);
/// The name as this library spells it, whatever the case: "Cora" -> "cora".
std::string canonical_dataset(std::string_view dataset);

// By kind, in the paper's order.
const std::vector<std::string>& citation_sets();
const std::vector<std::string>& tu_sets();
const std::vector<std::string>& ogb_sets();
const std::vector<std::string>& color_sets();

/// The split of Tables 1, 3 and 4: "public", "folds:10" or "scaffold"; empty for a data set that the paper does not have.
std::string paper_split(std::string_view dataset);

/// The table that a record belongs to: the one it names, or else the one that its data set, split and depth belong to;
/// empty for none.
std::string table_of(const FitRecord& record);

/// The metric that the paper goes by.
std::string paper_metric(std::string_view dataset);

/// The model's depth in Table 1 (for Table 3: that of the flat models).
int paper_depth(std::string_view model, std::string_view dataset);

/// How many epochs the paper trains for.
int paper_epochs(std::string_view dataset);

/// A figure to hold ours against; as a fraction, like the metric.
struct PublishedFigure {
  std::string model;
  std::string dataset;
  double mean = 0;
  std::optional<double> deviation;
  std::string source;  // short, for a table
};

const std::vector<PublishedFigure>& published_figures();
const PublishedFigure* published_figure(std::string_view model, std::string_view dataset);

}  // namespace hgnet
