#include "hgnet/report/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "hgnet/report/paper.hpp"

namespace hgnet {
namespace {

using Place = std::pair<std::uint64_t, int>;  // seed and fold

/// What may differ between runs of a group, beside seed and fold themselves.
bool may_differ(const std::string& option) {
  static const std::array names = {"seed",    "fold",  "coarsening-seed", "coarsening_seed",
                                   "threads", "jobs",  "workers",         "out",
                                   "root",    "resume"};
  return std::find(names.begin(), names.end(), option) != names.end();
}

std::string name_of(const GroupKey& key) {
  return key.model + " of depth " + std::to_string(key.depth) + " on " + key.dataset +
         (key.split.empty() ? "" : ", " + key.split) + (key.quick ? ", quick" : "");
}

/// The first option in which two runs of a group differ though they should not.
std::string differing_option(const RunRecord& a, const RunRecord& b) {
  for (const auto& [option, value] : a.config) {
    const auto other = b.config.find(option);
    if (!may_differ(option) && (other == b.config.end() || other->second != value)) return option;
  }
  return a.config.size() < b.config.size() ? differing_option(b, a) : "";
}

std::vector<double> scores(const RunGroup& group, const std::string& part) {
  std::vector<double> values;
  for (const RunRecord* run : group.runs) values.push_back(run->score(part));
  return values;
}

void summarise(RunGroup& group) {
  group.test = summary_of(scores(group, "test"));
  group.val = summary_of(scores(group, "val"));
  group.failed = static_cast<int>(group.runs.size()) - group.test.count;
  std::vector<double> seconds;
  for (const RunRecord* run : group.runs) {
    const auto found = run->seconds.find("train");
    if (found != run->seconds.end()) seconds.push_back(found->second);
  }
  group.train_seconds = summary_of(seconds);
  for (const RunRecord* run : group.runs) {
    if (run->epochs > 0 && (group.fewest_epochs == 0 || run->epochs < group.fewest_epochs))
      group.fewest_epochs = run->epochs;
  }
}

/// Test scores of a less those of b.
void add_differences(const RunGroup& a, const RunGroup& b, std::vector<double>& differences) {
  std::map<Place, double> of_b;
  for (const RunRecord* run : b.runs) of_b[{run->seed, run->fold}] = run->score("test");
  for (const RunRecord* run : a.runs) {
    const auto found = of_b.find({run->seed, run->fold});
    if (found == of_b.end()) continue;
    const double difference = run->score("test") - found->second;
    // Scores are fractions with few digits: what differs by rounding alone is a tie.
    if (std::isfinite(difference)) differences.push_back(std::round(difference * 1e9) / 1e9);
  }
}

}  // namespace

Summary summary_of(const std::vector<double>& values) {
  Summary result;
  double sum = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    ++result.count;
  }
  if (result.count == 0) return result;
  result.mean = sum / result.count;
  double squares = 0;
  for (const double value : values) {
    if (std::isfinite(value)) squares += (value - result.mean) * (value - result.mean);
  }
  if (result.count > 1) result.deviation = std::sqrt(squares / (result.count - 1));
  return result;
}

Comparison compare(std::span<const std::pair<const RunGroup*, const RunGroup*>> groups) {
  std::vector<double> differences;
  for (const auto& [a, b] : groups) add_differences(*a, *b, differences);
  return {static_cast<int>(differences.size()), summary_of(differences).mean,
          wilcoxon_signed_rank(differences), paired_t(differences)};
}

Comparison compare(const RunGroup& a, const RunGroup& b) {
  const std::pair<const RunGroup*, const RunGroup*> pair(&a, &b);
  return compare({&pair, 1});
}

double shown_score(std::string_view metric, double score) {
  return lower_is_better(metric) ? score : 100 * score;
}

std::string score_text(std::string_view metric, double score) {
  const int digits = lower_is_better(metric) ? 3 : metric == "accuracy" ? 1 : 2;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, shown_score(metric, score));
  return text;
}

std::string metric_label(std::string_view metric) {
  if (metric == "accuracy") return "accuracy, %";
  if (metric == "roc_auc") return "ROC-AUC, %";
  if (metric == "average_precision") return "average precision, %";
  if (metric == "rmse") return "RMSE";
  if (metric == "mae") return "MAE";
  return std::string(metric) + ", %";
}

Results::Results(Records records) : records_(std::move(records)) {
  std::int64_t placed = 0;
  for (RunRecord& run : records_.runs) {
    run.dataset = canonical_dataset(run.dataset);
    if (!run.table.empty()) continue;
    run.table = table_of(run);
    if (!run.table.empty()) ++placed;
  }
  for (ProbeRecord& probe : records_.probes) probe.dataset = canonical_dataset(probe.dataset);
  if (placed > 0)
    records_.notes.push_back(std::to_string(placed) +
                             " runs name no table and were placed by data set and split");
  group_runs();
}

void Results::group_runs() {
  std::map<GroupKey, std::map<Place, const RunRecord*>> by_key;
  std::int64_t replaced = 0;
  for (const RunRecord& run : records_.runs) {
    const GroupKey key{run.table, run.dataset, run.split, run.model, run.depth(), run.quick};
    const RunRecord*& place = by_key[key][{run.seed, run.fold}];
    if (place != nullptr && *place != run) ++replaced;
    place = &run;
  }
  if (replaced > 0)
    records_.notes.push_back(std::to_string(replaced) +
                             " runs were replaced by ones read later, of the same seed and fold");
  for (const auto& [key, places] : by_key) {
    RunGroup group;
    group.key = key;
    for (const auto& [place, run] : places) group.runs.push_back(run);
    group.metric = group.runs.front()->metric;
    summarise(group);
    for (const RunRecord* run : group.runs) {
      const std::string option =
          run->metric != group.metric ? "metric" : differing_option(*group.runs.front(), *run);
      if (option.empty()) continue;
      records_.notes.push_back(name_of(key) + ": the runs differ in '" + option + "'");
      break;
    }
    if (group.failed > 0)
      records_.notes.push_back(name_of(key) + ": " + std::to_string(group.failed) +
                               " runs have no test score");
    groups_.push_back(std::move(group));
  }
}

const RunGroup* Results::find(const GroupKey& key) const {
  const auto found = std::lower_bound(
      groups_.begin(), groups_.end(), key,
      [](const RunGroup& group, const GroupKey& wanted) { return group.key < wanted; });
  return found != groups_.end() && found->key == key ? &*found : nullptr;
}

std::vector<const RunGroup*> Results::select(std::string_view table, std::string_view dataset,
                                             std::string_view split, std::string_view model) const {
  const auto agrees = [](std::string_view wanted, const std::string& value) {
    return wanted.empty() || wanted == value;
  };
  std::vector<const RunGroup*> result;
  for (const RunGroup& group : groups_) {
    const GroupKey& key = group.key;
    if (key.table == table && agrees(dataset, key.dataset) && agrees(split, key.split) &&
        agrees(model, key.model))
      result.push_back(&group);
  }
  return result;
}

std::string shortened_text(const RunGroup& group) {
  const bool shortened = !group.key.quick && !group.key.table.empty() && group.fewest_epochs > 0 &&
                         group.fewest_epochs < paper_epochs(group.key.dataset);
  return shortened ? std::to_string(group.fewest_epochs) + " epochs" : "";
}

bool Results::has_quick_runs() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const RunGroup& group) { return group.key.quick; });
}

}  // namespace hgnet
