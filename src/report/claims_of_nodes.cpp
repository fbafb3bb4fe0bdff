// Claims 1 to 3: citation networks, with the public splits and with sanitized ones.

#include <map>

#include "core/text.hpp"
#include "hgnet/report/tables.hpp"
#include "report/claim_parts.hpp"
#include "report/number_text.hpp"

namespace hgnet::claims {
namespace {

const std::vector<std::string> kLocal = {"gcn", "gat", "cheb"};
const std::vector<std::string> kFlat = {"gcn", "gat", "cheb", "gin"};

// Claim 1: citation networks.

ClaimCheck hierarchical_close(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : citation_sets()) {
    const Entries entries = entries_of(view, "table1", set, hierarchical_models());
    parts.push_back(
        judge(dataset_label(set), entries, [](ClaimPart& part, std::span<const Entry> all) {
          const double spread = highest(all).mean - lowest(all).mean;
          settle(part, spread <= kClosePoints);
          set_comparison(part, highest(all), lowest(all));
          return "spread " + fixed(spread, 1);
        }));
  }
  return in_all("g-U-Net and both HGNets are close together",
                "their means lie within " + short_number(kClosePoints) + " points",
                std::move(parts));
}

ClaimCheck slightly_behind(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : citation_sets()) {
    const Entries entries = joined(entries_of(view, "table1", set, kLocal),
                                   entries_of(view, "table1", set, hierarchical_models()));
    parts.push_back(
        judge(dataset_label(set), entries, [](ClaimPart& part, std::span<const Entry> all) {
          const Entry& local = highest(all.first(kLocal.size()));
          const Entry& hierarchical = highest(all.subspan(kLocal.size()));
          const double gap = local.mean - hierarchical.mean;
          settle(part, gap >= 0 && gap <= kSlightPoints);
          set_comparison(part, local, hierarchical);
          return local.label + " less " + hierarchical.label + ": " + signed_fixed(gap, 1);
        }));
  }
  return in_all("They are slightly behind the best of GAT, GCN and ChebNet",
                "the best of these is 0 to " + short_number(kSlightPoints) +
                    " points above the best hierarchical model",
                std::move(parts));
}

ClaimCheck global_lower(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : citation_sets()) {
    for (const char* model : {"gcn-vn", "gin"}) {
      const Entries entries =
          joined(entries_of(view, "table1", set, {model}), entries_of(view, "table1", set, kLocal));
      const std::string subject = dataset_label(set) + ", " + model_label(model);
      parts.push_back(judge(subject, entries, [](ClaimPart& part, std::span<const Entry> all) {
        const Entry& local = highest(all.subspan(1));
        const double gap = local.mean - all[0].mean;
        settle(part, gap >= kSlightPoints);
        set_comparison(part, all[0], local);
        return all[0].label + " less " + local.label + ": " + signed_fixed(-gap, 1);
      }));
    }
  }
  return in_all("GCN+VN and GIN are clearly lower",
                "each at least " + short_number(kSlightPoints) +
                    " points below the best of GAT, GCN and ChebNet",
                std::move(parts));
}

// Claims 2 and 3: sanitized splits.

Entry at_depth(const View& view, const std::string& set, int k, const std::string& model,
               int depth) {
  return {row_label({model, depth}),
          view.group_on("sanitized:" + std::to_string(k), "table2", set, model, depth), nullptr};
}

Entries at_depth(const View& view, const std::string& set, int k,
                 const std::vector<std::string>& models, int depth) {
  Entries entries;
  for (const std::string& model : models) entries.push_back(at_depth(view, set, k, model, depth));
  return entries;
}

ClaimCheck one_layer_drops(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : citation_sets()) {
    for (const std::string& model : kFlat)
      parts.push_back(above(dataset_label(set) + ", " + model_label(model),
                            at_depth(view, set, 1, model, 2), at_depth(view, set, 1, model, 1)));
  }
  return in_all("k = 1: flat models of one layer drop",
                "one layer is below two layers of the same model", std::move(parts));
}

ClaimCheck one_level_beats(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : citation_sets()) {
    const Entries flat = at_depth(view, set, 1, kFlat, 1);
    for (const std::string& model : hierarchical_models()) {
      const Entries entries = joined({at_depth(view, set, 1, model, 1)}, flat);
      const std::string subject = dataset_label(set) + ", " + model_label(model);
      parts.push_back(judge(subject, entries, [](ClaimPart& part, std::span<const Entry> all) {
        const Entry& best = highest(all.subspan(1));
        settle(part, all[0].mean > best.mean);
        set_comparison(part, all[0], best);
        return "less " + best.label + ": " + signed_fixed(all[0].mean - best.mean, 1);
      }));
    }
  }
  return in_all("k = 1: hierarchical models of one level beat them",
                "each is above the best flat model of one layer (GCN, GAT, ChebNet, GIN)",
                std::move(parts));
}

ClaimCheck two_layers_recover(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : citation_sets()) {
    const Entries levels = at_depth(view, set, 1, hierarchical_models(), 1);
    for (const char* model : {"gcn", "gat"}) {
      const Entries entries = joined({at_depth(view, set, 1, model, 2)}, levels);
      const std::string subject = dataset_label(set) + ", " + model_label(model);
      parts.push_back(judge(subject, entries, [](ClaimPart& part, std::span<const Entry> all) {
        const Entry& best = highest(all.subspan(1));
        const double gap = all[0].mean - best.mean;
        settle(part, gap >= -kClosePoints);
        set_comparison(part, all[0], best);
        return "less " + best.label + ": " + signed_fixed(gap, 1);
      }));
    }
  }
  return in_all("k = 1: GCN and GAT recover with two layers",
                "each is at most " + short_number(kClosePoints) +
                    " points below the best hierarchical model of one level",
                std::move(parts));
}

ClaimCheck second_level_brings_nothing(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : citation_sets()) {
    for (const std::string& model : hierarchical_models()) {
      const Entries entries = {at_depth(view, set, 1, model, 1), at_depth(view, set, 1, model, 2)};
      const std::string subject = dataset_label(set) + ", " + model_label(model);
      parts.push_back(judge(subject, entries, [](ClaimPart& part, std::span<const Entry> all) {
        const double gain = all[1].mean - all[0].mean;
        settle(part, gain < kNothingPoints);
        set_comparison(part, all[1], all[0]);
        return "gain " + signed_fixed(gain, 1);
      }));
    }
  }
  return in_all("k = 1: a second level brings the hierarchical models nothing",
                "two levels gain less than " + short_number(kNothingPoints) + " point over one",
                std::move(parts));
}

/// One, two and three levels at k = 2.
Entries levels_of(const View& view, const std::string& set, const std::string& model) {
  return {at_depth(view, set, 2, model, 1), at_depth(view, set, 2, model, 2),
          at_depth(view, set, 2, model, 3)};
}

/// The better of two and three levels less one level.
double deeper_gain(std::span<const Entry> levels) {
  return highest(levels.subspan(1)).mean - levels[0].mean;
}

ClaimCheck more_levels_gain(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : citation_sets()) {
    for (const std::string& model : hierarchical_models()) {
      const std::string subject = dataset_label(set) + ", " + model_label(model);
      parts.push_back(judge(subject, levels_of(view, set, model),
                            [](ClaimPart& part, std::span<const Entry> levels) {
                              settle(part, deeper_gain(levels) > 0);
                              set_comparison(part, highest(levels.subspan(1)), levels[0]);
                              return "gain " + signed_fixed(deeper_gain(levels), 1);
                            }));
    }
  }
  const std::size_t needed = parts.size() / 2 + 1;
  return in_at_least(needed, "k = 2: hierarchical models gain from two or three levels",
                     "the better of two and three levels is above one level, in more than half of "
                     "the cases (the paper says \"typically\")",
                     std::move(parts));
}

ClaimCheck most_on_pubmed(const View& view) {
  const std::string statement = "k = 2: most on PubMed";
  const std::string rule = "the mean gain is largest there";
  std::map<std::string, double> gain;  // mean over the models, by data set
  ClaimPart part{"all three data sets", Verdict::kNotEnoughRuns, {}, {}, {}};
  for (const std::string& set : citation_sets()) {
    for (const std::string& model : hierarchical_models()) {
      Entries levels = levels_of(view, set, model);
      const std::string obstacle = cut_to_common(levels);
      if (!obstacle.empty()) {
        part.numbers = dataset_label(set) + ": " + obstacle;
        return in_all(statement, rule, {part});
      }
      gain[set] += deeper_gain(levels) / static_cast<double>(hierarchical_models().size());
    }
    part.numbers += (part.numbers.empty() ? "mean gain: " : ", ") + dataset_label(set) + " " +
                    signed_fixed(gain[set], 1);
  }
  settle(part, gain["pubmed"] > gain["cora"] && gain["pubmed"] > gain["citeseer"]);
  return in_all(statement, rule, {part});
}

}  // namespace

std::vector<CheckFunction> citation_checks() {
  return {hierarchical_close, slightly_behind, global_lower};
}

std::vector<CheckFunction> one_hop_checks() {
  return {one_layer_drops, one_level_beats, two_layers_recover, second_level_brings_nothing};
}

std::vector<CheckFunction> two_hop_checks() { return {more_levels_gain, most_on_pubmed}; }

}  // namespace hgnet::claims
