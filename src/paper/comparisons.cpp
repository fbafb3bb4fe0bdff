#include "paper/comparisons.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "hgnet/core/text.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/claims.hpp"
#include "hgnet/records/metrics.hpp"
#include "report/number_text.hpp"

namespace hgnet::claims {
namespace {

using Points = std::vector<double>;

double mean_of(const Points& points) { return summary_of(points).mean; }

std::string bound_text(const Bound& bound) {
  return (bound.above ? "above " : "below ") + short_number(bound.points) +
         (bound.points == 1 ? " point" : " points");
}

/// What a side may choose from on a data set.
struct Choice {
  std::string label;
  const FitGroup* group = nullptr;
  std::optional<double> constant = {};  // in points, instead of a group
  Points points = {};                   // of the fits that all choices of both sides have in common
};

/// The choice of one side minus that of the other, by data set and fit.
struct Difference {
  std::string numbers;  // or why there is no comparison
  std::vector<Points> points;
  /// Of a difference between two single fits, by the number of their test samples, if it is known.
  std::optional<double> standard_error = {};
};

/// Of the share of right answers of a single fit, in points squared, by the samples of its test
/// part; 0 for a constant. With one more sample of either kind, so that it is not 0 where all
/// answers are right.
std::optional<double> sampling_variance(const Choice& choice) {
  if (choice.group == nullptr) return 0;
  if (choice.group->metric != "accuracy") return std::nullopt;
  // Folds of a data set differ by one sample at most.
  const auto& samples = choice.group->fits.front()->samples;
  const auto test = samples.find("test");
  if (test == samples.end()) return std::nullopt;
  const double count = static_cast<double>(test->second) + 2;
  const double right = (choice.points[0] / 100 * (count - 2) + 1) / count;
  return 1e4 * right * (1 - right) / count;
}

std::optional<double> standard_error(const Choice& a, const Choice& b) {
  const std::optional<double> of_a = sampling_variance(a);
  const std::optional<double> of_b = sampling_variance(b);
  if (!of_a || !of_b) return std::nullopt;
  return std::sqrt(*of_a + *of_b);
}

/// Of the choices [begin, end), the one with this rank by mean.
std::size_t picked(int rank, const Points& means, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> order(end - begin);
  std::iota(order.begin(), order.end(), begin);
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return means[i]; });
  return rank == kWorst ? order.back() : order.at(rank);
}

/// A row, evaluated over the full fits only, or over the reduced ones only.
class Evaluation {
 public:
  Evaluation(const CheckRow& row, const Scope& scope, const Results& results, bool reduced)
      : row_(row), scope_(scope), results_(results), reduced_(reduced) {}

  ClaimCheck check() const {
    ClaimCheck check{row_.statement, row_.sentence, rule(), {}, row_.needed, reduced_};
    for (const Names& sets : sets_of_parts()) {
      if (!row_.most_on.empty()) {
        if (sets[0] != row_.most_on) check.parts.push_back(more_than_on(sets[0]));
        continue;
      }
      for (const std::string& model : row_.models.empty() ? Names{""} : row_.models) {
        for (const Bound& bound : row_.bounds) check.parts.push_back(part(sets, model, bound));
      }
    }
    if (check.needed == 0) check.needed = check.parts.size();
    return check;
  }

 private:
  std::string rule() const {
    return row_.compared + (each_dataset() ? " is " : ", mean over the data sets, is ") +
           joined(row_.bounds, " and ", bound_text);
  }

  bool each_dataset() const { return row_.each_dataset || !row_.most_on.empty(); }

  /// Each data set separately, or all together.
  std::vector<Names> sets_of_parts() const {
    if (!each_dataset()) return {sets_};
    std::vector<Names> result;
    for (const std::string& set : sets_) result.push_back({set});
    return result;
  }

  int needed_fits() const { return reduced_ ? 1 : scope_.enough > 0 ? scope_.enough : kEnoughFits; }

  /// The groups of a model on a data set that count.
  FitGroups groups_of(const std::string& set, const std::string& model) const {
    const std::string& split = scope_.split.empty() ? names_.data(set)->split : scope_.split;
    FitGroups groups = results_.select(scope_.table, set, split, model);
    std::erase_if(groups, [&](const FitGroup* group) {
      return group->key.reduced() != reduced_ || group->test.count == 0 ||
             !group->key.of(scope_.reading);
    });
    return groups;
  }

  /// The model at the depth that is nearest in its number of parameters, if that is near enough.
  Choice equal_choice(const std::string& set, const std::string& model,
                      const Choice& reference) const {
    const std::string label = names_.model_label(model);
    if (reference.group == nullptr) return {label + " with about as many parameters"};
    const auto number = static_cast<double>(reference.group->parameters());
    const std::string many = short_number(number) + " parameters";
    const FitGroup* found = nullptr;
    double least = std::log(kAboutAsMany);
    for (const FitGroup* group : groups_of(set, model)) {
      const double distance = std::abs(std::log(static_cast<double>(group->parameters()) / number));
      if (!(distance <= least)) continue;
      least = distance;
      found = group;
    }
    if (found == nullptr) return {label + " with about " + many};
    return {found->label + " (" + short_number(static_cast<double>(found->parameters())) +
                " parameters; " + reference.label + " has " + many + ")",
            found};
  }

  const FitGroup* group_of(const std::string& set, const std::string& model, int depth) const {
    const bool chosen = depth == kChosenDepth;
    const int wanted = depth == kPaperDepth ? paper_depth(model, set) : depth;
    FitGroups groups = groups_of(set, model);
    std::erase_if(groups, [&](auto* group) { return !chosen && group->key.depth != wanted; });
    const auto best = std::ranges::max_element(groups, {}, [&](const FitGroup* group) {
      const bool enough = chosen && group->test.count >= needed_fits();
      return std::tuple(enough, training_length(group->key), group->val.mean);
    });
    return best == groups.end() ? nullptr : *best;
  }

  /// `alone`: there is no other data set on which another depth may be chosen.
  void add_choices(const Side& side, const std::string& set, const std::string& own, bool alone,
                   std::vector<Choice>& choices) const {
    if (side.constant) return choices.push_back({"the limit", nullptr, side.constant});
    for (const std::string& model : side.models.empty() ? Names{own} : side.models) {
      for (const int depth : side.depths) {
        if (depth == kEqualDepth) {
          choices.push_back(equal_choice(set, model, choices.front()));
          continue;
        }
        Choice choice{depth_label(names_.model_label(model), model, std::max(depth, 0)),
                      group_of(set, model, depth)};
        if (alone && depth == kChosenDepth && choice.group != nullptr)
          choice.label = choice.group->label;
        const PublishedFigure* figure = names_.figure(model, set);
        if (choice.group == nullptr && side.or_published && !reduced_ && figure != nullptr) {
          choice.constant = shown_score(names_.data(set)->metric, figure->mean);
          choice.label += " (published)";
        }
        choices.push_back(std::move(choice));
      }
    }
  }

  /// Fills in the scores of the fits that all choices have in common. Returns what prevents a
  /// comparison, in words, or nothing.
  std::string fill(std::vector<Choice>& choices) const {
    std::string missing, few;
    FitGroups groups;
    const std::string needed = std::to_string(needed_fits());
    for (const Choice& choice : choices) {
      if (choice.group == nullptr) {
        append(missing, "; ", choice.constant ? "" : choice.label);
        continue;
      }
      groups.push_back(choice.group);
      const int fits = choice.group->test.count;
      if (fits < needed_fits())
        append(few, ", ",
               choice.label + " has " + std::to_string(fits) + " of " + needed + " fits");
    }
    if (!missing.empty()) missing.insert(0, "missing: ");
    append(missing, "; ", few);
    if (!missing.empty()) return missing;
    for (const FitGroup* group : groups) {
      const std::string training = training_text(group->key);
      if (training != training_text(groups[0]->key))
        return "trained differently: " + training_text(groups[0]->key) + " and " + training;
    }
    const std::vector<FitPlace> places = common_places(groups);
    if (static_cast<int>(places.size()) < needed_fits())
      return std::to_string(places.size()) + " seeds or folds in common, of " + needed;
    for (Choice& choice : choices) {
      choice.points.assign(places.size(), choice.constant.value_or(0));
      if (choice.group == nullptr) continue;
      choice.points = test_scores(*choice.group, places);
      for (double& score : choice.points) score = shown_score(choice.group->metric, score);
    }
    return "";
  }

  Difference difference(const Names& sets, const std::string& model) const {
    std::vector<std::vector<Choice>> choices;  // by data set; a's, then b's
    std::size_t of_a = 0;
    Points means;
    std::string obstacles;
    for (const std::string& set : sets) {
      std::vector<Choice>& here = choices.emplace_back();
      add_choices(row_.a, set, model, sets.size() == 1, here);
      of_a = here.size();
      add_choices(row_.b, set, model, sets.size() == 1, here);
      std::string obstacle = fill(here);
      if (!obstacle.empty() && sets.size() > 1)
        obstacle.insert(0, names_.dataset_label(set) + ": ");
      append(obstacles, "; ", obstacle);
      means.resize(here.size());
      for (std::size_t i = 0; i < here.size(); ++i)
        means[i] += mean_of(here[i].points) / static_cast<double>(sets.size());
    }
    if (!obstacles.empty()) return {obstacles, {}};
    const std::size_t a = picked(row_.a.rank, means, 0, of_a);
    const std::size_t b = picked(row_.b.rank, means, of_a, means.size());
    Difference result{listing(choices, means) + "; " + choices[0][a].label + " less " +
                          choices[0][b].label + ": " + signed_fixed(means[a] - means[b], 1),
                      {}};
    for (std::size_t s = 0; s < sets.size(); ++s) {
      Points& points = result.points.emplace_back();
      for (std::size_t i = 0; i < choices[s][a].points.size(); ++i)
        points.push_back(choices[s][a].points[i] - choices[s][b].points[i]);
      if (sets.size() > 1)
        result.numbers += (s == 0 ? "; " : ", ") + names_.dataset_label(sets[s]) + " " +
                          signed_fixed(mean_of(points), 1);
    }
    if (scope_.enough == 1 && sets.size() == 1 && result.points[0].size() == 1)
      result.standard_error = claims::standard_error(choices[0][a], choices[0][b]);
    return result;
  }

  /// "GCN 81.3, GAT 81.5 over 10 fits".
  static std::string listing(const std::vector<std::vector<Choice>>& choices, const Points& means) {
    std::string text, training;
    std::size_t fits = 0;
    for (const auto& of_set : choices) fits += of_set[0].points.size();
    std::set<std::string> listed;  // both sides may have the same choices
    for (std::size_t i = 0; i < means.size(); ++i) {
      const Choice& choice = choices[0][i];
      if (choice.group != nullptr) training = training_text(choice.group->key);
      if (listed.insert(choice.label).second)
        append(text, ", ", choice.label + " " + fixed(means[i], 1));
    }
    return text + " over " + counted(fits, "fit") + bracketed(training);
  }

  /// A single fit has no standard error but that of its test samples; without it, it decides
  /// nothing.
  static void judge(ClaimPart& part, const Difference& found, const Bound& bound) {
    part.comparison = found.standard_error
                          ? compare_one(found.points[0][0], *found.standard_error, bound.points)
                          : compare_by_dataset(found.points, bound.points);
    if (part.comparison->pairs >= 2 || found.standard_error)
      part.verdict = bound.above ? part.comparison->above() : part.comparison->below();
  }

  ClaimPart part(const Names& sets, const std::string& model, const Bound& bound) const {
    const Difference found = difference(sets, model);
    ClaimPart part;
    if (sets.size() == 1) part.subject = names_.dataset_label(sets[0]);
    if (!model.empty()) append(part.subject, ", ", names_.model_label(model));
    if (row_.bounds.size() > 1) append(part.subject, ", ", bound_text(bound));
    if (part.subject.empty()) part.subject = "mean over the data sets";
    part.numbers = found.numbers;
    if (found.standard_error)
      part.numbers += ", standard error " + fixed(*found.standard_error, 1) + " by test samples";
    if (!found.points.empty()) judge(part, found, bound);
    return part;
  }

  /// The difference on the row's own data set compared with that on another, over all models.
  ClaimPart more_than_on(const std::string& other) const {
    const std::string own_label = names_.dataset_label(row_.most_on);
    const std::string other_label = names_.dataset_label(other);
    ClaimPart part{own_label + " against " + other_label, Verdict::kNotEnoughRuns, {}, {}};
    Points own_gains, other_gains, differences;
    for (const std::string& model : row_.models) {
      const Difference own = difference({row_.most_on}, model);
      const Difference there = difference({other}, model);
      if (own.points.empty()) append(part.numbers, "; ", own_label + ": " + own.numbers);
      if (there.points.empty()) append(part.numbers, "; ", other_label + ": " + there.numbers);
      if (!part.numbers.empty()) continue;
      // Fits on two data sets can be paired only by their number.
      for (std::size_t i = 0; i < std::min(own.points[0].size(), there.points[0].size()); ++i) {
        own_gains.push_back(own.points[0][i]);
        other_gains.push_back(there.points[0][i]);
        differences.push_back(own.points[0][i] - there.points[0][i]);
      }
    }
    if (!part.numbers.empty()) return part;
    part.numbers = "mean gain: " + own_label + " " + signed_fixed(mean_of(own_gains), 1) + ", " +
                   other_label + " " + signed_fixed(mean_of(other_gains), 1);
    judge(part, {"", {differences}}, row_.bounds[0]);
    return part;
  }

  const CheckRow& row_;
  const Scope& scope_;
  const Results& results_;
  const bool reduced_;
  const Names& sets_ = row_.datasets.empty() ? scope_.datasets : row_.datasets;
  const Catalogue& names_ = results_.catalogue();
};

}  // namespace

ClaimCheck evaluate(const CheckRow& row, const Scope& scope, const Results& results) {
  const ClaimCheck full = Evaluation(row, scope, results, false).check();
  if (full.compares()) return full;
  const ClaimCheck reduced = Evaluation(row, scope, results, true).check();
  return reduced.compares() ? reduced : full;
}

}  // namespace hgnet::claims
