#include "paper/comparisons.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/claims.hpp"
#include "hgnet/records/metrics.hpp"
#include "report/number_text.hpp"

namespace hgnet::claims {
namespace {

using Groups = std::vector<const FitGroup*>;
using Names = std::vector<std::string>;
using Points = std::vector<double>;

double mean_of(const Points& points) { return summary_of(points).mean; }

double parameters_of(const FitGroup& group) {
  return static_cast<double>(group.fits.front()->parameters);
}

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
};

/// All data sets have the same weight: if one has fewer fits, each of them counts more.
Points weighed(const std::vector<Points>& points, double bound) {
  std::size_t fits = 0;
  for (const Points& of_set : points) fits += of_set.size();
  Points result;
  for (const Points& of_set : points) {
    const double weight =
        static_cast<double>(fits) / static_cast<double>(points.size() * of_set.size());
    for (const double value : of_set) result.push_back(bound + weight * (value - bound));
  }
  return result;
}

/// Of the choices [begin, end), the one with this rank by mean.
std::size_t picked(int rank, const Points& means, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> order(end - begin);
  std::iota(order.begin(), order.end(), begin);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return means[x] > means[y]; });
  return rank == kWorst ? order.back() : order.at(rank);
}

/// A row, evaluated over the full fits only, or over the reduced ones only.
class Evaluation {
 public:
  Evaluation(const CheckRow& row, const Scope& scope, const Results& results, bool reduced)
      : row_(row),
        scope_(scope),
        sets_(row.datasets.empty() ? scope.datasets : row.datasets),
        results_(results),
        names_(results.catalogue()),
        reduced_(reduced) {}

  ClaimCheck check() const {
    ClaimCheck check{row_.statement, row_.sentence, rule(), {}, row_.needed, reduced_};
    if (!row_.most_on.empty()) {
      for (const std::string& set : sets_) {
        if (set != row_.most_on) check.parts.push_back(more_than_on(set));
      }
    } else {
      for (const Names& sets : sets_of_parts()) {
        for (const std::string& model : row_.models.empty() ? Names{""} : row_.models) {
          for (const Bound& bound : row_.bounds) check.parts.push_back(part(sets, model, bound));
        }
      }
    }
    if (check.needed == 0) check.needed = check.parts.size();
    return check;
  }

 private:
  std::string rule() const {
    const bool mean = !row_.each_dataset && row_.most_on.empty();
    std::string bounds;
    for (const Bound& bound : row_.bounds) append(bounds, " and ", bound_text(bound));
    return row_.compared + (mean ? ", mean over the data sets, is " : " is ") + bounds;
  }

  /// Each data set separately, or all together.
  std::vector<Names> sets_of_parts() const {
    if (!row_.each_dataset) return {sets_};
    std::vector<Names> result;
    for (const std::string& set : sets_) result.push_back({set});
    return result;
  }

  int needed_fits() const { return reduced_ ? 1 : scope_.enough > 0 ? scope_.enough : kEnoughFits; }

  /// The groups of a model on a data set that count.
  Groups groups_of(const std::string& set, const std::string& model) const {
    const std::string& split = scope_.split.empty() ? names_.data(set)->split : scope_.split;
    Groups groups = results_.select(scope_.table, set, split, model);
    std::erase_if(groups, [&](const FitGroup* group) {
      return group->key.reduced() != reduced_ || group->test.count == 0 ||
             !group->key.of(scope_.reading);
    });
    return groups;
  }

  /// The one that is nearest in its number of parameters, if it is near enough.
  const FitGroup* equal_group(const std::string& set, const std::string& model,
                              const FitGroup& reference) const {
    const FitGroup* best = nullptr;
    double least = std::log(kAboutAsMany);
    for (const FitGroup* group : groups_of(set, model)) {
      const double factor = parameters_of(*group) / parameters_of(reference);
      if (!(std::abs(std::log(factor)) <= least)) continue;
      least = std::abs(std::log(factor));
      best = group;
    }
    return best;
  }

  Choice equal_choice(const std::string& set, const std::string& model,
                      const Choice& reference) const {
    const std::string& label = names_.model_label(model);
    if (reference.group == nullptr) return {label + " with about as many parameters"};
    const FitGroup* found = equal_group(set, model, *reference.group);
    const std::string many = short_number(parameters_of(*reference.group)) + " parameters";
    if (found == nullptr) return {label + " with about " + many};
    return {found->label + " (" + short_number(parameters_of(*found)) + " parameters; " +
                reference.label + " has " + many + ")",
            found};
  }

  const FitGroup* group_of(const std::string& set, const std::string& model, int depth) const {
    const int wanted = depth == kPaperDepth ? paper_depth(model, set) : depth;
    const auto is_better = [&](const FitGroup& a, const FitGroup& b) {
      const bool enough_a = a.test.count >= needed_fits();
      const bool enough_b = b.test.count >= needed_fits();
      if (depth == kChosenDepth && enough_a != enough_b) return enough_a;
      if (training_text(a.key) != training_text(b.key)) return trained_longer(a.key, b.key);
      return a.val.mean > b.val.mean;
    };
    const FitGroup* best = nullptr;
    for (const FitGroup* group : groups_of(set, model)) {
      if (depth != kChosenDepth && group->key.depth != wanted) continue;
      if (best == nullptr || is_better(*group, *best)) best = group;
    }
    return best;
  }

  /// `alone`: there is no other data set on which another depth may be chosen.
  void add_choices(const Side& side, const std::string& set, const std::string& own, bool alone,
                   std::vector<Choice>& choices) const {
    if (side.constant) choices.push_back({"the limit", nullptr, side.constant});
    if (side.constant) return;
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
    Groups groups;
    for (const Choice& choice : choices) {
      if (choice.group != nullptr) groups.push_back(choice.group);
      if (choice.group == nullptr && !choice.constant) append(missing, "; ", choice.label);
      if (choice.group != nullptr && choice.group->test.count < needed_fits())
        append(few, ", ",
               choice.label + " has " + std::to_string(choice.group->test.count) + " of " +
                   std::to_string(needed_fits()) + " fits");
    }
    if (!missing.empty()) missing.insert(0, "missing: ");
    if (!few.empty()) append(missing, "; ", few);
    if (!missing.empty()) return missing;
    for (const FitGroup* group : groups) {
      const std::string training = training_text(group->key);
      if (training != training_text(groups[0]->key))
        return "trained differently: " + training_text(groups[0]->key) + " and " + training;
    }
    const std::vector<FitPlace> places = common_places(groups);
    if (static_cast<int>(places.size()) < needed_fits())
      return std::to_string(places.size()) + " seeds or folds in common, of " +
             std::to_string(needed_fits());
    for (Choice& choice : choices) {
      if (choice.group == nullptr) choice.points.assign(places.size(), *choice.constant);
      if (choice.group == nullptr) continue;
      for (const double score : test_scores(*choice.group, places))
        choice.points.push_back(shown_score(choice.group->metric, score));
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
      const std::string obstacle = fill(here);
      if (!obstacle.empty())
        append(obstacles, "; ",
               (sets.size() == 1 ? "" : names_.dataset_label(set) + ": ") + obstacle);
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
    return result;
  }

  /// "GCN 81.3, GAT 81.5 over 10 fits".
  std::string listing(const std::vector<std::vector<Choice>>& choices, const Points& means) const {
    std::string text, training;
    std::size_t fits = 0;
    for (const auto& of_set : choices) fits += of_set[0].points.size();
    for (std::size_t i = 0; i < means.size(); ++i) {
      const Choice& choice = choices[0][i];
      const auto is_same = [&](const Choice& other) { return other.label == choice.label; };
      if (choice.group != nullptr) training = training_text(choice.group->key);
      // Both sides may have the same choices.
      if (std::none_of(choices[0].begin(), choices[0].begin() + static_cast<std::ptrdiff_t>(i),
                       is_same))
        append(text, ", ", choice.label + " " + fixed(means[i], 1));
    }
    return text + " over " + counted(fits, "fit") + (training.empty() ? "" : " (" + training + ")");
  }

  /// A single fit has no standard error, so it decides nothing.
  static void judge(ClaimPart& part, const std::vector<Points>& points, const Bound& bound) {
    part.comparison = compare(weighed(points, bound.points), bound.points);
    if (part.comparison->pairs >= 2)
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
    if (!found.points.empty()) judge(part, found.points, bound);
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
      for (const auto* found : {&own, &there}) {
        if (found->points.empty())
          append(part.numbers, "; ",
                 (found == &own ? own_label : other_label) + ": " + found->numbers);
      }
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
    judge(part, {differences}, row_.bounds[0]);
    return part;
  }

  const CheckRow& row_;
  const Scope& scope_;
  const Names& sets_;
  const Results& results_;
  const Catalogue& names_;
  bool reduced_;
};

}  // namespace

ClaimCheck evaluate(const CheckRow& row, const Scope& scope, const Results& results) {
  const auto says_anything = [](const ClaimCheck& check) {
    return std::any_of(check.parts.begin(), check.parts.end(),
                       [](const ClaimPart& part) { return part.comparison.has_value(); });
  };
  ClaimCheck full = Evaluation(row, scope, results, false).check();
  if (says_anything(full)) return full;
  ClaimCheck reduced = Evaluation(row, scope, results, true).check();
  return says_anything(reduced) ? reduced : full;
}

}  // namespace hgnet::claims
