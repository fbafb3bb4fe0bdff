#include "hgnet/report/paper.hpp"

#include <algorithm>
#include <cctype>

#include "hgnet/data/registry.hpp"

namespace hgnet {
namespace {

template <class Items>
bool contains(const Items& items, std::string_view name) {
  return std::find(items.begin(), items.end(), name) != items.end();
}

std::vector<PublishedFigure> all_published() {
  std::vector<PublishedFigure> figures;
  const auto add = [&](const char* source, const char* model, const std::vector<std::string>& sets,
                       const std::vector<double>& means) {
    for (std::size_t i = 0; i < sets.size(); ++i)
      figures.push_back({model, sets[i], means[i] / 100, std::nullopt, source});
  };
  const std::vector<std::string> citation = {"cora", "citeseer", "pubmed"};
  add("published", "gcn", citation, {81.5, 70.3, 79.0});
  add("published", "cheb", citation, {81.2, 69.8, 74.4});
  add("published", "gat", citation, {83.0, 72.5, 79.0});
  add("Errica et al.", "gin",
      {"DD", "NCI1", "PROTEINS", "ENZYMES", "IMDB-BINARY", "IMDB-MULTI", "COLLAB"},
      {75.3, 80.0, 73.3, 59.6, 71.2, 48.5, 75.6});
  const auto add_ogb = [&](const char* model, double hiv, double hiv_deviation, double pcba,
                           double pcba_deviation) {
    figures.push_back({model, "ogbg-molhiv", hiv, hiv_deviation, "OGB leaderboard"});
    figures.push_back({model, "ogbg-molpcba", pcba, pcba_deviation, "OGB leaderboard"});
  };
  add_ogb("gcn", .7606, .0097, .2020, .0024);
  add_ogb("gcn-vn", .7599, .0119, .2424, .0034);
  add_ogb("gin", .7558, .0140, .2266, .0028);
  add_ogb("gin-vn", .7707, .0149, .2703, .0023);
  return figures;
}

}  // namespace

const std::vector<PaperModel>& paper_models() {
  static const std::vector<PaperModel> models = {{"gcn", "GCN"},
                                                 {"gcn-vn", "GCN+VN"},
                                                 {"gat", "GAT"},
                                                 {"cheb", "ChebNet"},
                                                 {"gin", "GIN"},
                                                 {"gin-vn", "GIN+VN"},
                                                 {"g-unet", "g-U-Net"},
                                                 {"hgnet-edgepool", "HGNet-EdgePool"},
                                                 {"hgnet-louvain", "HGNet-Louvain"}};
  return models;
}

std::vector<std::string> table3_models() {
  return {"gcn", "gcn-vn", "gin", "gin-vn", "hgnet-edgepool", "hgnet-louvain"};
}

std::vector<std::string> table1_models() {
  std::vector<std::string> names;
  for (const PaperModel& model : paper_models()) {
    if (model.name != "gin-vn") names.push_back(model.name);
  }
  return names;
}

std::string model_label(std::string_view model) {
  for (const PaperModel& known : paper_models()) {
    if (known.name == model) return known.label;
  }
  return std::string(model);
}

std::string dataset_label(std::string_view dataset) {
  static const std::vector<std::pair<std::string_view, const char*>> labels = {
      {"cora", "Cora"},
      {"citeseer", "CiteSeer"},
      {"pubmed", "PubMed"},
      {"DD", "D&D"},
      {"cc-grid16", "C-C 16x16 grid"},
      {"cc-grid32", "C-C 32x32 grid"},
      {"cc-euroroad", "C-C Euroroad"},
      {"cc-minnesota", "C-C Minnesota"}};
  for (const auto& [name, label] : labels) {
    if (name == dataset) return label;
  }
  return std::string(dataset);
}

std::string canonical_dataset(std::string_view dataset) {
  if (dataset == "D&D") return "DD";
  const auto lower = [](std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
  };
  const std::string wanted = lower(dataset);
  for (const KnownDataset& known : known_datasets()) {
    if (lower(known.name) == wanted) return known.name;
  }
  return std::string(dataset);
}

const std::vector<std::string>& citation_sets() {
  static const std::vector<std::string> sets = {"citeseer", "cora", "pubmed"};
  return sets;
}

const std::vector<std::string>& tu_sets() {
  static const std::vector<std::string> sets = {"COLLAB", "IMDB-BINARY", "IMDB-MULTI", "DD",
                                                "NCI1",   "ENZYMES",     "PROTEINS"};
  return sets;
}

const std::vector<std::string>& ogb_sets() {
  static const std::vector<std::string> sets = {"ogbg-molpcba", "ogbg-molhiv"};
  return sets;
}

const std::vector<std::string>& color_sets() {
  static const std::vector<std::string> sets = {"cc-grid16", "cc-grid32", "cc-euroroad",
                                                "cc-minnesota"};
  return sets;
}

std::string paper_split(std::string_view dataset) {
  if (contains(citation_sets(), dataset)) return "public";
  if (contains(ogb_sets(), dataset)) return "scaffold";
  return contains(tu_sets(), dataset) || contains(color_sets(), dataset) ? "folds:10" : "";
}

std::string table_of(const FitRecord& record) {
  if (!record.table.empty()) return record.table;
  const std::string dataset = canonical_dataset(record.dataset);
  const bool citation = contains(citation_sets(), dataset);
  if (citation && (record.split == "sanitized:1" || record.split == "sanitized:2")) return "table2";
  if (!record.split.empty() && record.split != paper_split(dataset)) return "";
  if (contains(ogb_sets(), dataset)) return "table3";
  if (contains(color_sets(), dataset)) return "table4";
  const int depth = record.depth();
  const bool papers = depth == 0 || depth == paper_depth(record.model, dataset);
  return papers && (citation || contains(tu_sets(), dataset)) ? "table1" : "";
}

std::string paper_metric(std::string_view dataset) {
  if (dataset == "ogbg-molpcba") return "average_precision";
  return dataset == "ogbg-molhiv" ? "roc_auc" : "accuracy";
}

int paper_depth(std::string_view model, std::string_view dataset) {
  if (contains(ogb_sets(), dataset)) return is_hierarchical(model) ? 2 : 5;
  if (model == "g-unet") return 4;
  if (!is_hierarchical(model)) return 2;
  return contains(citation_sets(), dataset) ? 1 : 2;
}

int paper_epochs(std::string_view dataset) { return contains(ogb_sets(), dataset) ? 100 : 200; }

const std::vector<PublishedFigure>& published_figures() {
  static const std::vector<PublishedFigure> figures = all_published();
  return figures;
}

const PublishedFigure* published_figure(std::string_view model, std::string_view dataset) {
  for (const PublishedFigure& figure : published_figures()) {
    if (figure.model == model && figure.dataset == dataset) return &figure;
  }
  return nullptr;
}

}  // namespace hgnet
