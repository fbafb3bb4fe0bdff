#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hgnet/settings/planned_fit.hpp"

namespace hgnet {

/// A table, model, data set, fold or depth that the paper does not have.
class NotInPaper : public Error {
 public:
  using Error::Error;
};

/// Which parts of the paper's tables to run.
struct PaperPlanOptions {
  std::vector<std::string> tables;    // of paper_tables(); empty: the paper's four
  std::vector<std::string> models;    // empty: all in the tables
  std::vector<std::string> datasets;  // empty: all in the tables
  std::vector<int> folds;             // or seeds; empty: all
  std::vector<int> depths;            // empty: all in the tables
  std::optional<std::int64_t> epochs;
  Reading reading = Reading::kAsWritten;
  bool quick = false;  // fewer folds, seeds and epochs; marked as such
  std::string root;    // folder of the data sets
  std::filesystem::path out;
};

/// The fits of the tables, one table after the other: data set by data set, small ones first; in
/// each, all models for the first fold (or seed), then for the second, and so on, so that finished
/// fits can be compared at any time. Each fit has its own folder below `out`; fits with other
/// epochs than the paper's have different folders. Throws NotInPaper, with the valid choices, for a
/// table, model, data set, fold or depth that none of the tables has, and if nothing is left.
///   table1  citation sets: public split, 10 seeds; TU sets: 10 folds; the paper's depths
///   table2  citation sets, sanitized:1 and sanitized:2, depths 1, 2, 3, 3 seeds
///   table3  molecules, scaffold split, 10 seeds; flat models of 5 layers, HGNet of 1, 2, 3 levels
///   table4  color-connectivity, 10 folds; flat models of 4 layers, hierarchical ones of 3 levels;
///           on the first fold, after these, 3 and 2 layers and HGNets of 4, 5, 6 levels
///   tu-batch-norm, tu-no-norm  TU sets, 3 folds, that norm in all models; without the fits that
///           Table 1 has
///   range   colourings that local counts do not solve, first fold, 100 epochs; flat models of 4
///           layers, hierarchical ones of 3 levels; then, the cheap ones first, the yardsticks, wl
///           of 0 to 6 rounds, GIN of 1 to 16 layers and HGNets of 1 to 8 levels; last, these
///           depths of GIN, HGNets and wl for the first fold of Table 4
/// Tables 1 and 4 end with the yardsticks, as written only. As-run has the fits in which the two
/// readings differ, in folders of their own; the others belong to both. Quick: 2 seeds or folds, 30
/// epochs (molecules 3, color-connectivity 10).
std::vector<PlannedFit> plan_tables(const PaperPlanOptions& options);

}  // namespace hgnet
