#include "hgnet/report/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "report/number_text.hpp"

namespace hgnet {
namespace {

/// Options that may differ between fits of a group, besides seed and fold themselves.
bool may_differ(const std::string& option) {
  static const std::array names = {"seed",    "fold",  "coarsening-seed", "coarsening_seed",
                                   "threads", "jobs",  "workers",         "out",
                                   "root",    "resume"};
  return std::ranges::find(names, option) != names.end();
}

/// The first option in which two fits of a group differ but should not.
std::string differing_option(const FitRecord& a, const FitRecord& b) {
  if (a.metric != b.metric) return "metric";
  for (const auto& [option, value] : a.config) {
    const auto other = b.config.find(option);
    if (!may_differ(option) && (other == b.config.end() || other->second != value)) return option;
  }
  return a.config.size() < b.config.size() ? differing_option(b, a) : "";
}

/// Adds to the variant of fits outside the tables the settings in which they differ from others of
/// the same key, as "hidden 64, lr 0.01". A setting that a record does not have, as older ones,
/// tells nothing.
void name_settings(std::vector<FitRecord>& fits, const Catalogue& catalogue) {
  std::map<GroupKey, std::map<std::string, std::set<std::string>>> values;
  for (const FitRecord& fit : fits) {
    if (!fit.table.empty()) continue;
    auto& settings = values[key_of(fit, catalogue)];
    for (const auto& [option, value] : fit.config) settings[option].insert(value.text());
  }
  for (FitRecord& fit : fits) {
    if (!fit.table.empty()) continue;
    std::string text = fit.variant;
    for (const auto& [option, different] : values.at(key_of(fit, catalogue))) {
      const auto own = fit.config.find(option);
      if (different.size() < 2 || may_differ(option) || option == "split-seed" ||
          own == fit.config.end())
        continue;
      const std::string value = own->second.plain_text();
      append(text, ", ", value.empty() ? "no " + option : option + " " + value);
    }
    fit.variant = text;
  }
}

}  // namespace

GroupKey key_of(const FitRecord& fit, const Catalogue& catalogue) {
  GroupKey key{fit.table, fit.dataset, fit.split, fit.model, fit.depth(), fit.quick, 0};
  key.reading = fit.reading.empty() ? enum_name(Reading::kAsWritten) : fit.reading;
  key.variant = fit.variant;
  const Catalogue::Data* data = catalogue.data(fit.dataset);
  if (fit.quick || fit.table.empty() || data == nullptr) return key;
  // The requested number: a fit that stopped early is not a shortened one.
  const std::int64_t asked = fit.option_number("epochs");
  const int epochs = asked > 0 ? static_cast<int>(asked) : fit.epochs;
  if (epochs > 0 && epochs < data->epochs) key.shortened = epochs;
  return key;
}

std::string reading_text(Reading reading) {
  return reading == Reading::kAsRun ? "as run" : "as written";
}

std::string epochs_text(const GroupKey& key) {
  return key.shortened == 0 ? "" : counted(key.shortened, "epoch");
}

std::string training_text(const GroupKey& key) { return key.quick ? "quick" : epochs_text(key); }

std::tuple<bool, bool, int> training_length(const GroupKey& key) {
  return {!key.reduced(), !key.quick, key.shortened};
}

std::string FitGroup::test_text() const { return figure_text(metric, test.mean, test.spread()); }

FitPlace place_of(const FitRecord& fit) {
  return {static_cast<std::uint64_t>(fit.option_number("split-seed")), fit.seed, fit.fold};
}

double hours_of(const FitRecord& fit) {
  const auto found = fit.seconds.find("total");
  return found == fit.seconds.end() ? 0 : found->second / 3600;
}

std::vector<FitPlace> common_places(const FitGroups& groups) {
  std::map<FitPlace, std::size_t> count;
  for (const FitGroup* group : groups) {
    for (const FitRecord* fit : group->fits) {
      if (std::isfinite(fit->score("test"))) ++count[place_of(*fit)];
    }
  }
  std::vector<FitPlace> common;
  for (const auto& [place, n] : count) {
    if (n == groups.size()) common.push_back(place);
  }
  return common;
}

std::vector<double> test_scores(const FitGroup& group, std::span<const FitPlace> places) {
  std::map<FitPlace, double> at;
  for (const FitRecord* fit : group.fits) at[place_of(*fit)] = fit->score("test");
  std::vector<double> values;
  for (const FitPlace& place : places) values.push_back(at.at(place));
  return values;
}

Results::Results(Records records, const Catalogue& catalogue)
    : catalogue_(catalogue), records_(std::move(records)) {
  name_settings(records_.fits, catalogue_);
  std::map<GroupKey, std::map<FitPlace, const FitRecord*>> by_key;
  std::size_t replaced = 0;
  for (const FitRecord& fit : records_.fits) {
    const FitRecord*& at = by_key[key_of(fit, catalogue_)][place_of(fit)];
    if (at != nullptr && *at != fit) ++replaced;
    at = &fit;
  }
  if (replaced > 0)
    records_.notes.push_back(counted(replaced, "fit") +
                             " replaced by ones read later, of the same seed and fold");
  for (const auto& [key, places] : by_key) {
    std::vector<const FitRecord*> fits;
    for (const auto& [place, fit] : places) fits.push_back(fit);
    groups_.push_back(group_of(key, std::move(fits)));
    add_notes(groups_.back());
  }
}

FitGroup Results::group_of(const GroupKey& key, std::vector<const FitRecord*> fits) const {
  FitGroup group;
  group.key = key;
  group.label =
      depth_label(catalogue_.model_label(key.model), key.model, key.depth) + bracketed(key.variant);
  group.place = catalogue_.dataset_label(key.dataset);
  append(group.place, ", ", key.split);
  if (!key.of(Reading::kAsWritten)) append(group.place, ", ", reading_text(Reading::kAsRun));
  group.metric = fits.front()->metric;
  group.fits = std::move(fits);
  std::vector<double> test, val, seconds;
  for (const FitRecord* fit : group.fits) {
    test.push_back(fit->score("test"));
    val.push_back(fit->score("val"));
    const auto found = fit->seconds.find("train");
    if (found != fit->seconds.end()) seconds.push_back(found->second);
  }
  group.test = summary_of(test);
  group.val = summary_of(val);
  group.train_seconds = summary_of(seconds);
  group.failed = static_cast<int>(group.fits.size()) - group.test.count;
  return group;
}

void Results::add_notes(const FitGroup& group) {
  const GroupKey& key = group.key;
  std::string about = key.model + " of depth " + std::to_string(key.depth) + " on " + key.dataset;
  append(about, ", ", key.split);
  append(about, ", ", key.of(Reading::kAsWritten) ? "" : "as run");
  append(about, ", ", training_text(key));
  const auto note = [&](const std::string& what) { records_.notes.push_back(about + ": " + what); };
  for (const FitRecord* fit : group.fits) {
    const std::string option = differing_option(*group.fits.front(), *fit);
    if (option.empty()) continue;
    note("the fits differ in '" + option + "'");
    break;
  }
  if (group.failed > 0) note(counted(group.failed, "fit") + " without a test score");
}

FitGroups Results::select(std::string_view table, std::string_view dataset, std::string_view split,
                          std::string_view model) const {
  const auto agrees = [](std::string_view wanted, const std::string& value) {
    return wanted.empty() || wanted == value;
  };
  FitGroups result;
  for (const FitGroup& group : groups_) {
    const GroupKey& key = group.key;
    if (key.table == table && agrees(dataset, key.dataset) && agrees(split, key.split) &&
        agrees(model, key.model))
      result.push_back(&group);
  }
  return result;
}

std::vector<std::string> Results::origins() const {
  std::map<std::pair<std::string, std::string>, std::vector<double>> hours;  // of each fit
  for (const FitRecord& fit : fits()) hours[{fit.version, fit.machine}].push_back(hours_of(fit));
  std::vector<std::string> lines;
  for (const auto& [origin, of_fits] : hours) {
    const auto& [version, machine] = origin;
    lines.push_back(counted(of_fits.size(), "fit") + " of " +
                    (version.empty() ? "an unknown version" : version) +
                    (machine.empty() ? "" : " on " + machine) + ": " +
                    fixed(std::accumulate(of_fits.begin(), of_fits.end(), 0.0), 1) + " hours");
  }
  return lines;
}

}  // namespace hgnet
