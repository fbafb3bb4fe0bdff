// Claims 1 to 3: citation networks, with the public splits and with sanitized ones.

#include <map>

#include "hgnet/report/tables.hpp"
#include "report/claim_parts.hpp"
#include "report/number_text.hpp"
#include "text.hpp"

namespace hgnet::claims {
namespace {

const std::vector<std::string> kLocal = {"gcn", "gat", "cheb"};
const std::vector<std::string> kFlat = {"gcn", "gat", "cheb", "gin"};

// Claim 1: citation networks.

ClaimCheck hierarchical_close(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : citation_sets()) {
    const Entries entries = entries_of(view, "table1", set, "", hierarchical_models());
    parts.push_back(judge(dataset_label(set), entries, [&](ClaimPart& part) {
      const double spread = highest(entries).mean() - lowest(entries).mean();
      settle(part, spread <= kClosePoints);
      set_comparison(part, highest(entries), lowest(entries));
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
    const Entries local = entries_of(view, "table1", set, "", kLocal);
    const Entries hierarchical = entries_of(view, "table1", set, "", hierarchical_models());
    parts.push_back(judge(dataset_label(set), joined(local, hierarchical), [&](ClaimPart& part) {
      const double gap = highest(local).mean() - highest(hierarchical).mean();
      settle(part, gap >= 0 && gap <= kSlightPoints);
      set_comparison(part, highest(local), highest(hierarchical));
      return highest(local).label + " less " + highest(hierarchical).label + ": " +
             signed_fixed(gap, 1);
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
    const Entries local = entries_of(view, "table1", set, "", kLocal);
    for (const char* model : {"gcn-vn", "gin"}) {
      const Entry low{model_label(model), view.group("table1", set, "", model), nullptr};
      const std::string subject = dataset_label(set) + ", " + low.label;
      parts.push_back(judge(subject, joined({low}, local), [&](ClaimPart& part) {
        const double gap = highest(local).mean() - low.mean();
        settle(part, gap >= kSlightPoints);
        set_comparison(part, low, highest(local));
        return low.label + " less " + highest(local).label + ": " + signed_fixed(-gap, 1);
      }));
    }
  }
  return in_all("GCN+VN and GIN are clearly lower",
                "each at least " + short_number(kSlightPoints) +
                    " points below the best of GAT, GCN and ChebNet",
                std::move(parts));
}

// Claims 2 and 3: sanitized splits.

std::string sanitized(int k) { return "sanitized:" + std::to_string(k); }

Entry at_depth(const View& view, const std::string& set, int k, const std::string& model,
               int depth) {
  return {row_label({model, depth}), view.group("table2", set, sanitized(k), model, depth),
          nullptr};
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
    const Entries flat = entries_of(view, "table2", set, sanitized(1), kFlat, 1);
    for (const std::string& model : hierarchical_models()) {
      const Entry level = at_depth(view, set, 1, model, 1);
      const std::string subject = dataset_label(set) + ", " + model_label(model);
      parts.push_back(judge(subject, joined({level}, flat), [&](ClaimPart& part) {
        const double gain = level.mean() - highest(flat).mean();
        settle(part, gain > 0);
        set_comparison(part, level, highest(flat));
        return "less " + highest(flat).label + ": " + signed_fixed(gain, 1);
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
    const Entries levels = entries_of(view, "table2", set, sanitized(1), hierarchical_models(), 1);
    for (const char* model : {"gcn", "gat"}) {
      const Entry two = at_depth(view, set, 1, model, 2);
      const std::string subject = dataset_label(set) + ", " + model_label(model);
      parts.push_back(judge(subject, joined({two}, levels), [&](ClaimPart& part) {
        const double gap = two.mean() - highest(levels).mean();
        settle(part, gap >= -kClosePoints);
        set_comparison(part, two, highest(levels));
        return "less " + highest(levels).label + ": " + signed_fixed(gap, 1);
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
      const Entry one = at_depth(view, set, 1, model, 1);
      const Entry two = at_depth(view, set, 1, model, 2);
      const std::string subject = dataset_label(set) + ", " + model_label(model);
      parts.push_back(judge(subject, {one, two}, [&](ClaimPart& part) {
        const double gain = two.mean() - one.mean();
        settle(part, gain < kNothingPoints);
        set_comparison(part, two, one);
        return "gain " + signed_fixed(gain, 1);
      }));
    }
  }
  return in_all("k = 1: a second level brings the hierarchical models nothing",
                "two levels gain less than " + short_number(kNothingPoints) + " point over one",
                std::move(parts));
}

/// One level, and the deeper of two and three that is better.
std::optional<double> deeper_gain(const View& view, const std::string& set,
                                  const std::string& model) {
  const Entry one = at_depth(view, set, 2, model, 1);
  const Entries deeper = {at_depth(view, set, 2, model, 2), at_depth(view, set, 2, model, 3)};
  if (!one.known() || !deeper[0].known() || !deeper[1].known()) return std::nullopt;
  return highest(deeper).mean() - one.mean();
}

ClaimCheck more_levels_gain(const View& view) {
  std::vector<ClaimPart> parts;
  for (const std::string& set : citation_sets()) {
    for (const std::string& model : hierarchical_models()) {
      const Entry one = at_depth(view, set, 2, model, 1);
      const Entries deeper = {at_depth(view, set, 2, model, 2), at_depth(view, set, 2, model, 3)};
      const std::string subject = dataset_label(set) + ", " + model_label(model);
      parts.push_back(judge(subject, joined({one}, deeper), [&](ClaimPart& part) {
        const double gain = highest(deeper).mean() - one.mean();
        settle(part, gain > 0);
        set_comparison(part, highest(deeper), one);
        return "gain " + signed_fixed(gain, 1);
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
  std::map<std::string, double> gain;  // mean over the models, by data set
  ClaimPart part{"all three data sets", Verdict::kNotEnoughRuns, {}, {}, {}};
  for (const std::string& set : citation_sets()) {
    for (const std::string& model : hierarchical_models()) {
      const std::optional<double> of_model = deeper_gain(view, set, model);
      if (!of_model) {
        part.numbers =
            "missing: one to three levels of " + model_label(model) + " on " + dataset_label(set);
        return in_all("k = 2: most on PubMed", "the mean gain is largest there", {part});
      }
      gain[set] += *of_model / static_cast<double>(hierarchical_models().size());
    }
    part.numbers += (part.numbers.empty() ? "mean gain: " : ", ") + dataset_label(set) + " " +
                    signed_fixed(gain[set], 1);
  }
  settle(part, gain["pubmed"] > gain["cora"] && gain["pubmed"] > gain["citeseer"]);
  return in_all("k = 2: most on PubMed", "the mean gain is largest there", {part});
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
