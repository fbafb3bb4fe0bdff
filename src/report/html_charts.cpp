// Charts of the fits: learning curves, depth, time, probes.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/text.hpp"
#include "hgnet/report/chart.hpp"
#include "report/figure_text.hpp"
#include "report/html_parts.hpp"

namespace hgnet {
namespace {

using Groups = std::vector<const FitGroup*>;

/// Charts under a heading, or without one.
struct ChartRow {
  std::string heading;
  std::vector<Chart> charts;
};

/// The series of all charts, each listed once.
Markup legend(const std::vector<ChartRow>& rows) {
  std::vector<const ChartSeries*> all;
  for (const ChartRow& row : rows) {
    for (const Chart& chart : row.charts) {
      for (const ChartSeries& series : chart.series) {
        const auto same = [&](const ChartSeries* other) { return other->name == series.name; };
        if (std::none_of(all.begin(), all.end(), same)) all.push_back(&series);
      }
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const ChartSeries* a, const ChartSeries* b) { return a->style < b->style; });
  Markup out;
  for (const ChartSeries* series : all)
    out += markup("<li data-name=\"{}\">{}{}</li>\n", series->name, Markup{swatch_svg(*series)},
                  series->name);
  return out;
}

/// `folded`: all rows but the first are folded. `head` is everything up to the legend.
Markup chart_section(const Markup& head, const std::vector<ChartRow>& rows, bool folded = false) {
  Markup body;
  for (const ChartRow& row : rows) {
    Markup figures;
    for (const Chart& chart : row.charts) {
      if (!chart.series.empty())
        figures += markup("<figure><figcaption>{}</figcaption>\n{}</figure>\n", chart.title,
                          Markup{chart_svg(chart)});
    }
    if (figures.empty()) continue;
    figures = markup("<div class=\"charts\">\n{}</div>\n", figures);
    body += row.heading.empty()
                ? figures
                : markup("<details{}><summary>{}</summary>\n{}</details>\n",
                         folded && !body.empty() ? "" : " open", row.heading, figures);
  }
  if (body.empty()) return {};
  return markup("{}<ul class=\"legend\">\n{}</ul>\n{}</section>\n", head, legend(rows), body);
}

/// For every table, the charts that `draw` makes from its columns and the groups in their cells.
template <class Draw>
std::vector<ChartRow> rows_of(std::span<const ResultTable> tables, const Draw& draw) {
  std::vector<ChartRow> rows;
  for (const ResultTable& table : tables) {
    if (table.is_list()) continue;  // its groups are not to be compared
    ChartRow& row = rows.emplace_back(ChartRow{table.layout.title, {}});
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].shown == Shown::kTest)
        draw(row.charts, table.groups(c), table.columns[c]);
    }
  }
  return rows;
}

/// " (40 epochs)", " (quick)", or nothing for full fits.
std::string training_mark(const GroupKey& key) {
  return key.reduced() ? " (" + training_text(key) + ")" : "";
}

/// What all groups have in common, for the title of a chart.
std::string common_mark(const Groups& groups) {
  std::set<std::string> marks;
  for (const FitGroup* group : groups) marks.insert(training_mark(group->key));
  return marks.size() == 1 ? *marks.begin() : "";
}

/// The model's series; added if the chart has none yet.
ChartSeries& model_series(Chart& chart, const FitGroup& group, const Catalogue& catalogue,
                          const std::string& mark = "") {
  const std::string& variant = group.key.variant;
  const std::string name =
      catalogue.model_label(group.key.model) + (variant.empty() ? "" : " (" + variant + ")") + mark;
  for (ChartSeries& series : chart.series) {
    if (series.name == name) return series;
  }
  return chart.series.emplace_back(ChartSeries{name, catalogue.style(group.key.model), 0, {}});
}

/// A marker at the group's mean.
ChartPoint mean_point(const FitGroup& group, double x, double deviation = 0) {
  return {x, shown_score(group.metric, group.test.mean), shown_score(group.metric, deviation),
          group.label + training_mark(group.key) + "\n" + mean_text(group)};
}

/// The mean over the fits at each epoch; after some fits have ended, over the remaining ones.
std::vector<double> mean_curve(const FitGroup& group, const std::string& name) {
  std::vector<std::vector<double>> at;
  for (const FitRecord* fit : group.fits) {
    const auto found = fit->curve.find(name);
    if (found == fit->curve.end()) continue;
    at.resize(std::max(at.size(), found->second.size()));
    for (std::size_t e = 0; e < found->second.size(); ++e) at[e].push_back(found->second[e]);
  }
  std::vector<double> means;
  for (const std::vector<double>& values : at) {
    const Summary summary = summary_of(values);
    means.push_back(summary.count > 0 ? summary.mean : NAN);
  }
  return means;
}

/// For each model, the depth that is best on the validation part.
Groups best_depths(const Groups& groups) {
  Groups best;
  for (const FitGroup* group : groups) {
    const auto same = std::find_if(best.begin(), best.end(), [&](const FitGroup* other) {
      return other->key.model == group->key.model && other->key.variant == group->key.variant;
    });
    const double sign = lower_is_better(group->metric) ? -1 : 1;
    if (same == best.end()) {
      best.push_back(group);
    } else if (sign * group->val.mean > sign * (*same)->val.mean) {
      *same = group;
    }
  }
  return best;
}

Chart curve_chart(const Groups& groups, const Catalogue& catalogue, const std::string& name,
                  const std::string& title, const std::string& label) {
  const std::string mark = common_mark(groups);
  Chart chart{title + mark, {"epoch", false, true}, {label, false, false}, true, false, {}};
  for (const FitGroup* group : groups) {
    const std::vector<double> curve = mean_curve(*group, name);
    if (curve.empty()) continue;
    const std::string own = mark.empty() ? training_mark(group->key) : "";
    auto& points = model_series(chart, *group, catalogue, own).points;
    for (std::size_t e = 0; e < curve.size(); ++e) {
      const double value = name == "val" ? shown_score(group->metric, curve[e]) : curve[e];
      points.push_back({static_cast<double>(e + 1), value, 0, {}});
    }
  }
  return chart;
}

/// Test scores against something, for the groups of a column.
Chart score_chart(const Groups& groups, const TableColumn& column, const ChartAxis& x, bool lines) {
  return {column.full_label() + common_mark(groups),
          x,
          {"test " + metric_label(column.metric), false, false},
          lines,
          true,
          {}};
}

/// Edges of the input graph that a model's layers span at least: a layer or round each; through L
/// levels and back, 2L + 1 layers.
double least_hops(const GroupKey& key) {
  return is_hierarchical(key.model) ? 2 * key.depth + 1 : key.depth;
}

/// Empty if no model has two depths.
Chart depth_chart(Groups groups, const TableColumn& column, const Catalogue& catalogue,
                  bool over_hops = false) {
  Chart chart = score_chart(groups, column,
                            {over_hops ? "hops, at least" : "layers or levels", false, true}, true);
  std::stable_sort(groups.begin(), groups.end(), [&](const FitGroup* a, const FitGroup* b) {
    return std::pair(catalogue.style(a->key.model), a->key.depth) <
           std::pair(catalogue.style(b->key.model), b->key.depth);
  });
  bool several = false;
  for (const FitGroup* group : groups) {
    auto& points = model_series(chart, *group, catalogue).points;
    const double x = over_hops ? least_hops(group->key) : group->key.depth;
    points.push_back(mean_point(*group, x, group->test.deviation));
    several = several || points.size() > 1;
  }
  if (!several) chart.series.clear();
  return chart;
}

Chart time_chart(const Groups& groups, const TableColumn& column, const Catalogue& catalogue) {
  Chart chart = score_chart(groups, column, {"training time of a fit, s", true, false}, false);
  for (const FitGroup* group : groups) {
    if (group->train_seconds.count == 0) continue;
    const double seconds = group->train_seconds.mean;
    ChartPoint point = mean_point(*group, seconds);
    point.title.append("\n").append(short_number(std::round(seconds * 10) / 10)) += " s per fit";
    model_series(chart, *group, catalogue).points.push_back(std::move(point));
  }
  return chart;
}

/// What is drawn as one line: a model at one depth, trained the same way.
struct Probed {
  int style = 0;
  std::string model;
  int depth = 0;
  int epochs = 0;

  auto operator<=>(const Probed&) const = default;
};

using Influence = std::map<double, std::vector<double>>;  // by distance, over seeds and folds

Chart probe_chart(const std::string& dataset, const std::map<Probed, Influence>& probes,
                  const Catalogue& catalogue) {
  const Catalogue::Data* data = catalogue.data(dataset);
  std::map<Probed, std::string> marks;
  std::set<std::string> different;
  for (const auto& [probed, influence] : probes) {
    GroupKey key;
    if (data != nullptr && probed.epochs < data->epochs) key.shortened = probed.epochs;
    different.insert(marks[probed] = training_mark(key));
  }
  const std::string common = different.size() == 1 ? *different.begin() : "";
  Chart chart{catalogue.dataset_label(dataset) + common,
              {"distance", false, true},
              {"mean absolute Jacobian", true, false},
              true,
              true,
              {}};
  std::map<std::string, int> dashes;  // by model
  for (const auto& [probed, influence] : probes) {
    const std::string label = catalogue.model_label(probed.model);
    ChartSeries series{
        depth_label(label, probed.model, probed.depth) + (common.empty() ? marks[probed] : ""),
        probed.style,
        dashes[probed.model]++ % 3,
        {}};
    for (const auto& [distance, values] : influence) {
      const double mean = summary_of(values).mean;
      series.points.push_back(
          {distance, mean, 0,
           series.name + "\ndistance " + short_number(distance) + ": " + short_number(mean)});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

Markup learning_curves_section(std::span<const ResultTable> tables, const Catalogue& catalogue) {
  const auto draw = [&](std::vector<Chart>& charts, const Groups& all, const TableColumn& column) {
    const Groups groups = best_depths(all);
    const std::string label = column.full_label();
    charts.push_back(
        curve_chart(groups, catalogue, "train_loss", label + ": training loss", "training loss"));
    charts.push_back(curve_chart(groups, catalogue, "val", label + ": validation",
                                 "validation " + metric_label(column.metric)));
  };
  return chart_section(markup(R"(<section id="curves" class="charted pairs">
<h2>Learning curves</h2>
<p class="caption">Means over the fits at each epoch, for the depth of each model that is best on validation.</p>
)"),
                       rows_of(tables, draw), true);
}

Markup depth_section(std::span<const ResultTable> tables, const Catalogue& catalogue) {
  const auto draw = [&](std::vector<Chart>& charts, const Groups& groups,
                        const TableColumn& column) {
    charts.push_back(depth_chart(groups, column, catalogue));
  };
  return chart_section(markup(R"(<section id="depth" class="charted">
<h2>Score against depth</h2>
<p class="caption">Layers of flat models, levels of hierarchical ones. Bars are standard deviations.</p>
)"),
                       rows_of(tables, draw));
}

Markup hops_section(std::span<const ResultTable> tables, const Catalogue& catalogue) {
  std::vector<ChartRow> rows;
  for (const ResultTable& table : tables) {
    if (!table.layout.over_hops) continue;
    ChartRow& row = rows.emplace_back(ChartRow{table.layout.title, {}});
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      row.charts.push_back(depth_chart(table.groups(c), table.columns[c], catalogue, true));
  }
  return chart_section(markup(R"(<section id="hops" class="charted">
<h2>Score against hops</h2>
<p class="caption">A layer of a flat model and a round of counts span an edge each. An HGNet of L levels has 2L + 1 layers on
its way to the top and back, and those on coarse levels span several edges.</p>
)"),
                       rows);
}

Markup time_section(std::span<const ResultTable> tables, const Catalogue& catalogue) {
  const auto draw = [&](std::vector<Chart>& charts, const Groups& groups,
                        const TableColumn& column) {
    charts.push_back(time_chart(groups, column, catalogue));
  };
  return chart_section(markup(R"(<section id="time" class="charted">
<h2>Score against training time</h2>
<p class="caption">One marker per model and depth; the time is the mean over its fits, without loading and
evaluation.</p>
)"),
                       rows_of(tables, draw));
}

Markup probe_section(const Results& results) {
  const Catalogue& catalogue = results.catalogue();
  std::map<std::string, std::map<Probed, Influence>> by_dataset;
  for (const ProbeRecord& probe : results.probes()) {
    Influence& influence = by_dataset[probe.dataset][{catalogue.style(probe.model), probe.model,
                                                      probe.depth, probe.epochs}];
    for (std::size_t i = 0; i < probe.distance.size(); ++i)
      influence[probe.distance[i]].push_back(probe.influence[i]);
  }
  ChartRow row;
  for (const auto& [dataset, probes] : by_dataset)
    row.charts.push_back(probe_chart(dataset, probes, catalogue));
  return chart_section(markup(R"(<section id="probes" class="charted">
<h2>How far a model sees</h2>
<p class="caption">Influence of a node's input on another node's output (mean absolute Jacobian), by the distance
between them in the graph. Beyond the end of a line there is no influence.</p>
)"),
                       {row});
}

}  // namespace hgnet
