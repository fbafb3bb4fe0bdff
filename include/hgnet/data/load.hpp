#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "hgnet/core/enum_names.hpp"
#include "hgnet/data/dataset.hpp"
#include "hgnet/data/registry.hpp"

namespace hgnet {

/// What the labels of one's own nodes are.
enum class Targets {
  kAuto,        // numbers to predict where all are numbers but not all integers, else classes
  kClasses,     // whatever they look like
  kRegression,  // numbers to predict
};

template <>
struct EnumNames<Targets> {
  static constexpr const char* what = "task";
  static constexpr std::array<std::pair<Targets, const char*>, 3> values{
      {{Targets::kAuto, "auto"},
       {Targets::kClasses, "classes"},
       {Targets::kRegression, "regression"}}};
};

/// What is done with a graph whose file says that it is directed.
enum class Directed {
  kError,
  kSymmetrise,  // every edge in both directions, with the mean of both weights. Also for csv.
};

template <>
struct EnumNames<Directed> {
  static constexpr const char* what = "treatment of directed graphs";
  static constexpr std::array<std::pair<Directed, const char*>, 2> values{
      {{Directed::kError, "error"}, {Directed::kSymmetrise, "symmetrise"}}};
};

/// Whether models get the features of edges; those that have no use for them never do.
enum class EdgeFeatures {
  kAuto,  // of the user's own data
  kUse,
  kIgnore,
};

template <>
struct EnumNames<EdgeFeatures> {
  static constexpr const char* what = "use of edge features";
  static constexpr std::array<std::pair<EdgeFeatures, const char*>, 3> values{
      {{EdgeFeatures::kAuto, "auto"},
       {EdgeFeatures::kUse, "use"},
       {EdgeFeatures::kIgnore, "ignore"}}};
};

struct LoadOptions {
  /// Folder of named data sets, with subfolders planetoid, tu, ogb and roads. Empty:
  /// default_data_root().
  std::filesystem::path root = {};
  /// Folder where parsed data sets are cached. Empty: default_cache_folder().
  std::filesystem::path cache_folder = {};
  bool use_cache = true;
  /// TU sets: put node attributes before the one-hot node labels, as dense rows.
  bool node_attributes = false;
  /// TU sets: read labels and attributes of edges. Tables of edges are read in any case.
  EdgeFeatures edge_features = EdgeFeatures::kAuto;
  // Tables of nodes and edges (csv, GraphML, GML, JSON):

  /// What is predicted.
  Targets targets = Targets::kAuto;
  /// Names of the columns of labels, separated by commas; empty: "label".
  std::string label_column = {};
  /// Names of columns that are categories whatever their cells look like.
  std::string categorical = {};
  Directed directed = Directed::kError;

  /// Color-connectivity sets: what is drawn from, and how much; 0 samples: as many as the paper
  /// has.
  std::uint64_t cc_seed = 0;
  std::int64_t cc_samples = 0;
};

/// HGNET_CACHE, or else hgnet/cache in the user's cache folder; empty where the environment names
/// none of these, and then nothing is kept.
std::filesystem::path default_cache_folder();

/// Loads a data set by name or by path. Names (case does not matter): cora, citeseer, pubmed; any
/// TU set below root/tu, as NAME.zip or folder NAME; ogbg-mol... and peptides-func below root/ogb;
/// color-connectivity, unless there are files of that name: cc-grid16, cc-grid32 and other sizes
/// (cc-grid24, cc-grid12x9), cc-euroroad and cc-minnesota, whose graphs are below root/roads, and
/// crossings such as cc-crossing32:4.
/// Anything else, or anything with a '/' in it, is the path of the user's own data: a folder or zip
/// archive in TU format, with nodes.csv and edges.csv, or in OGB's format; or a file that
/// read_graph reads, which gives a data set without labels.
///
/// What was parsed or drawn once is kept in the cache folder and taken from there as long as the
/// files' names and bytes stay the same, by their checksum; a cache that cannot be read or written
/// is ignored.
///
/// Throws InvalidFile, naming the file, line and field; UnknownDataset, with similar names and the
/// places searched.
Dataset load_dataset(const std::string& name_or_path, const LoadOptions& options = {});

}  // namespace hgnet
