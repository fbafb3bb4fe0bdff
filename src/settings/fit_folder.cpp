#include "hgnet/settings/fit_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "core/field_json.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/settings/protocol.hpp"
#include "records/json_tree.hpp"
#include "settings/epoch_json.hpp"

namespace hgnet {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::milliseconds kFlushEvery{200};
constexpr const char* kConfig = "config.toml";
constexpr const char* kEpochs = "epochs.jsonl";
constexpr const char* kResult = "result.json";
constexpr const char* kColumns = "columns.json";

/// The complete lines of a file; anything after the last newline is left out.
std::vector<std::string> whole_lines(const fs::path& file) {
  std::vector<std::string> lines;
  if (!fs::exists(file)) return lines;
  const std::string text = read_whole(file);
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error("cannot create the folder " + folder.string() + ": " + failure.message());
}

/// What a process leaves that is killed before config.toml is in place: columns.json, and files
/// that were not renamed yet.
bool is_leftover(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with(kColumns) || name.starts_with(std::string(kConfig) + ".") ||
         name.starts_with(std::string(kPlanFile) + ".");
}

/// Before the first epoch rather than after the last.
void check_reads_back(const TrainConfig& config, const fs::path& file) {
  const TrainConfig read = train_config_from_toml(to_toml(config), file.string());
  const std::string difference = first_difference(config, read, {});
  if (!difference.empty())
    throw Error(file.string() + " cannot hold these settings (given and read back): " + difference);
}

/// A record says with which settings the fit ran.
void check_settings(const FitRecord& record, const TrainConfig& config, const fs::path& file) {
  for (const auto& [name, ours] : recorded_settings(config)) {
    const auto found = record.config.find(name);
    if (found == record.config.end() ||
        std::find(kMayChange.begin(), kMayChange.end(), name) != kMayChange.end())
      continue;
    if (found->second != ours)
      throw InvalidFile(file.string(), 0,
                        "the fit ran with " + name + " " + found->second.text() + ", but " +
                            kConfig + " has " + ours.text() + ": one of them was edited");
  }
}

}  // namespace

JsonFields recorded_settings(TrainConfig config) {
  const fs::path first_weights = fs::path(config.init_from) / "";
  config.init_from = first_weights.parent_path().filename().string();
  JsonFields fields;
  for_each_train_field(config, [&](const std::string& name, const auto& field, const char*) {
    if (name == "root") return;
    fields[name] = json_value(value_to_json(field));
  });
  return fields;
}

FitFolder::FitFolder(fs::path folder, TrainConfig config)
    : folder_(std::move(folder)), config_(std::move(config)) {}

FitFolder FitFolder::create(const fs::path& folder, const TrainConfig& config,
                            const ColumnNames& columns) {
  check_reads_back(config, folder / kConfig);
  const std::string names = to_json(columns) + "\n";
  make_folder(folder);
  if (!is_free(folder))
    throw Error("the folder " + folder.string() + " is not empty and holds no fit to continue");
  write_atomically(folder / kColumns, names);
  write_atomically(folder / kConfig, to_toml(config));
  return {folder, config};
}

bool FitFolder::is_free(const fs::path& folder) {
  if (!fs::exists(folder)) return true;
  if (!fs::is_directory(folder)) return false;
  std::error_code failure;
  const fs::directory_iterator entries(folder, failure);
  if (failure) throw Error("cannot read the folder " + folder.string() + ": " + failure.message());
  return std::all_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
    return entry.is_regular_file() && is_leftover(entry.path());
  });
}

bool FitFolder::is_fit(const fs::path& folder) { return fs::exists(folder / kConfig); }

FitFolder FitFolder::open(const fs::path& folder) {
  if (!is_fit(folder))
    throw Error(folder.string() + " holds no fit: there is no " + kConfig + " in it");
  const fs::path file = folder / kConfig;
  return {folder, train_config_from_toml(read_whole(file), file.string())};
}

ColumnNames FitFolder::columns() const {
  const std::string file = (folder_ / kColumns).string();
  ColumnNames columns = columns_from_json(read_whole(file), file);
  if (std::ssize(columns.outputs) != config_.network.outputs)
    throw InvalidFile(file, 0,
                      "names " + std::to_string(columns.outputs.size()) + " outputs; " + kConfig +
                          " has " + std::to_string(config_.network.outputs));
  return columns;
}

std::shared_ptr<const void> FitFolder::lock(const fs::path& folder) {
  make_folder(folder);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw Error("cannot read " + folder.string() + ": " + std::strerror(errno));
  std::shared_ptr<const void> lock(nullptr, [descriptor](const void*) { ::close(descriptor); });
  // If the file system has no locks, continue without.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw FitBusy("another process is running the fit in " + folder.string());
  return lock;
}

bool FitFolder::is_locked(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return locked;
}

std::optional<FitRecord> FitFolder::result() const {
  const fs::path file = folder_ / kResult;
  if (!fs::exists(file)) return std::nullopt;
  FitRecord record = parse_fit_record(read_whole(file), file.string());
  check_settings(record, config_, file);
  return record;
}

void FitFolder::write_result(const FitRecord& record) const {
  write_atomically(folder_ / kResult, to_json_with_checksum(record) + "\n");
}

void FitFolder::check_can_go_on() const {
  result();  // throws if it was edited
  if (fs::exists(best_file()) && !fs::is_regular_file(best_file()))
    throw Error(best_file().string() + " is not a file");
  if (fs::exists(folder_ / kResult) && !fs::exists(checkpoint_file()))
    throw Error("the fit in " + folder_.string() + " has no checkpoint to go on from");
}

void FitFolder::reopen(const TrainConfig& config) {
  // In this order: without its result, a fit goes on from the checkpoint under either settings.
  fs::remove(folder_ / kResult);
  write_atomically(folder_ / kConfig, to_toml(config));
  config_ = config;
}

std::vector<EpochRecord> FitFolder::keep_epochs(std::int64_t done) const {
  const fs::path file = folder_ / kEpochs;
  std::vector<std::string> lines = whole_lines(file);
  if (std::ssize(lines) < done)
    throw InvalidFile(file.string(), std::ssize(lines) + 1,
                      "ends before the checkpoint, which is of epoch " + std::to_string(done));
  lines.resize(static_cast<std::size_t>(done));
  std::vector<EpochRecord> records;
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    records.push_back(epoch_from_json(lines[i], file.string(), static_cast<std::int64_t>(i) + 1));
    text += lines[i] + "\n";
  }
  if (fs::exists(file)) write_atomically(file, text);
  return records;
}

double FitFolder::seconds_so_far() const {
  const fs::path file = folder_ / kEpochs;
  const std::vector<std::string> lines = whole_lines(file);
  double seconds = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const EpochRecord epoch =
        epoch_from_json(lines[i], file.string(), static_cast<std::int64_t>(i) + 1);
    seconds += epoch.train_seconds + epoch.evaluate_seconds;
  }
  return seconds;
}

void FitFolder::append(const EpochRecord& record) {
  pending_ += epoch_to_json(record) + "\n";
  if (std::chrono::steady_clock::now() - last_flush_ > kFlushEvery) flush();
}

void FitFolder::flush() {
  if (!pending_.empty()) append_to_file(folder_ / kEpochs, pending_);
  pending_.clear();
  last_flush_ = std::chrono::steady_clock::now();
}

void FitFolder::drop_checkpoint() const {
  std::error_code ignored;
  fs::remove(checkpoint_file(), ignored);
  fs::remove(folder_ / kEvents, ignored);
}

std::vector<FitFolder> fits_in(const fs::path& folder) {
  if (FitFolder::is_fit(folder)) return {FitFolder::open(folder)};
  std::vector<fs::path> places;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, ignored)) {
    if (entry.is_directory() && FitFolder::is_fit(entry.path())) places.push_back(entry.path());
  }
  if (places.empty()) throw Error("no fit in " + folder.string());
  std::sort(places.begin(), places.end());
  std::vector<FitFolder> fits;
  for (const fs::path& place : places) fits.push_back(FitFolder::open(place));
  return fits;
}

fs::path folder_of_model(const FitFolder& fit, const fs::path& run) {
  const fs::path parent = fit.path().parent_path();
  std::error_code ignored;
  return fs::equivalent(parent, run, ignored) ? fit.path() : parent;
}

}  // namespace hgnet
