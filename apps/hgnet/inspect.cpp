// hgnet inspect: prints the contents of a data set.

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "commands.hpp"
#include "hgnet/config/edge_use.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/data/column_statistics.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/data/statistics.hpp"
#include "hgnet/settings/reading.hpp"
#include "suggest.hpp"

namespace hgnet::app {
namespace {

struct InspectArguments {
  std::string dataset;
  std::string split;
  std::uint64_t split_seed = 0;
  int fold = 0;
  LoadOptions load;
  std::string targets = "auto";
  std::string reading = "as-written";
  std::string directed = "error";
  std::string edge_features = "auto";
  bool json = false;
};

/// The requested split; without a request, the one that comes with the data, if it is a single
/// split.
std::optional<std::pair<std::string, Split>> split_of(const Dataset& dataset,
                                                      const InspectArguments& options) {
  const std::string name = options.split.empty() ? default_split(dataset) : options.split;
  if (options.split.empty() && !dataset.splits.contains(name)) return std::nullopt;
  return std::pair(name, choose_split(dataset, name, options.split_seed, options.fold));
}

std::string task_name(const Dataset& dataset) {
  const std::string what = dataset.task == Task::kNode ? "node" : "graph";
  if (dataset.num_classes() == 0 && dataset.num_tasks == 0) return what + "s without labels";
  switch (dataset.target_kind) {
    case TargetKind::kClasses: return what + " classification";
    case TargetKind::kMultiLabel: return what + " multi-label classification";
    case TargetKind::kRegression: return what + " regression";
  }
  return what;
}

std::string feature_kind(const Dataset& dataset) {
  if (std::holds_alternative<DenseRows>(dataset.features)) return "dense";
  if (std::holds_alternative<SparseMatrix>(dataset.features)) return "sparse";
  if (std::holds_alternative<CategoricalRows>(dataset.features)) return "categorical";
  if (std::holds_alternative<ColumnRows>(dataset.features)) return "columns";
  return "bits";
}

/// One yes-or-no task has two classes; of several tasks, each counts as one.
std::int64_t class_count(const Dataset& dataset) {
  switch (dataset.target_kind) {
    case TargetKind::kClasses: return dataset.num_classes();
    case TargetKind::kMultiLabel: return dataset.num_tasks == 1 ? 2 : dataset.num_tasks;
    case TargetKind::kRegression: return 0;
  }
  return 0;
}

/// For several tasks, the number of samples with "yes" in each.
nlohmann::json label_counts(const DatasetStatistics& statistics) {
  if (statistics.labels.size() == 1) return statistics.labels.front().by_label;
  nlohmann::json counts = nlohmann::json::array();
  for (const LabelCounts& task : statistics.labels) counts.push_back(task.by_label.at(1));
  return counts;
}

std::int64_t unlabelled(const DatasetStatistics& statistics) {
  std::int64_t count = 0;
  for (const LabelCounts& task : statistics.labels) count += task.unlabelled;
  return count;
}

/// The models, by name, for which `reads` holds.
std::string models_that(bool (*reads)(const ModelConfig&)) {
  std::string names;
  std::size_t count = 0;
  for (const std::string& name : model_names()) {
    if (!reads(model_defaults(name))) continue;
    names += (names.empty() ? "" : ", ") + name;
    ++count;
  }
  return count == 0 ? "none: ignored" : count == model_names().size() ? "every model" : names;
}

nlohmann::ordered_json to_json(const ColumnStatistics& column, const std::string& used_by) {
  nlohmann::ordered_json result{{"name", column.name},
                                {"kind", enum_name(column.kind)},
                                {"cells", column.cells},
                                {"missing", column.missing}};
  if (column.kind == ColumnKind::kCategory) {
    result["categories"] = column.categories;
    result["counts"] = column.counts;
  } else if (column.missing < column.cells) {
    result["low"] = column.low;
    result["high"] = column.high;
    result["mean"] = column.mean;
    result["deviation"] = column.deviation;
  }
  if (!used_by.empty()) result["used_by"] = used_by;
  return result;
}

/// A column of a table, and which models use it.
struct ColumnUse {
  ColumnStatistics column;
  std::string of;  // "node" or "edge"
  std::string used_by;
};

std::vector<ColumnUse> columns_of(const Dataset& dataset, EdgeFeatures use) {
  const bool edges_used = are_molecules(dataset) || use == EdgeFeatures::kUse ||
                          (use == EdgeFeatures::kAuto && dataset.own);
  std::vector<ColumnUse> result;
  for (const ColumnStatistics& column : node_statistics(dataset))
    result.push_back({column, "node", "every model"});
  const std::vector<ColumnStatistics> edges = edge_statistics(dataset);
  for (std::size_t c = 0; c < edges.size(); ++c) {
    const bool weight = c + dataset.edge_columns.size() < edges.size();
    result.push_back({edges[c], "edge",
                      weight       ? models_that(reads_edge_weights)
                      : edges_used ? models_that(takes_edge_rows)
                                   : "none: ignored without --edge-features use"});
  }
  return result;
}

nlohmann::ordered_json to_json(const Dataset& dataset, EdgeFeatures edge_features,
                               const DatasetStatistics& statistics,
                               const std::optional<std::pair<std::string, Split>>& split) {
  nlohmann::ordered_json result{
      {"name", dataset.name},
      {"task", task_name(dataset)},
      {"graphs", statistics.graphs},
      {"nodes", statistics.nodes},
      {"edges", statistics.edges},
      {"self_loops", statistics.self_loops},
      {"isolated_nodes", statistics.isolated_nodes},
      {"max_degree", statistics.max_degree},
      {"diameter", statistics.diameter.low},
      {"diameter_exact", statistics.diameter.exact()},
      {"features", dataset.num_features()},
      {"feature_kind", feature_kind(dataset)},
      {"edge_features", dataset.graphs.empty() ? 0 : dataset.graphs.front().edge_row_width()},
      {"classes", class_count(dataset)},
      {"tasks", std::max<std::int64_t>(1, dataset.num_tasks)},
      {"class_names", dataset.class_names},
      {"label_counts", label_counts(statistics)},
      {"unlabelled", unlabelled(statistics)},
      {"notes", dataset.notes}};
  for (const ColumnUse& use : columns_of(dataset, edge_features))
    result[use.of + "_columns"].push_back(to_json(use.column, use.used_by));
  for (const ColumnStatistics& target : target_statistics(dataset))
    result["targets"].push_back(to_json(target, ""));
  if (statistics.homophily) result["homophily"] = *statistics.homophily;
  if (!dataset.facts.empty()) result["facts"] = dataset.facts;
  nlohmann::json names = nlohmann::json::array();
  for (const auto& [name, parts] : dataset.splits) names.push_back(name);
  result["splits"] = names;
  if (split) {
    result["split"] = split->first;
    result["train"] = split->second.train.size();
    result["val"] = split->second.val.size();
    result["test"] = split->second.test.size();
  }
  return result;
}

void print_line(const char* what, const std::string& value) {
  std::cout << std::left << std::setw(16) << what << value << "\n";
}

std::string per_graph(std::int64_t count, std::int64_t graphs) {
  if (graphs <= 1) return std::to_string(count);
  std::ostringstream text;
  text << count << std::fixed << std::setprecision(2) << " ("
       << static_cast<double>(count) / static_cast<double>(graphs) << " per graph)";
  return text.str();
}

std::string label_text(const Dataset& dataset, const DatasetStatistics& statistics) {
  std::string text;
  if (statistics.labels.size() == 1) {
    const std::vector<std::int64_t>& counts = statistics.labels.front().by_label;
    for (std::size_t c = 0; c < counts.size(); ++c) {
      const std::string name =
          c < dataset.class_names.size() ? dataset.class_names[c] : std::to_string(c);
      text += (text.empty() ? "" : ", ") + name + ": " + std::to_string(counts[c]);
    }
  } else {
    for (std::size_t t = 0; t < statistics.labels.size(); ++t) {
      const std::string name =
          t < dataset.target_names.size() ? dataset.target_names[t] + ": " : "";
      text +=
          (text.empty() ? "" : ", ") + name + std::to_string(statistics.labels[t].by_label.at(1));
    }
  }
  return text;
}

std::string diameter_text(const Bounds& diameter) {
  if (diameter.exact()) return std::to_string(diameter.low);
  return "at least " + std::to_string(diameter.low) + ", at most " + std::to_string(diameter.high);
}

/// "1.5 to 7, mean 3, deviation 2", or counts of categories.
std::string range_text(const ColumnStatistics& column) {
  std::ostringstream text;
  if (column.kind == ColumnKind::kCategory) {
    constexpr std::size_t kShown = 5;
    for (std::size_t c = 0; c < std::min(kShown, column.categories.size()); ++c)
      text << (c > 0 ? ", " : "") << column.categories[c] << ": " << column.counts[c];
    if (column.categories.size() > kShown)
      text << ", " << column.categories.size() - kShown << " more";
  } else if (column.missing < column.cells) {
    text << column.low << " to " << column.high << ", mean " << column.mean << ", deviation "
         << column.deviation;
  }
  if (column.missing > 0) text << (text.tellp() > 0 ? "; " : "") << column.missing << " missing";
  return text.str();
}

void print_columns(const Dataset& dataset, EdgeFeatures edge_features) {
  for (const ColumnUse& use : columns_of(dataset, edge_features)) {
    print_line((use.of + " column").c_str(),
               use.column.name + " (" + std::string(enum_name(use.column.kind)) + ": " +
                   range_text(use.column) + "), used by " + use.used_by);
  }
  for (const ColumnStatistics& target : target_statistics(dataset))
    print_line("target", target.name + " (" + range_text(target) + ")");
  for (const std::string& note : dataset.notes) print_line("note", note);
}

void print_text(const Dataset& dataset, const DatasetStatistics& statistics,
                const std::optional<std::pair<std::string, Split>>& split) {
  print_line("data set", dataset.name);
  print_line("task", task_name(dataset));
  print_line("graphs", std::to_string(statistics.graphs));
  print_line("nodes", per_graph(statistics.nodes, statistics.graphs));
  print_line("edges", per_graph(statistics.edges, statistics.graphs));
  print_line("self-loops", std::to_string(statistics.self_loops));
  print_line("isolated nodes", std::to_string(statistics.isolated_nodes));
  print_line("max degree", std::to_string(statistics.max_degree));
  print_line("diameter", diameter_text(statistics.diameter));
  print_line("features",
             std::to_string(dataset.num_features()) + " (" + feature_kind(dataset) + ")");
  print_line("classes", std::to_string(class_count(dataset)));
  if (class_count(dataset) > 0 && !statistics.labels.empty())
    print_line("labels", label_text(dataset, statistics));
  print_line("unlabelled", std::to_string(unlabelled(statistics)));
  if (statistics.homophily) print_line("homophily", std::to_string(*statistics.homophily));
  for (const auto& [name, text] : dataset.facts) print_line((name + " ").c_str(), text);
  if (split) {
    print_line("split", split->first + ": train " + std::to_string(split->second.train.size()) +
                            ", val " + std::to_string(split->second.val.size()) + ", test " +
                            std::to_string(split->second.test.size()));
  }
}

// The split may be a file, whose name need not be UTF-8.
constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;

/// The options with the reading's names of data set and split; refused where it changes neither.
InspectArguments read_as(InspectArguments options) {
  if (enum_value<Reading>(options.reading) == Reading::kAsWritten) return options;
  TrainConfig config;
  config.dataset = options.dataset;
  config.split = options.split;
  const bool differs =
      std::any_of(reading_effects_on_names().begin(), reading_effects_on_names().end(),
                  [&](const ReadingEffect& effect) { return effect.concerns(config); });
  if (!differs) {
    std::string where;
    for (const ReadingEffect& effect : reading_effects_on_names())
      where += std::string("\n  ") + effect.where + ": " + effect.as_run;
    throw WrongUsage("--reading as-run has no effect on " + options.dataset +
                     (options.split.empty() ? "" : " with split " + options.split) +
                     ". It is about" + where);
  }
  read_names(config, Reading::kAsRun);
  options.dataset = config.dataset;
  options.split = config.split;
  return options;
}

void run_inspect(const InspectArguments& asked) {
  const InspectArguments options = read_as(asked);
  LoadOptions load = options.load;
  load.targets = enum_value<Targets>(options.targets);
  load.directed = enum_value<Directed>(options.directed);
  load.edge_features = enum_value<EdgeFeatures>(options.edge_features);
  const Dataset dataset = load_dataset(options.dataset, load);
  const auto split = split_of(dataset, options);
  const DatasetStatistics result = statistics(dataset);
  if (options.json) {
    std::cout << to_json(dataset, load.edge_features, result, split).dump(2, ' ', false, kReplace)
              << "\n";
  } else {
    print_text(dataset, result, split);
    print_columns(dataset, load.edge_features);
  }
}

}  // namespace

void add_inspect(CLI::App& program) {
  auto options = std::make_shared<InspectArguments>();
  CLI::App* command = program.add_subcommand("inspect", "Print the contents of a data set");
  command->group(kDataGroup);
  command
      ->add_option(kDatasetOption, options->dataset,
                   "A name such as cora, or the path of a folder, zip archive or graph file")
      ->type_name("DATASET|FILE")
      ->required();
  command->add_option("--root", options->load.root, "Folder of named data sets (HGNET_DATA)")
      ->type_name("FOLDER");
  command
      ->add_option("--split", options->split,
                   "Sizes of this split: a name such as public, scaffold or own, "
                   "random:TRAIN,VAL,TEST, sanitized:K, folds:N[:FOLD], or a file of folds")
      ->type_name("SPLIT|FILE");
  command->add_option("--split-seed", options->split_seed, "Seed of drawn splits")
      ->check(not_negative())
      ->capture_default_str();
  command->add_option("--fold", options->fold, "Test fold of a split into folds")
      ->check(not_negative())
      ->capture_default_str();
  command
      ->add_option("--reading", options->reading,
                   "Data set and split as the paper writes, or as in its authors' program")
      ->check(one_of(names_of<Reading>()))
      ->capture_default_str();
  command->add_option("--data-seed", options->load.cc_seed, "Seed of color-connectivity sets")
      ->check(not_negative())
      ->capture_default_str();
  command
      ->add_option("--samples", options->load.cc_samples,
                   "Samples of color-connectivity sets (default: as many as in the paper)")
      ->check(at_least_one());
  command->add_option("--targets", options->targets, "What the labels of nodes.csv are")
      ->check(one_of(names_of<Targets>()))
      ->capture_default_str();
  command
      ->add_option("--label-column", options->load.label_column,
                   "Column of labels, or several separated by commas (default: label)")
      ->type_name("COLUMN,...");
  command
      ->add_option("--categorical", options->load.categorical,
                   "Columns of numbers that are categories, separated by commas")
      ->type_name("COLUMN,...");
  command
      ->add_option("--directed", options->directed,
                   "Directed graphs: refuse, or take edges in both directions")
      ->check(one_of(names_of<Directed>()))
      ->capture_default_str();
  command->add_flag("--node-attributes", options->load.node_attributes,
                    "TU sets: put node attributes before the node labels");
  command
      ->add_option("--edge-features", options->edge_features,
                   "Features of edges, for models that read them (auto: those of own data)")
      ->check(one_of(names_of<EdgeFeatures>()))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  hgnet inspect cora\n"
      "  hgnet inspect ogbg-molhiv --root data --json\n"
      "  hgnet inspect cora --split sanitized:2 --split-seed 1\n"
      "  hgnet inspect ENZYMES --split folds:10:3\n"
      "  hgnet inspect cc-grid16 --reading as-run\n"
      "  hgnet inspect ./my_graph --split own");
  command->callback([options] { run_inspect(*options); });
}

}  // namespace hgnet::app
