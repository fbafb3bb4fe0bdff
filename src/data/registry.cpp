#include "hgnet/data/registry.hpp"

#include <algorithm>

#include "data/registry_sums.hpp"
#include "data/user_folder.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/nearest_name.hpp"

namespace hgnet {
namespace {

constexpr const char* kPlanetoid = "https://github.com/kimiyoung/planetoid/raw/master/data/";
constexpr const char* kTu = "https://www.chrsmrrs.com/graphkerneldatasets/";
constexpr const char* kOgb = "http://snap.stanford.edu/ogb/data/graphproppred/csv_mol_download/";
constexpr const char* kRoads = "https://nrvis.com/download/data/road/road-";

// The road networks come as MatrixMarket and are kept as sorted .edges files, which have these
// sums.
constexpr PublishedSum kEuroroadSorted = {
    "roads/euroroad.edges", 11303,
    "945fc114d462484a283635e100b7fe3ef7224ac7362ddbf8154f6c386133c3a4"};
constexpr PublishedSum kMinnesotaSorted = {
    "roads/minnesota.edges", 30313,
    "74816322d2bdfbf4d3ba31e20098b9bcd3d981105996d79663346ce53bec7065"};

constexpr const char* kTenSeeds = "10 seeds, public split";
constexpr const char* kTenFolds = "10-fold stratified CV";
constexpr const char* kScaffold = "10 seeds, scaffold split";
constexpr const char* kGraphClasses = "graph classification";

/// A file with its known sums.
KnownFile known_file(const std::string& path, const std::string& url) {
  KnownFile file{path, url, {}};
  const std::string folder = path.substr(0, path.find('/') + 1);
  const std::string inside = path.substr(0, path.rfind('.')) + "/";
  for (const PublishedSum& sum : published_sums()) {
    const std::string_view summed = sum.path;
    if (summed == path) file.sums.push_back({"", sum.sha256, sum.bytes, sum.of});
    if (path.ends_with(".zip") && summed.starts_with(inside)) {
      file.sums.push_back(
          {std::string(summed.substr(folder.size())), sum.sha256, sum.bytes, sum.of});
    }
  }
  return file;
}

KnownDataset citation(const std::string& name, double nodes, double edges,
                      const std::string& features, int classes) {
  KnownDataset set{name,       "node classification",
                   1,          nodes,
                   edges,      features,
                   classes,    kTenSeeds,
                   "accuracy", kPlanetoid,
                   {}};
  for (const char* part : {"x", "tx", "allx", "y", "ty", "ally", "graph", "test.index"}) {
    const std::string file = "ind." + name + "." + part;
    set.files.push_back(known_file("planetoid/" + file, kPlanetoid + file));
  }
  return set;
}

KnownDataset tu(const std::string& name, std::int64_t graphs, double nodes, double edges,
                const std::string& features, int classes) {
  const std::string url = kTu + name + ".zip";
  return {name,
          kGraphClasses,
          graphs,
          nodes,
          edges,
          features,
          classes,
          kTenFolds,
          "accuracy",
          url,
          {known_file("tu/" + name + ".zip", url)}};
}

KnownDataset molecules(const std::string& short_name, std::int64_t graphs, double nodes,
                       double edges, int targets, const std::string& task,
                       const std::string& metric) {
  const std::string archive = short_name == "lipo" ? "lipophilicity" : short_name;
  const std::string url = kOgb + archive + ".zip";
  return {"ogbg-mol" + short_name,
          task,
          graphs,
          nodes,
          edges,
          "9 atom, 3 bond columns",
          targets,
          kScaffold,
          metric,
          url,
          {known_file("ogb/" + archive + ".zip", url)}};
}

KnownDataset color(const std::string& name, std::int64_t graphs, double nodes, double edges,
                   const std::string& graph) {
  return {name,       kGraphClasses,           graphs, nodes, edges, "colour", 2, kTenFolds,
          "accuracy", "generated on " + graph, {}};
}

KnownDataset color_road(const std::string& road, std::int64_t graphs, double nodes, double edges,
                        const PublishedSum& sorted) {
  KnownDataset set = color("cc-" + road, graphs, nodes, edges, road);
  set.files.push_back(known_file("roads/" + road + ".edges", kRoads + road + ".zip"));
  set.files.back().sums.push_back({"", sorted.sha256, sorted.bytes});
  return set;
}

std::vector<KnownDataset> all_datasets() {
  const std::string yes_or_no = kGraphClasses;
  const std::string many = "multi-label graph classification";
  const std::string number = "graph regression";
  std::vector<KnownDataset> sets = {
      citation("cora", 2708, 5278, "1,433 words", 7),
      citation("citeseer", 3327, 4552, "3,703 words", 6),
      citation("pubmed", 19717, 44324, "500 words", 3),
      tu("COLLAB", 5000, 74.49, 2457.78, "one-hot degree", 3),
      tu("IMDB-BINARY", 1000, 19.77, 96.53, "one-hot degree", 2),
      tu("IMDB-MULTI", 1500, 13, 65.94, "one-hot degree", 3),
      tu("DD", 1178, 284.32, 715.66, "89 node labels", 2),
      tu("NCI1", 4110, 29.87, 32.3, "37 node labels", 2),
      tu("ENZYMES", 600, 32.63, 62.14, "3 node labels", 6),
      tu("PROTEINS", 1113, 39.06, 72.82, "3 node labels", 2),
      molecules("pcba", 437929, 26, 28.1, 128, many, "average precision"),
      molecules("hiv", 41127, 25.5, 27.5, 2, yes_or_no, "ROC-AUC"),
      molecules("bace", 1513, 34.1, 36.9, 2, yes_or_no, "ROC-AUC"),
      molecules("bbbp", 2039, 24.1, 26, 2, yes_or_no, "ROC-AUC"),
      molecules("clintox", 1477, 26.2, 27.9, 2, many, "ROC-AUC"),
      molecules("sider", 1427, 33.6, 35.4, 27, many, "ROC-AUC"),
      molecules("tox21", 7831, 18.6, 19.3, 12, many, "ROC-AUC"),
      molecules("toxcast", 8576, 18.8, 19.3, 617, many, "ROC-AUC"),
      molecules("muv", 93087, 24.2, 26.3, 17, many, "average precision"),
      molecules("esol", 1128, 13.3, 13.7, 1, number, "RMSE"),
      molecules("freesolv", 642, 8.7, 8.4, 1, number, "RMSE"),
      molecules("lipo", 4200, 27, 29.5, 1, number, "RMSE"),
      {"peptides-func",
       many,
       15535,
       150.9,
       153.7,
       "9 atom, 3 bond columns",
       10,
       "10 seeds, stratified split",
       "average precision",
       "Long Range Graph Benchmark, in OGB's format",
       {known_file("ogb/peptides-func.zip", "")}},
      color("cc-grid16", 15000, 256, 480, "grid:16x16"),
      color("cc-grid32", 15000, 1024, 1984, "grid:32x32"),
      color_road("euroroad", 15000, 1174, 1417, kEuroroadSorted),
      color_road("minnesota", 6000, 2642, 3304, kMinnesotaSorted),
      color("cc-crossing32:4", 8000, 1024, 1984, "grid:32x32"),
      color("cc-crossing64:8", 8000, 4096, 8064, "grid:64x64")};
  return sets;
}

}  // namespace

std::span<const KnownDataset> known_datasets() {
  static const std::vector<KnownDataset> sets = all_datasets();
  return sets;
}

const KnownDataset& known_dataset(std::string_view name) {
  const std::string wanted(name);
  std::vector<std::string> names;
  std::string all;
  for (const KnownDataset& set : known_datasets()) {
    if (lower_case(set.name) == lower_case(wanted)) return set;
    names.push_back(set.name);
    all += " " + set.name;
  }
  throw UnknownDataset("no data set '" + wanted + "'. " + suggestions(wanted, names) +
                       "Known data sets:" + all);
}

bool on_disk(const KnownDataset& dataset, const std::filesystem::path& root) {
  return std::all_of(dataset.files.begin(), dataset.files.end(), [&](const KnownFile& file) {
    return std::filesystem::is_regular_file(root / file.path);
  });
}

std::filesystem::path user_data_root() { return user_folder("HGNET_DATA", "data"); }

std::filesystem::path default_data_root() {
  const std::filesystem::path root = user_data_root();
  if (root.empty()) {
    throw Error(
        "no folder for data sets is known: of HGNET_DATA, XDG_CACHE_HOME and HOME none is set");
  }
  return root;
}

}  // namespace hgnet
