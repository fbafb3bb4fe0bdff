#include "report/claim_parts.hpp"

#include <algorithm>

#include "hgnet/report/tables.hpp"
#include "report/number_text.hpp"

namespace hgnet::claims {
namespace {

bool is_lower(const Entry& a, const Entry& b) { return a.mean < b.mean; }

int needed_runs(const RunGroup& group) { return group.key.reduced() ? 1 : kEnoughRuns; }

/// "GCN 81.3, GAT 81.5 over 10 runs".
std::string listing(std::span<const Entry> entries) {
  std::string text;
  const RunGroup* any = nullptr;
  std::size_t runs = 0;
  for (const Entry& entry : entries) {
    text += (text.empty() ? "" : ", ") + entry.label + " " + fixed(entry.mean, 1);
    if (entry.group == nullptr) continue;
    any = entry.group;
    runs = entry.scores.size();
  }
  if (any == nullptr) return text;
  const std::string training = training_text(any->key);
  return text + " over " + std::to_string(runs) + (any->key.quick ? " quick" : "") +
         (runs == 1 ? " run" : " runs") + (any->key.shortened > 0 ? " of " + training : "");
}

}  // namespace

const RunGroup* View::group(const char* table, const std::string& dataset, const std::string& model,
                            std::optional<int> depth) const {
  return group_on(paper_split(dataset), table, dataset, model,
                  depth ? *depth : paper_depth(model, dataset));
}

const RunGroup* View::group_on(const std::string& split, const char* table,
                               const std::string& dataset, const std::string& model,
                               int depth) const {
  for (const RunGroup* candidate : groups(table, dataset, split, model)) {
    if (candidate->key.depth == depth) return candidate;
  }
  return nullptr;
}

const RunGroup* View::best_depth(const char* table, const std::string& dataset,
                                 const std::string& model) const {
  const RunGroup* best = nullptr;
  const auto is_better = [&](const RunGroup* a, const RunGroup* b) {
    const bool enough_a = a->test.count >= needed_runs(*a);
    const bool enough_b = b->test.count >= needed_runs(*b);
    if (enough_a != enough_b) return enough_a;
    if (training_text(a->key) != training_text(b->key)) return trained_longer(a->key, b->key);
    return a->val.mean > b->val.mean;
  };
  for (const RunGroup* candidate : groups(table, dataset, paper_split(dataset), model)) {
    if (best == nullptr || is_better(candidate, best)) best = candidate;
  }
  return best;
}

std::vector<const RunGroup*> View::groups(const char* table, const std::string& dataset,
                                          const std::string& split,
                                          const std::string& model) const {
  std::vector<const RunGroup*> groups = results_.select(table, dataset, split, model);
  std::erase_if(groups, [&](const RunGroup* group) {
    return group->key.reduced() != reduced_ || group->test.count == 0;
  });
  std::stable_sort(groups.begin(), groups.end(), [](const RunGroup* a, const RunGroup* b) {
    return trained_longer(a->key, b->key);
  });
  return groups;
}

const std::vector<std::string>& hierarchical_models() {
  static const std::vector<std::string> models = {"g-unet", "hgnet-edgepool", "hgnet-louvain"};
  return models;
}

Entries entries_of(const View& view, const char* table, const std::string& dataset,
                   const std::vector<std::string>& models) {
  Entries entries;
  for (const std::string& model : models)
    entries.push_back({model_label(model), view.group(table, dataset, model), nullptr});
  return entries;
}

Entries joined(Entries a, const Entries& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Entry& highest(std::span<const Entry> entries) {
  return *std::max_element(entries.begin(), entries.end(), is_lower);
}

const Entry& lowest(std::span<const Entry> entries) {
  return *std::min_element(entries.begin(), entries.end(), is_lower);
}

std::string cut_to_common(Entries& entries) {
  std::string missing;
  std::string few;
  std::vector<const RunGroup*> groups;
  for (const Entry& entry : entries) {
    if (entry.group == nullptr) {
      if (entry.published == nullptr)
        missing += (missing.empty() ? "missing: " : "; ") + entry.label;
      continue;
    }
    groups.push_back(entry.group);
    const int needed = needed_runs(*entry.group);
    if (entry.group->test.count < needed)
      few += (few.empty() ? "" : ", ") + entry.label + " has " +
             std::to_string(entry.group->test.count) + " of " + std::to_string(needed) + " runs";
  }
  if (!missing.empty() || !few.empty())
    return missing + (missing.empty() || few.empty() ? "" : "; ") + few;
  for (const RunGroup* group : groups) {
    if (training_text(group->key) != training_text(groups[0]->key))
      return "not trained alike: " + training_text(groups[0]->key) + " and " +
             training_text(group->key);
  }
  const std::vector<RunPlace> places = common_places(groups);
  if (!groups.empty() && static_cast<int>(places.size()) < needed_runs(*groups[0]))
    return std::to_string(places.size()) + " seeds or folds in common, of " +
           std::to_string(needed_runs(*groups[0]));
  for (Entry& entry : entries) {
    if (entry.group != nullptr) entry.scores = test_scores(*entry.group, places);
    entry.mean = entry.group != nullptr
                     ? shown_score(entry.group->metric, summary_of(entry.scores).mean)
                     : 100 * entry.published->mean;
  }
  return "";
}

ClaimPart judge(const std::string& subject, Entries entries,
                const std::function<std::string(ClaimPart&, std::span<const Entry>)>& decide) {
  ClaimPart part{subject, Verdict::kNotEnoughRuns, cut_to_common(entries), {}, {}};
  if (!part.numbers.empty()) return part;
  const std::string found = decide(part, entries);
  part.numbers = listing(entries) + "; " + found;
  return part;
}

void settle(ClaimPart& part, bool holds) {
  part.verdict = holds ? Verdict::kHolds : Verdict::kFails;
}

void set_comparison(ClaimPart& part, const Entry& a, const Entry& b) {
  if (a.group == nullptr || b.group == nullptr) return;
  part.comparison = compare(a.scores, b.scores);
  part.metric = a.group->metric;
}

ClaimPart above(const std::string& subject, const Entry& a, const Entry& b, double margin) {
  return judge(subject, {a, b}, [&](ClaimPart& part, std::span<const Entry> both) {
    const double gain = both[0].mean - both[1].mean;
    settle(part, gain > margin);
    set_comparison(part, both[0], both[1]);
    return "difference " + signed_fixed(gain, 1);
  });
}

ClaimCheck in_all(std::string statement, std::string rule, std::vector<ClaimPart> parts) {
  const std::size_t count = parts.size();
  return in_at_least(count, std::move(statement), std::move(rule), std::move(parts));
}

ClaimCheck in_at_least(std::size_t needed, std::string statement, std::string rule,
                       std::vector<ClaimPart> parts) {
  return {std::move(statement), std::move(rule), std::move(parts), needed, false};
}

}  // namespace hgnet::claims
