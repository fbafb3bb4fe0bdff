// What is drawn from the runs: learning curves, depth, time, probes.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/text.hpp"
#include "hgnet/report/chart.hpp"
#include "report/html.hpp"
#include "report/html_parts.hpp"
#include "report/table_text.hpp"

namespace hgnet {
namespace {

using Groups = std::vector<const RunGroup*>;

/// Charts that share one legend.
class ChartSection {
 public:
  enum class Headings { kOpen, kFolded };  // kFolded: all but the first

  ChartSection(std::string id, std::string title, std::string caption, Headings headings)
      : id_(std::move(id)),
        title_(std::move(title)),
        caption_(std::move(caption)),
        headings_(headings) {}

  /// Charts added from here on stand under this heading.
  void head(const std::string& heading) { heading_ = heading; }

  void add(const Chart& chart) {
    if (chart.series.empty()) return;
    if (!heading_.empty()) {
      const bool open = headings_ == Headings::kOpen || body_.empty();
      close_row();
      body_ += std::string("<details") + (open ? " open" : "") + "><summary>" +
               html_text(heading_) + "</summary>\n";
      in_details_ = true;
      heading_.clear();
    }
    if (!row_open_) body_ += "<div class=\"charts\">\n";
    row_open_ = true;
    body_ += "<figure><figcaption>" + html_text(chart.title) + "</figcaption>\n" +
             chart_svg(chart) + "</figure>\n";
    for (const ChartSeries& series : chart.series) {
      const auto same = [&](const ChartSeries& other) { return other.name == series.name; };
      if (std::none_of(legend_.begin(), legend_.end(), same))
        legend_.push_back({series.name, series.style, series.dash, {}});
    }
  }

  std::string html() {
    if (body_.empty()) return "";
    close_row();
    std::stable_sort(legend_.begin(), legend_.end(),
                     [](const ChartSeries& a, const ChartSeries& b) { return a.style < b.style; });
    std::string out = "<section id=\"" + id_ + "\" class=\"charted" +
                      (headings_ == Headings::kFolded ? " pairs" : "") + "\">\n<h2>" +
                      html_text(title_) + "</h2>\n<p class=\"caption\">" + html_text(caption_) +
                      "</p>\n<ul class=\"legend\">\n";
    for (const ChartSeries& series : legend_)
      out += "<li data-name=\"" + html_text(series.name) + "\">" + swatch_svg(series) +
             html_text(series.name) + "</li>\n";
    return out + "</ul>\n" + body_ + "</section>\n";
  }

 private:
  void close_row() {
    if (row_open_) body_ += "</div>\n";
    if (in_details_) body_ += "</details>\n";
    row_open_ = in_details_ = false;
  }

  std::string id_;
  std::string title_;
  std::string caption_;
  Headings headings_;
  std::string heading_;
  std::string body_;
  bool row_open_ = false;
  bool in_details_ = false;
  std::vector<ChartSeries> legend_;
};

/// The groups in a column's cells; one may be in two rows where depths are not told apart.
Groups column_groups(const ResultTable& table, std::size_t column) {
  Groups groups;
  for (const auto& row : table.cells) {
    const RunGroup* group = row[column].group;
    if (group != nullptr && std::find(groups.begin(), groups.end(), group) == groups.end())
      groups.push_back(group);
  }
  return groups;
}

/// " (40 epochs)", or nothing for full runs.
std::string mark_of(const RunGroup& group) {
  return group.key.reduced() ? " (" + training_text(group.key) + ")" : "";
}

/// The mark that all have alike, for the title of a chart.
std::string common_mark(const Groups& groups) {
  if (groups.empty()) return "";
  const std::string mark = mark_of(*groups.front());
  const bool alike = std::all_of(groups.begin(), groups.end(),
                                 [&](const RunGroup* group) { return mark_of(*group) == mark; });
  return alike ? mark : "";
}

std::string point_title(const RunGroup& group) {
  return group_label(group) + mark_of(group) + "\n" + mean_text(group, " ± ");
}

// Learning curves.

/// The mean over the runs at each epoch; where runs end earlier than others, over those that are left.
std::vector<double> mean_curve(const RunGroup& group, const std::string& name) {
  std::vector<double> sum;
  std::vector<int> count;
  for (const FitRecord* run : group.runs) {
    const auto found = run->curve.find(name);
    if (found == run->curve.end()) continue;
    const std::vector<double>& curve = found->second;
    sum.resize(std::max(sum.size(), curve.size()), 0.0);
    count.resize(sum.size(), 0);
    for (std::size_t e = 0; e < curve.size(); ++e) {
      if (!std::isfinite(curve[e])) continue;
      sum[e] += curve[e];
      ++count[e];
    }
  }
  for (std::size_t e = 0; e < sum.size(); ++e) sum[e] = count[e] > 0 ? sum[e] / count[e] : NAN;
  return sum;
}

/// Of each model the depth that is best on the validation part.
Groups best_depths(const Groups& groups) {
  Groups best;
  for (const RunGroup* group : groups) {
    const auto same = std::find_if(best.begin(), best.end(), [&](const RunGroup* other) {
      return other->key.model == group->key.model;
    });
    if (same == best.end()) {
      best.push_back(group);
    } else if (lower_is_better(group->metric) ? group->val.mean < (*same)->val.mean
                                              : group->val.mean > (*same)->val.mean) {
      *same = group;
    }
  }
  return best;
}

Chart curve_chart(const Groups& groups, const std::string& name, const std::string& title,
                  const std::string& label, bool as_score) {
  const std::string mark = common_mark(groups);
  Chart chart{title + mark, {"epoch", false, true}, {label, false, false}, true, false, {}};
  for (const RunGroup* group : groups) {
    const std::vector<double> curve = mean_curve(*group, name);
    if (curve.empty()) continue;
    const std::string own_mark = mark.empty() ? mark_of(*group) : "";
    ChartSeries series{
        model_label(group->key.model) + own_mark, model_style(group->key.model), 0, {}};
    for (std::size_t e = 0; e < curve.size(); ++e)
      series.points.push_back({static_cast<double>(e + 1),
                               as_score ? shown_score(group->metric, curve[e]) : curve[e],
                               0,
                               {}});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// Depth.

Chart depth_chart(const Groups& groups, const std::string& title) {
  Chart chart{title + common_mark(groups), {"layers or levels", false, true}, {}, true, true, {}};
  std::map<std::string, std::map<int, const RunGroup*>> by_model;
  for (const RunGroup* group : groups) by_model[group->key.model][group->key.depth] = group;
  for (const PaperModel& model : paper_models()) {
    const auto found = by_model.find(model.name);
    if (found == by_model.end()) continue;
    ChartSeries series{model.label, model_style(model.name), 0, {}};
    for (const auto& [depth, group] : found->second) {
      chart.y.label = "test " + metric_label(group->metric);
      series.points.push_back(
          {static_cast<double>(depth), shown_score(group->metric, group->test.mean),
           shown_score(group->metric, group->test.deviation), point_title(*group)});
    }
    chart.series.push_back(std::move(series));
  }
  const bool several = std::any_of(chart.series.begin(), chart.series.end(),
                                   [](const ChartSeries& s) { return s.points.size() > 1; });
  if (!several) chart.series.clear();
  return chart;
}

// Time.

Chart time_chart(const Groups& groups, const std::string& title) {
  Chart chart{
      title + common_mark(groups), {"training time of a run, s", true, false}, {}, false, true, {}};
  for (const RunGroup* group : groups) {
    if (group->train_seconds.count == 0) continue;
    chart.y.label = "test " + metric_label(group->metric);
    const std::string name = model_label(group->key.model);
    auto series = std::find_if(chart.series.begin(), chart.series.end(),
                               [&](const ChartSeries& s) { return s.name == name; });
    if (series == chart.series.end())
      series =
          chart.series.insert(chart.series.end(), {name, model_style(group->key.model), 0, {}});
    series->points.push_back(
        {group->train_seconds.mean, shown_score(group->metric, group->test.mean), 0,
         point_title(*group) + "\n" +
             short_number(std::round(group->train_seconds.mean * 10) / 10) + " s per run"});
  }
  return chart;
}

// Probes.

/// " (40 epochs)" for a model of the paper's that was to be trained for fewer than there.
std::string short_training(const std::string& dataset, int epochs) {
  GroupKey key;
  if (!paper_split(dataset).empty() && epochs < paper_epochs(dataset)) key.shortened = epochs;
  return key.reduced() ? " (" + training_text(key) + ")" : "";
}

/// The mean over seeds and folds at each distance.
std::map<double, double> mean_influence(const std::vector<const ProbeRecord*>& probes) {
  std::map<double, std::vector<double>> at;
  for (const ProbeRecord* probe : probes) {
    for (std::size_t i = 0; i < probe->distance.size(); ++i)
      at[probe->distance[i]].push_back(probe->influence[i]);
  }
  std::map<double, double> mean;
  for (const auto& [distance, values] : at) mean[distance] = summary_of(values).mean;
  return mean;
}

}  // namespace

std::string learning_curves_section(std::span<const ResultTable> tables) {
  ChartSection section(
      "curves", "Learning curves",
      "Means over the runs at each epoch; of each model the depth that is best on validation.",
      ChartSection::Headings::kFolded);
  for (const ResultTable& table : tables) {
    section.head(table.title);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Groups groups = best_depths(column_groups(table, c));
      const std::string label = column_label(table, table.columns[c]);
      section.add(
          curve_chart(groups, "train_loss", label + ": training loss", "training loss", false));
      section.add(curve_chart(groups, "val", label + ": validation",
                              "validation " + metric_label(column_metric(table, c)), true));
    }
  }
  return section.html();
}

std::string depth_section(std::span<const ResultTable> tables) {
  ChartSection section(
      "depth", "Score against depth",
      "Layers of flat models, levels of hierarchical ones. Bars are standard deviations.",
      ChartSection::Headings::kOpen);
  for (const ResultTable& table : tables) {
    if (!table.with_depth) continue;
    section.head(table.title);
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      section.add(depth_chart(column_groups(table, c), column_label(table, table.columns[c])));
  }
  return section.html();
}

std::string time_section(std::span<const ResultTable> tables) {
  ChartSection section("time", "Score against training time",
                       "A mark for each model and depth; the time is the mean over its runs, "
                       "without loading and evaluation.",
                       ChartSection::Headings::kOpen);
  for (const ResultTable& table : tables) {
    section.head(table.title);
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      section.add(time_chart(column_groups(table, c), column_label(table, table.columns[c])));
  }
  return section.html();
}

std::string probe_section(const Results& results) {
  ChartSection section("probes", "How far a model sees",
                       "Influence of a node's input on another node's result (mean absolute "
                       "Jacobian), by the distance between "
                       "them in the graph. Where a line ends there is no influence further on.",
                       ChartSection::Headings::kOpen);
  using ByDepth = std::map<std::pair<int, int>, std::vector<const ProbeRecord*>>;  // and epochs
  std::map<std::string, std::map<std::pair<int, std::string>, ByDepth>>
      by_dataset;  // then by style and model
  for (const ProbeRecord& probe : results.probes())
    by_dataset[probe.dataset][{model_style(probe.model), probe.model}][{probe.depth, probe.epochs}]
        .push_back(&probe);
  for (const auto& [dataset, by_model] : by_dataset) {
    std::set<std::string> marks;
    for (const auto& [model, by_depth] : by_model) {
      for (const auto& [depth_epochs, probes] : by_depth)
        marks.insert(short_training(dataset, depth_epochs.second));
    }
    const std::string mark = marks.size() == 1 ? *marks.begin() : "";
    Chart chart{dataset_label(dataset) + mark,
                {"distance", false, true},
                {"mean absolute Jacobian", true, false},
                true,
                true,
                {}};
    for (const auto& [model, by_depth] : by_model) {
      int dash = 0;
      for (const auto& [depth_epochs, probes] : by_depth) {
        const auto& [depth, epochs] = depth_epochs;
        const TableRow row{model.second, depth > 0 ? std::optional(depth) : std::nullopt};
        const std::string own_mark = mark.empty() ? short_training(dataset, epochs) : "";
        ChartSeries series{row_label(row) + own_mark, model.first, dash++ % 3, {}};
        for (const auto& [distance, influence] : mean_influence(probes))
          series.points.push_back({distance, influence, 0,
                                   series.name + "\ndistance " + short_number(distance) + ": " +
                                       short_number(influence)});
        chart.series.push_back(std::move(series));
      }
    }
    section.add(chart);
  }
  return section.html();
}

}  // namespace hgnet
