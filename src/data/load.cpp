#include "hgnet/data/load.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/regular_file.hpp"
#include "data/cache.hpp"
#include "data/features.hpp"
#include "data/graph_formats.hpp"
#include "data/readers.hpp"
#include "data/user_folder.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/nearest_name.hpp"
#include "hgnet/data/color_dataset.hpp"
#include "hgnet/data/matched.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

/// NAME.zip or the folder NAME, ignoring case.
std::optional<fs::path> find_zip_or_folder(const fs::path& folder, const std::string& lower_name) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = lower_case(entry.path().filename().string());
    if (name == lower_name + ".zip" || (name == lower_name && entry.is_directory())) {
      return entry.path();
    }
  }
  return std::nullopt;
}

enum class Form { kPlanetoid, kTu, kOgb, kCsvGraph, kGraphFile };

/// The files of a data set, and their format.
struct Source {
  Form form;
  std::string name;
  FileSet files;
  std::string graph_file = {};  // for Form::kGraphFile
};

/// OGB's name for the archive of ogbg-mol...
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
    const RegularFile readable(place);
    const std::string file = place.filename().string();
    return Source{Form::kGraphFile, name, FileSet(place.parent_path(), file), file};
  }
  FileSet files(place);
  if (files.find_prefix("_A.txt")) return Source{Form::kTu, name, std::move(files)};
  if (files.find("raw/edge.csv")) return Source{Form::kOgb, name, std::move(files)};
  if (files.find("nodes.csv")) return Source{Form::kCsvGraph, name, std::move(files)};
  files.fail(
      "contains no data set; expected NAME_A.txt with its companions, nodes.csv and edges.csv, "
      "or raw/edge.csv");
}

/// The file's ending, .gz apart.
std::string ending_of(const fs::path& file) {
  return file.extension() == ".gz" ? file.stem().extension().string() : file.extension().string();
}

Dataset read_graph_file(const FileSet& files, const std::string& file, const LoadOptions& options) {
  if (auto tables = read_graph_tables(files.open(file), ending_of(file)))
    return dataset_of(*std::move(tables), options);
  Dataset dataset;
  NamedGraph named = read_named_graph(files.open(file), ending_of(file));
  dataset.graphs.push_back(std::move(named.graph));
  dataset.sample_names = std::move(named.names);
  dataset.notes = std::move(named.notes);
  dataset.node_offsets = {0, dataset.graphs.front().num_nodes()};
  dataset.classes.assign(dataset.num_nodes(), kUnlabelled);
  dataset.features = one_hot_degrees(dataset.graphs);
  dataset.columns.kind = kNodeDegrees;
  return dataset;
}

Dataset read(const Source& source, const LoadOptions& options, bool edge_features) {
  const auto parse = [&]() -> Dataset {
    switch (source.form) {
      case Form::kPlanetoid: return read_planetoid(source.files, source.name);
      case Form::kTu: return read_tu(source.files, {options.node_attributes, edge_features});
      case Form::kOgb: return read_ogb(source.files);
      case Form::kCsvGraph: return read_csv_graph(source.files, options);
      case Form::kGraphFile: return read_graph_file(source.files, source.graph_file, options);
    }
    return {};
  };
  try {
    Dataset dataset = parse();
    dataset.name = source.name;
    validate(dataset);
    return dataset;
  } catch (const InvalidDataset& error) {
    source.files.fail(error.what());
  } catch (const InvalidGraph& error) {
    source.files.fail(error.what());
  }
}

/// How a data set is made, and what it depends on.
struct Origin {
  CacheKey key;
  std::vector<fs::path> sources;
  std::function<Dataset()> make;
  bool own = false;  // the user's files
};

/// The files that reading the data set depends on; others may lie beside them.
std::vector<fs::path> sources_of(const Source& source) {
  const std::string prefix =
      source.form == Form::kTu ? source.files.find_prefix("_A.txt").value_or("") : "";
  return source.files.sources([&](const std::string& name) {
    const std::string file = name.substr(name.rfind('/') + 1);
    switch (source.form) {
      case Form::kPlanetoid: return true;
      case Form::kTu: return name.starts_with(prefix);
      case Form::kOgb: return name.find(".csv") != std::string::npos;
      case Form::kCsvGraph:
        return file.starts_with("nodes.csv") || file.starts_with("edges.csv") ||
               file.starts_with("graphs.csv");
      case Form::kGraphFile: return name == source.graph_file;
    }
    return true;
  });
}

Origin origin_of(const Source& source, const LoadOptions& options, bool own = false) {
  const bool edge_features =
      source.form == Form::kTu && (options.edge_features == EdgeFeatures::kUse ||
                                   (options.edge_features == EdgeFeatures::kAuto && own));
  CacheKey key;
  key.name = source.name;
  key.what = source.name + "\n" + fs::absolute(source.files.place()).string() + "/" +
             source.graph_file + "\nform " + std::to_string(static_cast<int>(source.form)) +
             "\nattributes " + std::to_string(options.node_attributes) +
             (edge_features ? " of edges" : "") + "\ntargets " +
             std::string(enum_name(options.targets)) + "\nlabels " + options.label_column +
             "\ncategorical " + options.categorical + "\ndirected " +
             std::string(enum_name(options.directed));
  return {key, sources_of(source), [=] { return read(source, options, edge_features); }, own};
}

constexpr int kJudgeRounds = 2;

Dataset draw_samples(const std::string& name, const ColorGround& ground, bool matched,
                     const LoadOptions& options) {
  ColorConnectivityOptions drawing;
  drawing.num_samples = options.cc_samples > 0 ? options.cc_samples : ground.num_samples;
  drawing.seed = options.cc_seed;
  drawing.starts = ground.starts;
  drawing.task = ground.task;
  drawing.radius = ground.radius;
  drawing.windows = ground.windows;
  drawing.num_threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 16U));
  Dataset dataset;
  if (matched) {
    const MatchedColourings colourings =
        match_colourings(ground.graph, drawing, wl_judge(kJudgeRounds, drawing.num_threads));
    dataset = color_dataset(colourings.samples);
    dataset.facts = colourings.facts();
  } else {
    dataset = color_dataset(generate_color_connectivity(ground.graph, drawing));
  }
  dataset.name = name;
  return dataset;
}

/// The numbers in the name may leave no room for a window, or be out of range.
Dataset draw_crossings(const std::string& name, const ColorGround& ground,
                       const LoadOptions& options) {
  try {
    return draw_samples(name, ground, false, options);
  } catch (const Error& error) {
    throw UnknownDataset("no data set '" + name + "': " + error.what());
  }
}

/// The variant of a color-connectivity set, "fixed-starts" of "cc-grid16".
ColorVariant variant_of(const std::string& set, const std::string& variant) {
  std::string there;
  for (const ColorVariant& known : color_variants()) {
    if (!set.starts_with(known.sets)) continue;
    if (variant == known.name) return known;
    there += (there.empty() ? "" : ", ") + set + ":" + known.name;
  }
  throw UnknownDataset("no variant '" + variant + "' of " + set + "; " +
                       (there.empty() ? "it has none" : "it has " + there));
}

/// A color-connectivity set, which is drawn, not read.
std::optional<Origin> find_color(const std::string& full_name, const fs::path& root,
                                 const LoadOptions& options) {
  CacheKey key;
  key.name = full_name;
  key.what = full_name + "\nseed " + std::to_string(options.cc_seed) + "\nsamples " +
             std::to_string(options.cc_samples) + "\n";
  if (const auto crossing = crossing_ground(full_name))
    return Origin{key, {}, [=] { return draw_crossings(full_name, *crossing, options); }};
  const std::size_t colon = full_name.find(':');
  const std::string name = full_name.substr(0, colon);
  ColorVariant variant{};
  if (name.starts_with("cc-") && colon != std::string::npos)
    variant = variant_of(name, full_name.substr(colon + 1));
  const auto draw = [=](ColorGround ground) {
    ground.starts = variant.starts.value_or(ground.starts);
    return draw_samples(full_name, ground, variant.matched, options);
  };
  if (const auto grid = grid_ground(name)) {
    return Origin{key, {}, [=] { return draw(*grid); }, false};
  }
  if (name != "cc-euroroad" && name != "cc-minnesota") return std::nullopt;
  const KnownDataset& known = known_dataset(name);
  const fs::path file = root / known.files.front().path;
  if (!on_disk(known, root)) {
    throw MissingDataset(name + " is generated from " + file.string() + ", which does not exist",
                         name, root.string());
  }
  key.what += fs::absolute(file).string();
  const std::string road = name.substr(name.find('-') + 1);
  return Origin{key, {file}, [=] { return draw(*road_ground(road, file)); }, false};
}

[[noreturn]] void fail_unknown(const std::string& name, const std::string& lower_name,
                               const fs::path& root) {
  std::vector<std::string> names;
  bool known = false;
  for (const KnownDataset& set : known_datasets()) {
    names.push_back(set.name);
    known = known || lower_case(set.name) == lower_name;
  }
  std::string message = "no data set '" + name + "'. ";
  if (!known) message += suggestions(name, names);
  message += "Looked for a file or folder of that name, and in " + root.string() +
             " for planetoid/ind." + lower_name + ".graph, tu/" + name + ".zip and ogb/" +
             ogb_archive(lower_name) + ".zip.";
  if (!known) throw UnknownDataset(message);
  throw MissingDataset(message, name, root.string());
}

Origin find_origin(const std::string& name_or_path, const LoadOptions& options) {
  if (name_or_path.find('/') != std::string::npos) {
    if (const auto source = find_at(name_or_path)) return origin_of(*source, options, true);
    throw UnknownDataset("no file or folder " + name_or_path);
  }
  const fs::path root = options.root.empty() ? default_data_root() : options.root;
  const std::string lower_name = lower_case(name_or_path == "D&D" ? "DD" : name_or_path);
  if (const auto source = find_named(lower_name, root)) return origin_of(*source, options);
  if (const auto color = find_color(lower_name, root, options)) return *color;
  if (const auto source = find_at(name_or_path)) return origin_of(*source, options, true);
  fail_unknown(name_or_path, lower_name, root);
}

}  // namespace

fs::path default_cache_folder() { return user_folder("HGNET_CACHE", "cache"); }

namespace {

Dataset load_from(Origin& origin, const LoadOptions& options) {
  const fs::path folder =
      options.cache_folder.empty() ? default_cache_folder() : options.cache_folder;
  if (!options.use_cache || folder.empty()) return origin.make();
  origin.key.state = state_of(origin.sources);
  if (std::optional<Dataset> kept = read_cache(folder, origin.key)) return *std::move(kept);
  Dataset dataset = origin.make();
  // What was changed while it was read is not known by either state.
  if (state_of(origin.sources) == origin.key.state) write_cache(folder, origin.key, dataset);
  return dataset;
}

}  // namespace

Dataset load_dataset(const std::string& name_or_path, const LoadOptions& options) {
  Origin origin = find_origin(name_or_path, options);
  Dataset dataset = load_from(origin, options);
  dataset.own = origin.own;
  return dataset;
}

}  // namespace hgnet
