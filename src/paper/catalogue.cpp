#include "hgnet/paper/catalogue.hpp"

#include <algorithm>
#include <set>

#include "hgnet/config/model_table.hpp"
#include "hgnet/core/nearest_name.hpp"
#include "hgnet/core/text.hpp"
#include "hgnet/data/registry.hpp"
#include "hgnet/paper/settings.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

using Names = std::vector<std::string>;

const Names kPaperOrderOfCitation = {"cora", "citeseer", "pubmed"};

bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<PublishedFigure> published_figures() {
  struct Row {
    const char* source;
    const char* model;
    Names sets;
    std::vector<double> means;
    std::vector<double> deviations = {};
  };
  const Names ogb = {"ogbg-molhiv", "ogbg-molpcba"};
  const std::vector<Row> rows = {
      {"published", "gcn", kPaperOrderOfCitation, {.815, .703, .790}},
      {"published", "cheb", kPaperOrderOfCitation, {.812, .698, .744}},
      {"published", "gat", kPaperOrderOfCitation, {.830, .725, .790}},
      {"Errica et al.", "gin", kTuSets, {.756, .712, .485, .753, .800, .596, .733}},
      {"OGB leaderboard", "gcn", ogb, {.7606, .2020}, {.0097, .0024}},
      {"OGB leaderboard", "gcn-vn", ogb, {.7599, .2424}, {.0119, .0034}},
      {"OGB leaderboard", "gin", ogb, {.7558, .2266}, {.0140, .0028}},
      {"OGB leaderboard", "gin-vn", ogb, {.7707, .2703}, {.0149, .0023}}};
  std::vector<PublishedFigure> figures;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.sets.size(); ++i) {
      auto& figure = figures.emplace_back(
          PublishedFigure{row.model, row.sets[i], row.means[i], std::nullopt, row.source});
      if (!row.deviations.empty()) figure.deviation = row.deviations[i];
    }
  }
  return figures;
}

/// A column for every data set, on its usual split or on another one.
void add_columns(TableLayout& layout, const Names& sets, const std::string& heading,
                 const std::string& split = "") {
  for (const std::string& set : sets)
    layout.columns.push_back({set, split.empty() ? paper_catalogue().data(set)->split : split,
                              heading, split.empty() ? "" : heading});
}

/// Graph classification with one norm in all models. Those that have it in the paper's settings are
/// in Table 1.
PaperTable norm_table(Norm norm, const char* id, const char* title) {
  TableLayout layout{
      id, title,
      "Test accuracy over folds. In the paper's settings only the HGNets have "
      "BatchNorm on these data sets; here all models are alike in this. Models that "
      "have the same settings in Table 1 are taken from there, on the folds that the others have."};
  layout.models = kEightModels;
  layout.depth = paper_depth;
  layout.other_table = "table1";
  for (const std::string& model : kEightModels) {
    if ((model_row(model).frame == Frame::kHgnet) == (norm == Norm::kBatch))
      layout.of_other_table.push_back(model);
  }
  add_columns(layout, kTuSets, "");
  return {.layout = layout, .repeats = 3, .norm = norm, .of_paper = false};
}

/// Color-connectivity: scores are drawn over hops, and the first of the depths is preferred.
TableLayout color_layout(const char* id, const char* title, const char* caption,
                         const std::vector<int>& layers, const std::vector<int>& levels) {
  TableLayout layout{id, title, caption};
  layout.models = kEightModels;
  layout.layers = layers;
  layout.levels = levels;
  layout.as_fitted = layout.over_hops = true;
  return layout;
}

PaperTable range_table() {
  TableLayout layout = color_layout(
      kRangeTable, "Who sees far. Colourings that local counts do not solve",
      "Test accuracy on one fold, on colourings matched so that counts of local patterns say "
      "nothing (matched) and on pairs that no flat model of R layers tells apart (crossings). Half "
      "of the answers would be right by chance.",
      {4}, {3});
  add_columns(layout, kMatchedSets, "matched");
  add_columns(layout, kCrossingSets, "crossings");
  return {
      .layout = layout, .repeats = 1, .depths_once = true, .of_paper = false, .yardsticks = true};
}

std::vector<PaperTable> all_tables() {
  TableLayout table1{"table1", "Table 1. Legacy graph benchmarks",
                     "Test score, mean and standard deviation over seeds (citation networks, one "
                     "public split) or over the folds of a stratified cross-validation (graph "
                     "classification)."};
  table1.models = kEightModels;
  table1.depth = paper_depth;
  add_columns(table1, kCitationSets, "node classification");
  add_columns(table1, kTuSets, "graph classification");
  TableLayout table2{"table2", "Table 2. Citation networks with k-hop sanitized splits",
                     "Test accuracy over seeds, for models of one to three layers or levels. No "
                     "two labelled nodes are within k hops of each other.",
                     "Heat is normalised per block of a data set and k."};
  table2.models = kEightModels;
  table2.layers = table2.levels = {1, 2, 3};
  add_columns(table2, kCitationSets, "k = 1", "sanitized:1");
  add_columns(table2, kCitationSets, "k = 2", "sanitized:2");
  TableLayout table3{"table3", "Table 3. OGB molecular benchmarks",
                     "Test and validation score over seeds on OGB's scaffold split: average "
                     "precision on ogbg-molpcba, ROC-AUC on ogbg-molhiv."};
  table3.models = {"gcn", "gcn-vn", "gin", "gin-vn", "hgnet-edgepool", "hgnet-louvain"};
  table3.layers = {5};
  table3.levels = {2, 1, 3};
  table3.with_parameters = true;
  add_columns(table3, kOgbSets, "");
  TableLayout table4 = color_layout(
      "table4", "Table 4. Color-connectivity",
      "Test accuracy over the folds of a stratified cross-validation, for several depths of each "
      "model. Half of the answers would be right by chance.",
      {4, 3, 2}, {3, 4, 5, 6});
  add_columns(table4, kColorSets, "");
  return {{.layout = table1, .yardsticks = true},
          {.layout = table2, .repeats = 3},
          {.layout = table3},
          {.layout = table4, .depths_once = true, .yardsticks = true},
          norm_table(Norm::kBatch, "tu-batch-norm",
                     "BatchNorm everywhere. Graph classification, all models with BatchNorm"),
          norm_table(Norm::kNone, "tu-no-norm",
                     "No norm. Graph classification, all models without a norm"),
          range_table()};
}

}  // namespace

const Catalogue& paper_catalogue() {
  static const Catalogue catalogue = {
      {{"gcn", "GCN"},
       {"gcn-vn", "GCN+VN"},
       {"gat", "GAT"},
       {"cheb", "ChebNet"},
       {"gin", "GIN"},
       {"gin-vn", "GIN+VN"},
       {"g-unet", "g-U-Net"},
       {"hgnet-edgepool", "HGNet-EdgePool"},
       {"hgnet-louvain", "HGNet-Louvain"},
       {"wl", "WL counts (yardstick)"},
       {"mlp", "MLP (yardstick)"}},
      {{"citeseer", "CiteSeer", "public", "accuracy", 200},
       {"cora", "Cora", "public", "accuracy", 200},
       {"pubmed", "PubMed", "public", "accuracy", 200},
       {"ENZYMES", "ENZYMES", "folds:10", "accuracy", 200},
       {"PROTEINS", "PROTEINS", "folds:10", "accuracy", 200},
       {"IMDB-BINARY", "IMDB-BINARY", "folds:10", "accuracy", 200},
       {"IMDB-MULTI", "IMDB-MULTI", "folds:10", "accuracy", 200},
       {"NCI1", "NCI1", "folds:10", "accuracy", 200},
       {"DD", "D&D", "folds:10", "accuracy", 200},
       {"COLLAB", "COLLAB", "folds:10", "accuracy", 200},
       {"ogbg-molhiv", "ogbg-molhiv", "scaffold", "roc_auc", 100},
       {"ogbg-molpcba", "ogbg-molpcba", "scaffold", "average_precision", 100},
       {"cc-grid16", "C-C 16x16 grid", "folds:10", "accuracy", 200},
       {"cc-grid32", "C-C 32x32 grid", "folds:10", "accuracy", 200},
       {"cc-euroroad", "C-C Euroroad", "folds:10", "accuracy", 200},
       {"cc-minnesota", "C-C Minnesota", "folds:10", "accuracy", 200},
       {"cc-grid16:matched", "16x16 grid, matched", "folds:10", "accuracy", 100},
       {"cc-crossing32:4", "Crossing 32x32, R = 4", "folds:10", "accuracy", 100},
       {"cc-grid32:matched", "32x32 grid, matched", "folds:10", "accuracy", 100},
       {"cc-euroroad:matched", "Euroroad, matched", "folds:10", "accuracy", 100},
       {"cc-minnesota:matched", "Minnesota, matched", "folds:10", "accuracy", 100},
       {"cc-crossing64:8", "Crossing 64x64, R = 8", "folds:10", "accuracy", 100}},
      published_figures()};
  return catalogue;
}

int paper_depth(std::string_view model, std::string_view dataset) {
  if (contains(kOgbSets, dataset)) return is_hierarchical(model) ? 2 : 5;
  if (const ModelRow* row = find_model(model); row != nullptr && row->frame == Frame::kGUnet)
    return 4;
  return is_hierarchical(model) && contains(kCitationSets, dataset) ? 1 : 2;
}

std::string canonical_dataset(std::string_view dataset) {
  if (dataset == "D&D") return "DD";
  const std::string wanted = lower_case(std::string(dataset));
  for (const KnownDataset& known : known_datasets()) {
    if (lower_case(known.name) == wanted) return known.name;
  }
  return std::string(dataset);
}

const std::vector<PaperTable>& paper_tables() {
  static const std::vector<PaperTable> tables = all_tables();
  return tables;
}

std::string table_of(const FitRecord& record) {
  if (!record.table.empty()) return record.table;
  const std::string dataset = canonical_dataset(record.dataset);
  const Catalogue::Data* data = paper_catalogue().data(dataset);
  if (data == nullptr) return "";
  const std::string& split = record.split.empty() ? data->split : record.split;
  for (const PaperTable& table : paper_tables()) {
    const TableLayout& layout = table.layout;
    const int depth = layout.depth == nullptr ? 0 : record.depth();
    if (depth != 0 && depth != paper_depth(record.model, dataset)) continue;
    for (const TableColumn& column : layout.columns) {
      if (column.dataset == dataset && column.split == split) return layout.id;
    }
  }
  return "";
}

Results paper_results(Records records) {
  const Catalogue& catalogue = paper_catalogue();
  std::set<GroupKey> of_tables;
  std::size_t different = 0;
  for (FitRecord& fit : records.fits) {
    fill_in(fit);
    if (!fit.table.empty() && !fit.variant.empty()) {
      fit.table.clear();
      ++different;
    } else if (!fit.table.empty()) {
      of_tables.insert(key_of(fit, catalogue));
    }
  }
  std::size_t placed = 0;
  std::size_t beside = 0;
  for (FitRecord& fit : records.fits) {
    if (!fit.table.empty() || !fit.variant.empty()) continue;
    fit.table = table_of(fit);
    if (fit.table.empty()) continue;
    const bool taken = of_tables.contains(key_of(fit, catalogue));
    if (taken) fit.table.clear();
    ++(taken ? beside : placed);
  }
  for (FitRecord& fit : records.fits) {
    const Catalogue::Data* data = catalogue.data(fit.dataset);
    const std::int64_t epochs = fit.option_number("epochs");
    if (fit.table.empty() && !fit.quick && data != nullptr && epochs > 0 && epochs != data->epochs)
      append(fit.variant, ", ", "epochs " + std::to_string(epochs));
  }
  for (ProbeRecord& probe : records.probes) probe.dataset = canonical_dataset(probe.dataset);
  const auto note = [&](const std::string& what, std::size_t count) {
    if (count > 0) records.notes.push_back(what + ": " + std::to_string(count));
  };
  note("fits that name no table, assigned by data set and split", placed);
  note("fits of a table that have other settings than it, listed under other fits", different);
  note("fits that name no table, listed under other fits because the table has its own", beside);
  return Results(std::move(records), catalogue);
}

FactTable dataset_facts() {
  FactTable table{"datasets",
                  "Table A.1. Data sets",
                  "Nodes and edges are means over the graphs; an edge counts once, whatever its "
                  "direction and however often a file lists it.",
                  {"Data set", "#Graphs", "#Nodes", "#Edges", "Features", "#Classes", "Protocol",
                   "Metric", "In the paper"},
                  {}};
  for (const auto* sets : {&kPaperOrderOfCitation, &kTuSets, &kOgbSets, &kColorSets}) {
    for (const std::string& name : *sets) {
      const KnownDataset& known = known_dataset(name);
      const std::string paper = name == "cora"     ? "5429 edges, with repetitions"
                                : name == "pubmed" ? "44338 edges, with repetitions"
                                                   : "the same";
      table.rows.push_back({paper_catalogue().dataset_label(name), std::to_string(known.graphs),
                            short_number(known.nodes), short_number(known.edges), known.features,
                            std::to_string(known.classes), known.protocol, known.metric, paper});
    }
  }
  return table;
}

std::vector<ResultTable> result_tables(const Results& results) {
  std::vector<TableLayout> layouts;
  for (const PaperTable& table : paper_tables()) {
    if (table.of_paper || !results.select(table.layout.id).empty()) layouts.push_back(table.layout);
  }
  return make_tables(results, layouts);
}

}  // namespace hgnet
