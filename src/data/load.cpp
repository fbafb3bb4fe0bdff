#include "hgnet/data/load.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "data/cache.hpp"
#include "data/features.hpp"
#include "data/readers.hpp"
#include "data/user_folder.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

constexpr std::array kKnownNames{"cora",
                                 "citeseer",
                                 "pubmed",
                                 "COLLAB",
                                 "DD",
                                 "ENZYMES",
                                 "IMDB-BINARY",
                                 "IMDB-MULTI",
                                 "NCI1",
                                 "PROTEINS",
                                 "ogbg-molhiv",
                                 "ogbg-molpcba",
                                 "ogbg-molbace",
                                 "ogbg-molbbbp",
                                 "ogbg-molclintox",
                                 "ogbg-molsider",
                                 "ogbg-moltox21",
                                 "ogbg-moltoxcast",
                                 "ogbg-molmuv",
                                 "ogbg-molesol",
                                 "ogbg-molfreesolv",
                                 "ogbg-mollipo",
                                 "ogbg-molchembl",
                                 "peptides-func"};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// NAME.zip or the folder NAME, in any case of letters.
std::optional<fs::path> find_zip_or_folder(const fs::path& folder, const std::string& lower_name) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = lower(entry.path().filename().string());
    if (name == lower_name + ".zip" || (name == lower_name && entry.is_directory())) {
      return entry.path();
    }
  }
  return std::nullopt;
}

enum class Form { kPlanetoid, kTu, kOgb, kCsvGraph, kGraphFile };

/// The files of a data set, and how they are to be read.
struct Source {
  Form form;
  std::string name;
  FileSet files;
  std::string graph_file = {};  // for Form::kGraphFile
};

/// What OGB calls the archive of ogbg-mol...
std::string ogb_archive(const std::string& lower_name) {
  constexpr std::string_view kPrefix = "ogbg-mol";
  if (!lower_name.starts_with(kPrefix)) return lower_name;
  const std::string molecules = lower_name.substr(kPrefix.size());
  return molecules == "lipo" ? "lipophilicity" : molecules;
}

std::optional<Source> find_named(const std::string& lower_name, const fs::path& root) {
  const std::string citations = "ind." + lower_name + ".";
  if (fs::exists(root / "planetoid" / (citations + "graph"))) {
    return Source{Form::kPlanetoid, lower_name, FileSet(root / "planetoid", citations)};
  }
  if (const auto place = find_zip_or_folder(root / "tu", lower_name)) {
    return Source{Form::kTu, place->stem().string(), FileSet(*place)};
  }
  if (const auto place = find_zip_or_folder(root / "ogb", ogb_archive(lower_name))) {
    return Source{Form::kOgb, lower_name, FileSet(*place)};
  }
  return std::nullopt;
}

std::optional<Source> find_at(const fs::path& path) {
  if (!fs::exists(path)) return std::nullopt;
  const fs::path place = fs::canonical(path);
  const std::string name = place.stem().string();
  if (!fs::is_directory(place) && place.extension() != ".zip") {
    const std::string file = place.filename().string();
    return Source{Form::kGraphFile, name, FileSet(place.parent_path(), file), file};
  }
  FileSet files(place);
  if (files.find_prefix("_A.txt")) return Source{Form::kTu, name, std::move(files)};
  if (files.find("raw/edge.csv")) return Source{Form::kOgb, name, std::move(files)};
  if (files.find("nodes.csv")) return Source{Form::kCsvGraph, name, std::move(files)};
  files.fail(
      "holds no data set; expected NAME_A.txt and what goes with it, nodes.csv and edges.csv, "
      "or raw/edge.csv");
}

Dataset read_graph_file(const FileSet& files, const std::string& file) {
  Dataset dataset;
  dataset.graphs.push_back(read_graph(files.open(file), fs::path(file).extension().string()));
  dataset.node_offsets = {0, dataset.graphs.front().num_nodes()};
  dataset.classes.assign(dataset.num_nodes(), kUnlabelled);
  dataset.features = one_hot_degrees(dataset.graphs);
  return dataset;
}

Dataset read(const Source& source, const LoadOptions& options) {
  const auto parse = [&]() -> Dataset {
    switch (source.form) {
      case Form::kPlanetoid: return read_planetoid(source.files, source.name);
      case Form::kTu: return read_tu(source.files, options.node_attributes);
      case Form::kOgb: return read_ogb(source.files);
      case Form::kCsvGraph: return read_csv_graph(source.files);
      case Form::kGraphFile: return read_graph_file(source.files, source.graph_file);
    }
    return {};
  };
  Dataset dataset = parse();
  dataset.name = source.name;
  try {
    validate(dataset);
  } catch (const InvalidDataset& error) {
    source.files.fail(error.what());
  }
  return dataset;
}

/// What the parsed data set depends on.
CacheKey cache_key(const Source& source, const LoadOptions& options) {
  CacheKey key;
  key.name = source.name;
  key.what = source.name + "\n" + fs::absolute(source.files.place()).string() + "/" +
             source.graph_file + "\nform " + std::to_string(static_cast<int>(source.form)) +
             "\nattributes " + std::to_string(options.node_attributes);
  for (const fs::path& file : source.files.sources()) {
    key.state += file.string() + " " + std::to_string(fs::file_size(file)) + " " +
                 std::to_string(fs::last_write_time(file).time_since_epoch().count()) + "\n";
  }
  return key;
}

/// Changes to a and from b: Levenshtein's distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = std::exchange(row[j], std::min({replace, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

[[noreturn]] void fail_unknown(const std::string& name, const std::string& lower_name,
                               const fs::path& root) {
  std::vector<std::string> near;
  bool known = false;
  for (const char* candidate : kKnownNames) {
    const std::string lower_candidate = lower(candidate);
    known = known || lower_candidate == lower_name;
    if (edit_distance(lower_candidate, lower_name) <= 1 + lower_name.size() / 4 ||
        (lower_name.size() > 2 && lower_candidate.find(lower_name) != std::string::npos)) {
      near.emplace_back(candidate);
    }
  }
  std::string message = "no data set '" + name + "'.";
  if (!known && !near.empty()) {
    message += " Did you mean";
    for (const std::string& candidate : near) message += " " + candidate;
    message += "?";
  }
  message += " Looked for a file or folder of that name, and in " + root.string() +
             " for planetoid/ind." + lower_name + ".graph, tu/" + name + ".zip and ogb/" +
             ogb_archive(lower_name) + ".zip.";
  if (known) message += " 'hgnet download " + name + "' fetches it.";
  throw UnknownDataset(message);
}

}  // namespace

fs::path default_cache_folder() { return user_folder("HGNET_CACHE", "cache"); }

Dataset load_dataset(const std::string& name_or_path, const LoadOptions& options) {
  const fs::path root = options.root.empty() ? default_data_root() : options.root;
  const std::string lower_name = lower(name_or_path == "D&D" ? "DD" : name_or_path);
  std::optional<Source> source;
  const bool is_path = lower_name.find('/') != std::string::npos;
  if (!is_path) source = find_named(lower_name, root);
  if (!source) source = find_at(name_or_path);
  if (!source && is_path) throw UnknownDataset("no file or folder " + name_or_path);
  if (!source) fail_unknown(name_or_path, lower_name, root);
  if (!options.use_cache) return read(*source, options);

  const fs::path folder =
      options.cache_folder.empty() ? default_cache_folder() : options.cache_folder;
  const CacheKey key = cache_key(*source, options);
  if (std::optional<Dataset> kept = read_cache(folder, key)) return *std::move(kept);
  Dataset dataset = read(*source, options);
  write_cache(folder, key, dataset);
  return dataset;
}

}  // namespace hgnet
