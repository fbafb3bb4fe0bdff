// Charts of the fits: score against depth, hops and time; learning curves; probes.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "hgnet/core/text.hpp"
#include "hgnet/report/chart.hpp"
#include "report/html_parts.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

/// Charts under a heading, or without one.
struct ChartRow {
  std::string heading;
  std::vector<Chart> charts;
};

/// The series of all charts, each listed once.
Markup legend(const std::vector<ChartRow>& rows) {
  std::vector<const ChartSeries*> all;
  std::set<std::string> listed;
  for (const ChartRow& row : rows) {
    for (const Chart& chart : row.charts) {
      for (const ChartSeries& series : chart.series) {
        if (listed.insert(series.name).second) all.push_back(&series);
      }
    }
  }
  std::ranges::stable_sort(all, {}, &ChartSeries::style);
  return each(all, [](const ChartSeries* series) {
    return markup("<li data-name=\"{}\">{}{}</li>\n", series->name, Markup{swatch_svg(*series)},
                  series->name);
  });
}

/// With a legend; empty if nothing is drawn. `folded`: all rows but the first are folded.
Markup chart_rows(const std::vector<ChartRow>& rows, bool folded = false) {
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
  return markup("<ul class=\"legend\">\n{}</ul>\n{}", legend(rows), body);
}

/// For every table, the charts that `draw` makes of its columns of test scores.
template <class Draw>
std::vector<ChartRow> rows_of(std::span<const ResultTable> tables, const Draw& draw) {
  std::vector<ChartRow> rows;
  for (const ResultTable& table : tables) {
    if (table.is_list()) continue;  // its groups are not to be compared
    ChartRow& row = rows.emplace_back(ChartRow{table.layout.title, {}});
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].shown != Shown::kTest) continue;
      for (Chart& chart : draw(table, c)) row.charts.push_back(std::move(chart));
    }
  }
  return rows;
}

/// " (40 epochs)", " (quick)", or nothing for full fits.
std::string mark_of(const FitGroup* group) { return bracketed(training_text(group->key)); }

/// The mark that all have in common, for the title of a chart.
template <class Items, class Mark>
std::string common_mark(const Items& items, const Mark& mark) {
  std::set<std::string> marks;
  for (const auto& item : items) marks.insert(mark(item));
  return marks.size() == 1 ? *marks.begin() : "";
}

/// The model's series; added if the chart has none yet.
ChartSeries& model_series(Chart& chart, const FitGroup& group, const Catalogue& catalogue,
                          const std::string& mark = "") {
  const std::string name =
      catalogue.model_label(group.key.model) + bracketed(group.key.variant) + mark;
  for (ChartSeries& series : chart.series) {
    if (series.name == name) return series;
  }
  return chart.series.emplace_back(ChartSeries{name, catalogue.style(group.key.model)});
}

/// What test scores are drawn against.
struct Against {
  ChartAxis x;
  double (*place)(const FitGroup& group);  // along x; NaN: nowhere
  bool over_depths = true;  // lines, with deviations, for models of several depths; else markers
  bool when_asked = false;  // only for tables that ask for hops
  const char* unit = "";    // if not empty, the place is shown too
};

double depth_of(const FitGroup& group) { return group.key.depth; }

/// Edges of the input graph that a model's layers span at least: a layer or round each; through L
/// levels and back, 2L + 1 layers.
double least_hops(const FitGroup& group) {
  return is_hierarchical(group.key.model) ? 2 * depth_of(group) + 1 : depth_of(group);
}

double seconds_per_fit(const FitGroup& group) {
  return group.train_seconds.count > 0 ? group.train_seconds.mean : NAN;
}

/// Without series if it is about depths and no model has two.
Chart score_chart(FitGroups groups, const TableColumn& column, const Catalogue& catalogue,
                  const Against& against) {
  Chart chart{column.full_label() + common_mark(groups, mark_of),
              against.x,
              {"test " + metric_label(column.metric)},
              against.over_depths};
  if (against.over_depths)
    std::ranges::stable_sort(groups, {}, [&](const FitGroup* group) {
      return std::pair(catalogue.style(group->key.model), group->key.depth);
    });
  bool several = !against.over_depths;
  for (const FitGroup* group : groups) {
    const double x = against.place(*group);
    if (std::isnan(x)) continue;
    ChartPoint point{x, shown_score(group->metric, group->test.mean)};
    if (against.over_depths) point.deviation = shown_score(group->metric, group->test.deviation);
    point.title = group->label + mark_of(group) + "\n" + group->test_text();
    if (*against.unit != 0)
      point.title += "\n" + short_number(std::round(x * 10) / 10) + against.unit;
    auto& points = model_series(chart, *group, catalogue).points;
    points.push_back(std::move(point));
    several = several || points.size() > 1;
  }
  if (!several) chart.series.clear();
  return chart;
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
FitGroups best_depths(const FitGroups& groups) {
  FitGroups best;
  for (const FitGroup* group : groups) {
    const auto same = std::ranges::find_if(best, [&](const FitGroup* other) {
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

Chart curve_chart(const FitGroups& groups, const Catalogue& catalogue, const std::string& name,
                  const std::string& title, const std::string& label) {
  const std::string mark = common_mark(groups, mark_of);
  Chart chart{title + mark, {"epoch", false, true}, {label}, true, false};
  for (const FitGroup* group : groups) {
    const std::vector<double> curve = mean_curve(*group, name);
    if (curve.empty()) continue;
    auto& points =
        model_series(chart, *group, catalogue, mark.empty() ? mark_of(group) : "").points;
    for (std::size_t e = 0; e < curve.size(); ++e)
      points.push_back({static_cast<double>(e + 1),
                        name == "val" ? shown_score(group->metric, curve[e]) : curve[e]});
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
  const auto mark = [&](const auto& item) {
    const int epochs = item.first.epochs;
    const bool shortened = data != nullptr && epochs > 0 && epochs < data->epochs;
    return shortened ? bracketed(counted(epochs, "epoch")) : "";
  };
  const std::string common = common_mark(probes, mark);
  Chart chart{catalogue.dataset_label(dataset) + common,
              {"distance", false, true},
              {"mean absolute Jacobian", true}};
  std::map<std::string, int> dashes;  // by model
  for (const auto& probe : probes) {
    const auto& [probed, influence] = probe;
    const std::string label =
        depth_label(catalogue.model_label(probed.model), probed.model, probed.depth);
    ChartSeries& series = chart.series.emplace_back(ChartSeries{
        label + (common.empty() ? mark(probe) : ""), probed.style, dashes[probed.model]++ % 3});
    for (const auto& [distance, values] : influence) {
      const double mean = summary_of(values).mean;
      series.points.push_back(
          {distance, mean, 0,
           series.name + "\ndistance " + short_number(distance) + ": " + short_number(mean)});
    }
  }
  return chart;
}

Markup score_charts(std::span<const ResultTable> tables, const Catalogue& catalogue,
                    const Against& against) {
  return chart_rows(rows_of(tables, [&](const ResultTable& table, std::size_t c) {
    const bool drawn = table.layout.over_hops || !against.when_asked;
    return std::vector{
        score_chart(drawn ? table.groups(c) : FitGroups(), table.columns[c], catalogue, against)};
  }));
}

Markup learning_curves(std::span<const ResultTable> tables, const Catalogue& catalogue) {
  const auto draw = [&](const ResultTable& table, std::size_t c) {
    const FitGroups groups = best_depths(table.groups(c));
    const std::string label = table.columns[c].full_label();
    return std::vector{
        curve_chart(groups, catalogue, "train_loss", label + ": training loss", "training loss"),
        curve_chart(groups, catalogue, "val", label + ": validation",
                    "validation " + metric_label(table.columns[c].metric))};
  };
  return chart_rows(rows_of(tables, draw), true);
}

Markup probe_charts(const Results& results) {
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
  return chart_rows({row});
}

}  // namespace

std::vector<ChartSection> chart_sections(std::span<const ResultTable> tables,
                                         const Results& results) {
  const auto scores = [&](const Against& against) {
    return score_charts(tables, results.catalogue(), against);
  };
  return {
      {"depth", "Depth", scores({{"layers or levels", false, true}, depth_of})},
      {"hops", "Hops", scores({{"hops, at least", false, true}, least_hops, true, true})},
      {"time", "Time",
       scores({{"training time of a fit, s", true}, seconds_per_fit, false, false, " s per fit"})},
      {"curves", "Learning curves", learning_curves(tables, results.catalogue())},
      {"probes", "Probes", probe_charts(results)}};
}

}  // namespace hgnet
