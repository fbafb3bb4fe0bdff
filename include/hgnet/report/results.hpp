#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/records/fit_record.hpp"
#include "hgnet/records/spread.hpp"
#include "hgnet/report/paired_tests.hpp"

namespace hgnet {

/// Runs that differ in seed and fold alone.
struct GroupKey {
  std::string table;
  std::string dataset;
  std::string split;
  std::string model;
  int depth = 0;
  bool quick = false;
  /// Epochs of runs of the paper's tables that are neither quick nor as long as there; 0 for others.
  int shortened = 0;

  auto operator<=>(const GroupKey&) const = default;

  /// Quick or shortened: shows less than the paper's own protocol would.
  bool reduced() const { return quick || shortened > 0; }
};

/// "quick", "40 epochs", or empty for runs that are not reduced.
std::string training_text(const GroupKey& key);
/// Full runs before shortened ones, those by their epochs, and quick ones last.
bool trained_longer(const GroupKey& a, const GroupKey& b);

/// What tells the runs of a group apart, and pairs those of two groups.
struct RunPlace {
  std::uint64_t split_seed = 0;
  std::uint64_t seed = 0;
  int fold = -1;

  auto operator<=>(const RunPlace&) const = default;
};

RunPlace place_of(const FitRecord& run);

struct RunGroup {
  GroupKey key;
  std::string metric;
  std::vector<const FitRecord*> runs;  // by place, one for each
  Summary test;
  Summary val;
  Summary train_seconds;
  int failed = 0;  // runs whose test score is no number
};

/// Where all of these groups have a test score.
std::vector<RunPlace> common_places(std::span<const RunGroup* const> groups);
/// The group's test scores at these places, which it has.
std::vector<double> test_scores(const RunGroup& group, std::span<const RunPlace> places);

/// One model less another, run by run.
struct Comparison {
  int pairs = 0;
  double difference = 0;  // mean of a's score less b's
  TestResult wilcoxon;
  TestResult t;
};

/// Of scores that belong together one by one.
Comparison compare(std::span<const double> a, std::span<const double> b);

/// All records, grouped. Names of data sets are made canonical; splits and tables are filled in where a record names none.
/// Runs that were not made for a table are in it only where it has none of its own.
class Results {
 public:
  explicit Results(Records records);
  Results(const Results&) = delete;  // groups point into the records
  Results& operator=(const Results&) = delete;

  const std::vector<FitRecord>& runs() const { return records_.runs; }
  const std::vector<ProbeRecord>& probes() const { return records_.probes; }
  /// What was passed over while reading and grouping, and what does not fit together.
  const std::vector<std::string>& notes() const { return records_.notes; }
  const std::vector<RunGroup>& groups() const { return groups_; }

  /// Groups of a table that agree with what is given; empty texts agree with everything.
  std::vector<const RunGroup*> select(std::string_view table, std::string_view dataset = {},
                                      std::string_view split = {},
                                      std::string_view model = {}) const;
  bool has_quick_runs() const;

 private:
  void fill_in();
  void group_runs();

  Records records_;
  std::vector<RunGroup> groups_;  // by key
};

}  // namespace hgnet
