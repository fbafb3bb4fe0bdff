#include <algorithm>
#include <set>

#include "data/byte_stream.hpp"
#include "data/gzip.hpp"
#include "hgnet/records/fit_record.hpp"

namespace hgnet {
namespace {

constexpr std::size_t kMaxFile = std::size_t{4} << 30;

bool may_hold_records(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  if (name == "epochs.jsonl") return false;  // a fit's log, next to its result.json
  return name == "result.json" || name.ends_with(".jsonl") || name.ends_with(".jsonl.gz");
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           folder, std::filesystem::directory_options::skip_permission_denied)) {
    // A pipe or a link to nowhere is not passed over: reading it says what it is.
    if (!entry.is_directory() && may_hold_records(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Keeps only the first of equal records.
template <class Record>
void drop_copies(std::vector<Record>& records) {
  std::set<std::string> seen;
  std::erase_if(records,
                [&](const Record& record) { return !seen.insert(to_json(record)).second; });
}

void read_file(const std::filesystem::path& file, Records& records) {
  ByteStream stream = ByteStream::from_file(file);
  parse_records(stream.read_all(kMaxFile), file.string(), records);
}

}  // namespace

std::string packed(const Records& records) {
  std::string lines;
  for (const FitRecord& fit : records.fits) lines += to_json(fit) + "\n";
  for (const ProbeRecord& probe : records.probes) lines += to_json(probe) + "\n";
  return gzipped(lines);
}

Records read_records(std::span<const std::filesystem::path> places,
                     const std::function<bool(const std::filesystem::path&)>& leaves_out) {
  Records records;
  for (const std::filesystem::path& place : places) {
    if (!std::filesystem::is_directory(place)) {
      read_file(place, records);
      continue;
    }
    const std::vector<std::filesystem::path> files = files_below(place);
    if (files.empty())
      records.notes.push_back(place.string() + ": contains no result.json, *.jsonl or *.jsonl.gz");
    for (const std::filesystem::path& file : files) {
      if (!leaves_out || !leaves_out(file)) read_file(file, records);
    }
  }
  drop_copies(records.fits);
  drop_copies(records.probes);
  return records;
}

}  // namespace hgnet
