#pragma once

#include <compare>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hgnet/report/paired_tests.hpp"
#include "hgnet/report/run_record.hpp"

namespace hgnet {

/// Runs that differ in seed and fold alone.
struct GroupKey {
  std::string table;
  std::string dataset;
  std::string split;
  std::string model;
  int depth = 0;
  bool quick = false;

  auto operator<=>(const GroupKey&) const = default;
};

/// Mean and sample standard deviation (0 for a single value).
struct Summary {
  int count = 0;
  double mean = 0;
  double deviation = 0;
};

/// Of the numbers among the values; what is not a number is not counted.
Summary summary_of(const std::vector<double>& values);

struct RunGroup {
  GroupKey key;
  std::string metric;
  std::vector<const RunRecord*> runs;  // by seed and fold, each pair once
  Summary test;
  Summary val;
  Summary train_seconds;
  int failed = 0;         // runs whose test score is no number
  int fewest_epochs = 0;  // of a run; 0: not known
};

/// "40 epochs" for runs of a table of the paper that were trained for fewer than there; empty for others, and for quick runs,
/// which have a mark of their own.
std::string shortened_text(const RunGroup& group);

/// One model less another over the seeds and folds that both have.
struct Comparison {
  int pairs = 0;
  double difference = 0;  // mean of a's test score less b's
  TestResult wilcoxon;
  TestResult t;
};

/// Pairs of groups, such as those of two models on each of several data sets; the tests are over all of them together.
Comparison compare(std::span<const std::pair<const RunGroup*, const RunGroup*>> groups);
Comparison compare(const RunGroup& a, const RunGroup& b);

/// "3.5 points", "83.1": scores between 0 and 1 are shown in percent, errors (rmse, mae) as they are.
double shown_score(std::string_view metric, double score);
std::string score_text(std::string_view metric, double score);
std::string metric_label(std::string_view metric);

/// All records, grouped. Names of data sets are made canonical, tables are filled in where a record names none.
class Results {
 public:
  explicit Results(Records records);
  Results(const Results&) = delete;  // groups point into the records
  Results& operator=(const Results&) = delete;

  const std::vector<RunRecord>& runs() const { return records_.runs; }
  const std::vector<ProbeRecord>& probes() const { return records_.probes; }
  /// What was passed over while reading and grouping, and what does not fit together.
  const std::vector<std::string>& notes() const { return records_.notes; }
  const std::vector<RunGroup>& groups() const { return groups_; }

  const RunGroup* find(const GroupKey& key) const;
  /// Groups of a table that agree with what is given; empty texts agree with everything.
  std::vector<const RunGroup*> select(std::string_view table, std::string_view dataset = {},
                                      std::string_view split = {},
                                      std::string_view model = {}) const;
  bool has_quick_runs() const;

 private:
  void group_runs();

  Records records_;
  std::vector<RunGroup> groups_;  // by key
};

}  // namespace hgnet
