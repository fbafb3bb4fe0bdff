#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "hgnet/data/dataset.hpp"
#include "hgnet/data/registry.hpp"

namespace hgnet {

struct LoadOptions {
  /// Folder of named data sets, with subfolders planetoid, tu, ogb and roads. Empty:
  /// default_data_root().
  std::filesystem::path root = {};
  /// Folder where parsed data sets are cached. Empty: default_cache_folder().
  std::filesystem::path cache_folder = {};
  bool use_cache = true;
  /// TU sets: put node attributes before the one-hot node labels, as dense rows.
  bool node_attributes = false;
  /// Color-connectivity sets: seed and number of samples; 0 samples: as many as in the paper.
  std::uint64_t cc_seed = 0;
  std::int64_t cc_samples = 0;
};

/// HGNET_CACHE, or else hgnet/cache in the user's cache folder.
std::filesystem::path default_cache_folder();

/// Loads a data set by name or by path. Names (case does not matter): cora, citeseer, pubmed; any
/// TU set below root/tu, as NAME.zip or folder NAME; ogbg-mol... and peptides-func below root/ogb;
/// color-connectivity, unless there are files of that name: cc-grid16, cc-grid32 and other sizes
/// (cc-grid24, cc-grid12x9), cc-euroroad and cc-minnesota, whose graphs are below root/roads.
/// Anything else, or anything with a '/' in it, is the path of the user's own data: a folder or zip
/// archive in TU format, with nodes.csv and edges.csv, or in OGB's format; or a file that
/// read_graph reads, which gives a data set without labels.
///
/// Parsed or generated data sets are kept in the cache folder and reused as long as the sizes and
/// times of their files stay the same. A cache that cannot be read or written is ignored.
///
/// Throws InvalidFile, naming the file, line and field; UnknownDataset, with similar names and the
/// places searched.
Dataset load_dataset(const std::string& name_or_path, const LoadOptions& options = {});

}  // namespace hgnet
