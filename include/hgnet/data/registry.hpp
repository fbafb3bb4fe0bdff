#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hgnet {

/// What a sum is of: all bytes, or the edges that the text lists, whatever their order (lines "u v"
/// with u <= v, sorted, each once).
enum class SumOf { kBytes, kEdges };

/// The SHA-256 that a file has, or a member of an archive.
struct KnownSum {
  std::string member;      // empty: the file itself
  std::string sha256;      // 64 hexadecimal digits
  std::int64_t bytes = 0;  // how long it is; 0: not known
  SumOf of = SumOf::kBytes;
};

/// A file of a data set.
struct KnownFile {
  std::string path;  // below the data root
  std::string url;   // at its publisher; empty: not available
  /// Every member listed here must exist and have its sum. If several sums of the file itself are
  /// listed, it must have one of them: a road network's file can hold the publisher's edges in two
  /// orders.
  std::vector<KnownSum> sums;
};

/// What is known about a data set without reading it.
struct KnownDataset {
  std::string name;
  std::string task;  // what is predicted
  std::int64_t graphs = 0;
  double nodes = 0;      // per graph, on average
  double edges = 0;      // undirected, each counted once; per graph, on average
  std::string features;  // of each node
  int classes = 0;       // or number of targets, if there are several
  std::string protocol;
  std::string metric;
  std::string source;  // a web page, or the graph it is generated on
  std::vector<KnownFile> files;
};

/// All known data sets: those of the paper's table in its order, with more of each kind in between.
/// This is the only list of names; suggestions for mistyped names come from it.
std::span<const KnownDataset> known_datasets();

/// By name; case does not matter. Throws UnknownDataset, with similar names and the full list.
const KnownDataset& known_dataset(std::string_view name);

/// Whether all files of the data set exist; reads none of them.
bool on_disk(const KnownDataset& dataset, const std::filesystem::path& root);

/// HGNET_DATA, or else hgnet/data in the user's cache folder (XDG_CACHE_HOME, ~/.cache). Throws
/// Error where the environment names none of these: a folder that all users share is no place for
/// data.
std::filesystem::path default_data_root();

/// The same, or empty.
std::filesystem::path user_data_root();

}  // namespace hgnet
