#include "hgnet/data/download.hpp"

#include <algorithm>
#include <system_error>

#include "data/archive_walk.hpp"
#include "data/fetch.hpp"
#include "data/readers.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/data/graph_file.hpp"
#include "hgnet/data/verify.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

fs::path root_of(const DownloadOptions& options) {
  return options.root.empty() ? default_data_root() : options.root;
}

std::string url_of(const KnownFile& file, const DownloadOptions& options) {
  if (options.mirror.empty()) {
    if (file.url.empty()) throw DownloadFailed(file.path + " is not published in this form");
    return file.url;
  }
  return options.mirror + (options.mirror.ends_with('/') ? "" : "/") + file.path;
}

/// Road networks are published as an archive with a MatrixMarket file in it.
bool needs_conversion(const KnownFile& file, const std::string& url) {
  return file.path.ends_with(".edges") && url.ends_with(".zip");
}

/// "nodes edges", then each edge once, sorted, nodes counted from 1.
std::string edges_text(const Graph& graph) {
  std::string text =
      std::to_string(graph.num_nodes()) + " " + std::to_string(graph.num_undirected_edges()) + "\n";
  for (NodeId u = 0; u < graph.num_nodes(); ++u) {
    for (const NodeId v : graph.neighbours(u)) {
      if (u < v) text += std::to_string(u + 1) + " " + std::to_string(v + 1) + "\n";
    }
  }
  return text;
}

/// A file that, if it exists, is deleted when this goes out of scope.
struct Scratch {
  fs::path path;
  ~Scratch() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

/// The network in an archive's .mtx file, as a file of edges.
void convert_road(const fs::path& archive, const fs::path& edges) {
  std::string matrix;
  walk_archive(archive, {}, [&](const std::string& member) -> Sink {
    if (member.ends_with(".mtx")) matrix = member;
    return {};
  });
  if (matrix.empty()) throw InvalidFile(archive.string(), 0, "has no .mtx file");
  write_atomically(edges, edges_text(read_graph(ByteStream::from_zip(archive, matrix), ".mtx")));
}

/// What a file has at most, or the archive it comes in, by what is known of it: packed, members are
/// hardly ever longer than they are.
std::int64_t most_bytes(const KnownFile& file, bool convert) {
  constexpr std::int64_t kOfAnyFile = std::int64_t{1} << 30;
  constexpr std::int64_t kReadmes = std::int64_t{16} << 20;
  std::int64_t longest = 0;
  std::int64_t all = 0;
  for (const KnownSum& sum : file.sums) {
    if (sum.bytes == 0) return kOfAnyFile;
    longest = std::max(longest, sum.bytes);
    all += sum.bytes;
  }
  if (all == 0) return kOfAnyFile;
  return convert || file.path.ends_with(".zip") ? all + kReadmes : longest;
}

void move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) throw DownloadFailed("cannot move to " + to.string() + ": " + error.message());
}

/// Of an archive with known sums, only the members that have one: what else is in there would be
/// read as part of the data set.
void put_known_members(const fs::path& from, const KnownFile& file, const fs::path& place) {
  const Scratch kept{place.string() + ".kept"};
  try {
    keep_known_members(from, file, kept.path);
  } catch (const InvalidFile&) {
    throw;
  } catch (const Error& error) {
    throw DownloadFailed(error.what());
  }
  move(kept.path, place);
}

/// Verifies what has come and moves it into place.
void put_into_place(const PartFile& part, const KnownFile& file, bool convert,
                    const fs::path& place) {
  if (convert) {
    const Scratch edges{part.path().string() + ".edges"};
    convert_road(part.path(), edges.path);
    verify_file(edges.path, file);
    move(edges.path, place);
  } else if (file.path.ends_with(".zip") && !file.sums.empty()) {
    put_known_members(part.path(), file, place);
  } else {
    verify_file(part.path(), file);
    move(part.path(), place);
    return;
  }
  fs::remove(part.path());
}

/// Whether the known file is in place. Members that are not known go.
bool is_right(const fs::path& place, const KnownFile& file) {
  try {
    const bool others = !verify_file(place, file).empty();
    if (others && !file.sums.empty()) put_known_members(place, file, place);
    return true;
  } catch (const InvalidFile&) {
    return false;
  }
}

void fetch_into_place(const KnownFile& file, const fs::path& place,
                      const DownloadOptions& options) {
  const std::string url = url_of(file, options);
  const bool convert = needs_conversion(file, url);
  FetchOptions fetching{options.stall_seconds, options.attempts, most_bytes(file, convert), {}};
  if (options.progress) {
    fetching.progress = [&](std::int64_t received, std::int64_t total) {
      options.progress({file.path, received, total});
    };
  }
  PartFile part(place.string() + ".part");
  while (true) {
    const bool resumed = part.size() > 0;
    fetch(url, part, fetching);
    try {
      put_into_place(part, file, convert, place);
      return;
    } catch (const InvalidFile& invalid) {
      // If there was an old part, that may be the cause, so everything is fetched once more.
      if (!part.clear() || !resumed) {
        throw DownloadFailed(url + " is not the known file: " + invalid.what());
      }
    }
  }
}

}  // namespace

std::vector<DownloadedFile> download(const KnownDataset& dataset, const DownloadOptions& options) {
  const fs::path root = root_of(options);
  std::vector<DownloadedFile> files;
  for (const KnownFile& file : dataset.files) {
    const fs::path place = root / file.path;
    const bool present = fs::is_regular_file(place) && is_right(place, file);
    if (!present) fetch_into_place(file, place, options);
    files.push_back({place, present ? FileState::kPresent : FileState::kFetched,
                     static_cast<std::int64_t>(fs::file_size(place)), !file.sums.empty()});
  }
  return files;
}

std::string how_to_place_by_hand(const KnownDataset& dataset, const fs::path& root) {
  std::string text;
  for (const KnownFile& file : dataset.files) {
    const std::string place = (root / file.path).string();
    if (file.url.empty()) {
      text += "  a copy of " + file.path + "\n    as " + place + "\n";
    } else if (needs_conversion(file, file.url)) {
      text += "  " + file.url + "\n    unpack it; the .mtx file's edges as " + place +
              " (first line 'nodes edges')\n";
    } else {
      text += "  " + file.url + "\n    as " + place + "\n";
    }
  }
  return text;
}

}  // namespace hgnet
