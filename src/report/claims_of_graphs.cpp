// Claims 4 to 6: classification of graphs, molecules, color-connectivity.

#include <algorithm>

#include "hgnet/report/tables.hpp"
#include "report/claim_parts.hpp"
#include "report/number_text.hpp"
#include "text.hpp"

namespace hgnet::claims {
namespace {

const std::vector<std::string> kMolecular = {"DD", "NCI1", "ENZYMES", "PROTEINS"};
const std::vector<std::string> kLargeColor = {"cc-grid32", "cc-euroroad", "cc-minnesota"};

// Claim 4: TU sets.

ClaimCheck hgnet_is_best(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : tu_sets()) {
    const Entries entries = entries_of(view, "table1", set, "", table1_models());
    parts.push_back(judge(dataset_label(set), entries, [&](ClaimPart& part) {
      const auto is_hgnet = [](const Entry& e) { return e.group->key.model.starts_with("hgnet"); };
      Entries hgnets, others;
      for (const Entry& entry : entries) (is_hgnet(entry) ? hgnets : others).push_back(entry);
      settle(part, highest(hgnets).mean() > highest(others).mean());
      set_comparison(part, highest(hgnets), highest(others));
      return "best is " + highest(entries).label;
    }));
  }
  return in_at_least(4, "An HGNet is best on at least 4 of the 7",
                     "the higher mean of the two HGNets is above all six others", std::move(parts));
}

/// 1 for the best.
int rank_of(const Entries& entries, const std::string& label) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& e) { return e.label == label; });
  return 1 + static_cast<int>(std::count_if(entries.begin(), entries.end(), [&](const Entry& e) {
           return e.mean() > found->mean();
         }));
}

ClaimCheck virtual_node_strong(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : kMolecular) {
    const Entries entries = entries_of(view, "table1", set, "", table1_models());
    parts.push_back(judge(dataset_label(set), entries, [&](ClaimPart& part) {
      const int rank = rank_of(entries, model_label("gcn-vn"));
      settle(part, rank <= 3);
      return "GCN+VN is number " + std::to_string(rank);
    }));
  }
  return in_at_least(
      3, "GCN+VN is strong on molecules",
      "among the best three of eight on at least three of D&D, NCI1, ENZYMES, PROTEINS",
      std::move(parts));
}

ClaimCheck g_unet_behind(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : tu_sets()) {
    const Entries entries = entries_of(view, "table1", set, "", hierarchical_models());
    parts.push_back(judge(dataset_label(set), entries, [&](ClaimPart& part) {
      const Entry& g_unet = entries[0];
      const Entries hgnets = {entries[1], entries[2]};
      settle(part, g_unet.mean() < lowest(hgnets).mean());
      set_comparison(part, g_unet, lowest(hgnets));
      return "g-U-Net less " + lowest(hgnets).label + ": " +
             signed_fixed(g_unet.mean() - lowest(hgnets).mean(), 1);
    }));
  }
  return in_at_least(4, "g-U-Net falls behind", "below both HGNets on at least 4 of the 7",
                     std::move(parts));
}

// Claim 5: OGB.

/// Flat baselines may be the leaderboard's, as in the paper, where we have no runs of our own.
Entry baseline(const View& view, const std::string& set, const std::string& model) {
  Entry entry{row_label({model, 5}), view.group("table3", set, "", model, 5), nullptr};
  if (entry.group != nullptr) return entry;
  entry.published = published_figure(model, set);
  entry.label += " (published)";
  return entry;
}

ClaimCheck two_levels_beat_gcn(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : ogb_sets()) {
    for (const char* model : {"hgnet-edgepool", "hgnet-louvain"}) {
      const Entry hgnet{row_label({model, 2}), view.group("table3", set, "", model, 2), nullptr};
      parts.push_back(above(set + ", " + model_label(model), hgnet, baseline(view, set, "gcn")));
    }
  }
  return in_all("HGNet with two levels beats GCN with five layers, with either coarsening",
                "higher mean; where we have no runs of GCN, than OGB's published mean",
                std::move(parts));
}

ClaimCheck virtual_node_helps(const View& view) {
  const std::string set = "ogbg-molpcba";
  const Entry with{row_label({"gcn-vn", 5}), view.group("table3", set, "", "gcn-vn", 5), nullptr};
  const Entry without{row_label({"gcn", 5}), view.group("table3", set, "", "gcn", 5), nullptr};
  return in_all("A virtual node helps ogbg-molpcba a lot",
                "GCN+VN is more than " + short_number(kALotPoints) + " points above GCN",
                {above(set, with, without, kALotPoints)});
}

// Claim 6: color-connectivity. A model's score is that of its best depth by validation.

Entries best_entries(const View& view, const std::string& set,
                     const std::vector<std::string>& models) {
  Entries entries;
  for (const std::string& model : models) {
    const RunGroup* group = view.best_depth("table4", set, model);
    const std::optional<int> depth = group ? std::optional(group->key.depth) : std::nullopt;
    entries.push_back({row_label({model, depth}), group, nullptr});
  }
  return entries;
}

ClaimCheck edgepool_best_overall(const View& view) {
  const std::vector<std::string> models = table1_models();
  ClaimPart part{"mean over the four data sets", Verdict::kNotEnoughRuns, {}, {}, "accuracy"};
  std::vector<double> mean(models.size(), 0.0);
  std::vector<Entries> by_set;
  std::string missing;
  for (const std::string& set : color_sets()) {
    by_set.push_back(best_entries(view, set, models));
    for (std::size_t m = 0; m < models.size(); ++m) {
      const Entry& entry = by_set.back()[m];
      if (entry.known()) {
        mean[m] += entry.mean() / static_cast<double>(color_sets().size());
      } else {
        missing +=
            (missing.empty() ? "missing: " : "; ") + entry.label + " on " + dataset_label(set);
      }
    }
  }
  const std::string statement = "HGNet-EdgePool is best overall";
  const std::string rule =
      "highest mean over the four data sets, each model at the depth that is best on validation";
  if (!missing.empty()) {
    part.numbers = missing;
    return in_all(statement, rule, {part});
  }
  std::size_t ours = 0;
  std::size_t rival = models.size();
  for (std::size_t m = 0; m < models.size(); ++m) {
    part.numbers += (m == 0 ? "" : ", ") + model_label(models[m]) + " " + fixed(mean[m], 1);
    if (models[m] == "hgnet-edgepool")
      ours = m;
    else if (rival == models.size() || mean[m] > mean[rival])
      rival = m;
  }
  settle(part, mean[ours] > mean[rival]);
  std::vector<std::pair<const RunGroup*, const RunGroup*>> pairs;
  for (const Entries& entries : by_set)
    pairs.emplace_back(entries[ours].group, entries[rival].group);
  part.comparison = compare(pairs);
  part.numbers +=
      "; less " + model_label(models[rival]) + ": " + signed_fixed(mean[ours] - mean[rival], 1);
  return in_all(statement, rule, {part});
}

ClaimCheck g_unet_fails(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : kLargeColor) {
    const Entries entries = best_entries(view, set, {"g-unet"});
    parts.push_back(judge(dataset_label(set), entries, [&](ClaimPart& part) {
      settle(part, entries[0].mean() < kFailsBelow);
      return signed_fixed(entries[0].mean() - 50, 1) + " from chance";
    }));
  }
  return in_all("g-U-Net fails on the larger graphs",
                "accuracy below " + short_number(kFailsBelow) + " % where chance gives 50 %",
                std::move(parts));
}

ClaimCheck virtual_node_adds_nothing(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : color_sets()) {
    const Entries entries = best_entries(view, set, {"gcn-vn", "gcn"});
    parts.push_back(judge(dataset_label(set), entries, [&](ClaimPart& part) {
      const double gain = entries[0].mean() - entries[1].mean();
      settle(part, gain < kNothingPoints);
      set_comparison(part, entries[0], entries[1]);
      return "gain " + signed_fixed(gain, 1);
    }));
  }
  return in_all("A virtual node adds nothing to GCN",
                "GCN+VN gains less than " + short_number(kNothingPoints) + " point over GCN",
                std::move(parts));
}

ClaimCheck cheb_and_gin_do_well(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : color_sets()) {
    const Entries weak = best_entries(view, set, {"gcn", "gat"});
    for (const char* model : {"cheb", "gin"}) {
      const Entry entry = best_entries(view, set, {model}).front();
      const std::string subject = dataset_label(set) + ", " + model_label(model);
      parts.push_back(judge(subject, joined({entry}, weak), [&](ClaimPart& part) {
        settle(part, entry.mean() > highest(weak).mean());
        set_comparison(part, entry, highest(weak));
        return "less " + highest(weak).label + ": " +
               signed_fixed(entry.mean() - highest(weak).mean(), 1);
      }));
    }
  }
  return in_all("ChebNet and GIN do well", "each is above both GCN and GAT", std::move(parts));
}

}  // namespace

std::vector<CheckFunction> tu_checks() {
  return {hgnet_is_best, virtual_node_strong, g_unet_behind};
}

std::vector<CheckFunction> ogb_checks() { return {two_levels_beat_gcn, virtual_node_helps}; }

std::vector<CheckFunction> color_checks() {
  return {edgepool_best_overall, g_unet_fails, virtual_node_adds_nothing, cheb_and_gin_do_well};
}

}  // namespace hgnet::claims
