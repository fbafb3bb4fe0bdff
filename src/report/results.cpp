#include "hgnet/report/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "hgnet/report/paper.hpp"

namespace hgnet {
namespace {

/// What may differ between runs of a group, beside seed and fold themselves.
bool may_differ(const std::string& option) {
  static const std::array names = {"seed",    "fold",  "coarsening-seed", "coarsening_seed",
                                   "threads", "jobs",  "workers",         "out",
                                   "root",    "resume"};
  return std::find(names.begin(), names.end(), option) != names.end();
}

std::string name_of(const GroupKey& key) {
  return key.model + " of depth " + std::to_string(key.depth) + " on " + key.dataset +
         (key.split.empty() ? "" : ", " + key.split) +
         (key.reduced() ? ", " + training_text(key) : "");
}

/// The first option in which two runs of a group differ though they should not.
std::string differing_option(const FitRecord& a, const FitRecord& b) {
  for (const auto& [option, value] : a.config) {
    const auto other = b.config.find(option);
    if (!may_differ(option) && (other == b.config.end() || other->second != value)) return option;
  }
  return a.config.size() < b.config.size() ? differing_option(b, a) : "";
}

std::vector<double> scores(const RunGroup& group, const std::string& part) {
  std::vector<double> values;
  for (const FitRecord* run : group.runs) values.push_back(run->score(part));
  return values;
}

void summarise(RunGroup& group) {
  group.test = summary_of(scores(group, "test"));
  group.val = summary_of(scores(group, "val"));
  group.failed = static_cast<int>(group.runs.size()) - group.test.count;
  std::vector<double> seconds;
  for (const FitRecord* run : group.runs) {
    const auto found = run->seconds.find("train");
    if (found != run->seconds.end()) seconds.push_back(found->second);
  }
  group.train_seconds = summary_of(seconds);
}

GroupKey key_of(const FitRecord& run) {
  GroupKey key{run.table, run.dataset, run.split, run.model, run.depth(), run.quick, 0};
  // What was asked for: a run that stopped by itself is not a short one.
  const std::int64_t asked = run.option_number("epochs");
  const int epochs = asked > 0 ? static_cast<int>(asked) : run.epochs;
  if (!run.quick && !run.table.empty() && epochs > 0 && epochs < paper_epochs(run.dataset))
    key.shortened = epochs;
  return key;
}

}  // namespace

std::string training_text(const GroupKey& key) {
  if (key.quick) return "quick";
  if (key.shortened == 0) return "";
  return std::to_string(key.shortened) + (key.shortened == 1 ? " epoch" : " epochs");
}

bool trained_longer(const GroupKey& a, const GroupKey& b) {
  const auto length = [](const GroupKey& key) {
    return std::tuple(!key.reduced(), !key.quick, key.shortened);
  };
  return length(a) > length(b);
}

RunPlace place_of(const FitRecord& run) {
  return {static_cast<std::uint64_t>(run.option_number("split-seed")), run.seed, run.fold};
}

std::vector<RunPlace> common_places(std::span<const RunGroup* const> groups) {
  std::map<RunPlace, std::size_t> count;
  for (const RunGroup* group : groups) {
    for (const FitRecord* run : group->runs) {
      if (std::isfinite(run->score("test"))) ++count[place_of(*run)];
    }
  }
  std::vector<RunPlace> common;
  for (const auto& [place, n] : count) {
    if (n == groups.size()) common.push_back(place);
  }
  return common;
}

std::vector<double> test_scores(const RunGroup& group, std::span<const RunPlace> places) {
  std::map<RunPlace, double> at;
  for (const FitRecord* run : group.runs) at[place_of(*run)] = run->score("test");
  std::vector<double> values;
  for (const RunPlace& place : places) values.push_back(at.at(place));
  return values;
}

Comparison compare(std::span<const double> a, std::span<const double> b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Scores are fractions with few digits: what differs by rounding alone is a tie.
    differences.push_back(std::round((a[i] - b[i]) * 1e9) / 1e9);
  }
  return {static_cast<int>(differences.size()), summary_of(differences).mean,
          wilcoxon_signed_rank(differences), paired_t(differences)};
}

Results::Results(Records records) : records_(std::move(records)) {
  fill_in();
  group_runs();
}

void Results::fill_in() {
  std::set<GroupKey> of_tables;
  for (FitRecord& run : records_.runs) {
    run.dataset = canonical_dataset(run.dataset);
    if (run.split.empty()) run.split = paper_split(run.dataset);
    if (!run.table.empty()) of_tables.insert(key_of(run));
  }
  std::int64_t placed = 0;
  std::int64_t beside = 0;
  for (FitRecord& run : records_.runs) {
    if (!run.table.empty()) continue;
    run.table = table_of(run);
    if (run.table.empty()) continue;
    const bool taken = of_tables.contains(key_of(run));
    if (taken) run.table.clear();
    ++(taken ? beside : placed);
  }
  for (ProbeRecord& probe : records_.probes) probe.dataset = canonical_dataset(probe.dataset);
  const auto note = [&](std::int64_t count, const char* what) {
    if (count > 0) records_.notes.push_back(std::to_string(count) + what);
  };
  note(placed, " runs name no table and were placed by data set and split");
  note(beside, " runs name no table and stand among other runs, since the table has its own");
}

void Results::group_runs() {
  std::map<GroupKey, std::map<RunPlace, const FitRecord*>> by_key;
  std::int64_t replaced = 0;
  for (const FitRecord& run : records_.runs) {
    const FitRecord*& place = by_key[key_of(run)][place_of(run)];
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
    for (const FitRecord* run : group.runs) {
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

bool Results::has_quick_runs() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const RunGroup& group) { return group.key.quick; });
}

}  // namespace hgnet
