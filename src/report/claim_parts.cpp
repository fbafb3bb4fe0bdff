#include "report/claim_parts.hpp"

#include <algorithm>

#include "hgnet/report/tables.hpp"
#include "report/number_text.hpp"

namespace hgnet::claims {
namespace {

bool is_lower(const Entry& a, const Entry& b) { return a.mean() < b.mean(); }

std::string listing(const Entries& entries) {
  std::string text;
  for (const Entry& entry : entries) {
    text += (text.empty() ? "" : ", ") + entry.label + " " + fixed(entry.mean(), 1);
    const std::string shortened = entry.group == nullptr ? "" : shortened_text(*entry.group);
    if (!shortened.empty()) text += " (" + shortened + ")";
  }
  return text;
}

}  // namespace

const RunGroup* View::group(const char* table, const std::string& dataset, const std::string& split,
                            const std::string& model, std::optional<int> depth) const {
  const int wanted = depth ? *depth : paper_depth(model, dataset);
  const RunGroup* most = nullptr;
  for (const RunGroup* candidate : enough(table, dataset, split, model)) {
    if (candidate->key.depth == wanted) return candidate;
    if (!depth && (most == nullptr || candidate->test.count > most->test.count)) most = candidate;
  }
  return most;
}

const RunGroup* View::best_depth(const char* table, const std::string& dataset,
                                 const std::string& model) const {
  const RunGroup* best = nullptr;
  for (const RunGroup* candidate : enough(table, dataset, "", model)) {
    if (best == nullptr || candidate->val.mean > best->val.mean) best = candidate;
  }
  return best;
}

std::vector<const RunGroup*> View::enough(const char* table, const std::string& dataset,
                                          const std::string& split,
                                          const std::string& model) const {
  std::vector<const RunGroup*> groups = results_.select(table, dataset, split, model);
  std::erase_if(groups, [&](const RunGroup* group) {
    return group->key.quick != quick_ || group->test.count < (quick_ ? 1 : kEnoughRuns);
  });
  return groups;
}

double Entry::mean() const {
  return group != nullptr ? shown_score(group->metric, group->test.mean) : 100 * published->mean;
}

const std::vector<std::string>& hierarchical_models() {
  static const std::vector<std::string> models = {"g-unet", "hgnet-edgepool", "hgnet-louvain"};
  return models;
}

Entries entries_of(const View& view, const char* table, const std::string& dataset,
                   const std::string& split, const std::vector<std::string>& models,
                   std::optional<int> depth) {
  Entries entries;
  for (const std::string& model : models)
    entries.push_back(
        {row_label({model, depth}), view.group(table, dataset, split, model, depth), nullptr});
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

ClaimPart judge(const std::string& subject, const Entries& entries,
                const std::function<std::string(ClaimPart&)>& decide) {
  ClaimPart part{subject, Verdict::kNotEnoughRuns, {}, {}, {}};
  std::string missing;
  for (const Entry& entry : entries) {
    if (!entry.known()) missing += (missing.empty() ? "missing: " : "; ") + entry.label;
  }
  if (missing.empty()) {
    const std::string found = decide(part);
    part.numbers = listing(entries) + "; " + found;
  } else {
    part.numbers = missing;
  }
  return part;
}

void settle(ClaimPart& part, bool holds) {
  part.verdict = holds ? Verdict::kHolds : Verdict::kFails;
}

void set_comparison(ClaimPart& part, const Entry& a, const Entry& b) {
  if (a.group == nullptr || b.group == nullptr) return;
  part.comparison = compare(*a.group, *b.group);
  part.metric = a.group->metric;
}

ClaimPart above(const std::string& subject, const Entry& a, const Entry& b, double margin) {
  return judge(subject, {a, b}, [&](ClaimPart& part) {
    const double gain = a.mean() - b.mean();
    settle(part, gain > margin);
    set_comparison(part, a, b);
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
