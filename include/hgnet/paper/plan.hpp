#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hgnet/train/planned_fit.hpp"

namespace hgnet {

/// A table, model, data set, fold or depth that the paper does not have.
class NotInPaper : public Error {
 public:
  using Error::Error;
};

/// What of the paper's tables is to be run.
struct PaperPlanOptions {
  std::vector<std::string> tables;    // "table1" .. "table4"; empty: all
  std::vector<std::string> models;    // empty: all of the tables
  std::vector<std::string> datasets;  // empty: all of the tables
  std::vector<int> folds;             // or seeds; empty: all
  std::vector<int> depths;            // empty: all of the tables
  std::optional<std::int64_t> epochs;
  bool quick = false;  // fewer folds, seeds and epochs; marked as such
  std::string root;    // where data sets lie
  std::filesystem::path out;
};

/// The fits of the tables, one table after the other: data set by data set, small ones first; in each, all models for
/// the first fold (or seed), then for the second, and so on, so that what is done at any time can be compared. Each has
/// a folder of its own below `out`; other epochs than the paper's have other folders. Throws NotInPaper, with what there
/// is, for a table, model, data set, fold or depth that none of the tables has, and if nothing is left.
///   table1  citation sets: public split, 10 seeds; TU sets: 10 folds; the paper's depths
///   table2  citation sets, sanitized:1 and sanitized:2, depths 1, 2, 3, 3 seeds
///   table3  molecules, scaffold split, 10 seeds; flat models of 5 layers, HGNet of 1, 2, 3 levels
///   table4  color-connectivity, 10 folds; flat models of 2, 3, 4 layers, hierarchical ones of 1, 2, 3 levels
/// Quick: 2 seeds or folds, 30 epochs (molecules 3, color-connectivity 10).
std::vector<PlannedFit> plan_tables(const PaperPlanOptions& options);

}  // namespace hgnet
