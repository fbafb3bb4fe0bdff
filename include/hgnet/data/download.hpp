#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "hgnet/data/registry.hpp"

namespace hgnet {

struct DownloadProgress {
  std::string path;  // of the file, relative to the root
  std::int64_t received = 0;
  std::int64_t total = -1;  // -1: the server does not say
};

struct DownloadOptions {
  std::filesystem::path root;  // empty: default_data_root()
  /// A URL below which files have the same paths as below the root; used instead of the publishers'
  /// URLs.
  std::string mirror;
  int stall_seconds = 30;  // an attempt fails after this time without data
  int attempts = 3;        // per file; each continues where the previous one stopped
  /// Called periodically; an exception it throws ends the download.
  std::function<void(const DownloadProgress&)> progress;
};

enum class FileState { kPresent, kFetched };

struct DownloadedFile {
  std::filesystem::path place;
  FileState state = FileState::kPresent;
  std::int64_t bytes = 0;
  bool verified = false;  // by a known SHA-256; else it was only unpacked, if it is an archive
};

/// Brings all files of the data set below the root. Files that are there and right are left alone.
/// Others are fetched into NAME.part, which a later call goes on with if this one is broken off,
/// verified, and moved into place. Of an archive with known sums only the members that have one
/// come into place, and stay there. A file that is longer than it can be is not fetched to its end.
/// Throws DownloadFailed when a file cannot be fetched or what came is not the known file; what was
/// in place then still is.
std::vector<DownloadedFile> download(const KnownDataset& dataset, const DownloadOptions& options);

/// Says where to get each file of the data set and where to put it.
std::string how_to_place_by_hand(const KnownDataset& dataset, const std::filesystem::path& root);

}  // namespace hgnet
