#include "hgnet/train/fit_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/nested_text.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/models/archive.hpp"
#include "hgnet/train/event_file.hpp"
#include "train/epoch_json.hpp"

namespace hgnet {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::milliseconds kFlushEvery{200};
constexpr const char* kConfig = "config.toml";
constexpr const char* kEpochs = "epochs.jsonl";
constexpr const char* kResult = "result.json";
constexpr const char* kColumns = "columns.json";

/// Whole lines of a file; what follows the last newline is left out.
std::vector<std::string> whole_lines(const fs::path& file) {
  std::vector<std::string> lines;
  if (!fs::exists(file)) return lines;
  const std::string text = read_whole(file);
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

void append_bytes(const fs::path& file, const std::string& bytes) {
  const auto fail = [&] {
    throw Error("cannot write " + file.string() + ": " + std::strerror(errno));
  };
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (descriptor < 0) fail();
  const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
  const bool whole = written == static_cast<ssize_t>(bytes.size());
  if (!whole && written >= 0) errno = ENOSPC;
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  if (!whole) fail();
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw Error("cannot make the folder " + folder.string() + ": " + failure.message());
}

}  // namespace

ColumnNames ColumnNames::of(const Dataset& dataset) {
  ColumnNames columns{dataset.target_kind, dataset.class_names, dataset.columns};
  for (std::int64_t t = 0; columns.kind != TargetKind::kClasses && t < dataset.num_tasks; ++t)
    columns.outputs.push_back(std::to_string(t));
  return columns;
}

FitFolder::FitFolder(fs::path folder, TrainConfig config)
    : folder_(std::move(folder)), config_(std::move(config)) {}

FitFolder FitFolder::create(const fs::path& folder, const TrainConfig& config,
                            const ColumnNames& columns) {
  make_folder(folder);
  if (!fs::is_empty(folder))
    throw Error("the folder " + folder.string() + " is not empty, and holds no fit to go on with");
  const nlohmann::ordered_json json{{"kind", enum_name(columns.kind)},
                                    {"outputs", columns.outputs},
                                    {"features", columns.features.kind},
                                    {"feature_names", columns.features.names},
                                    {"first_label", columns.features.first_label}};
  write_atomically(folder / kColumns,
                   json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  write_atomically(folder / kConfig, to_toml(config));
  return {folder, config};
}

bool FitFolder::is_fit(const fs::path& folder) { return fs::exists(folder / kConfig); }

FitFolder FitFolder::open(const fs::path& folder) {
  if (!is_fit(folder))
    throw Error(folder.string() + " holds no fit: there is no " + kConfig + " in it");
  const fs::path file = folder / kConfig;
  return {folder, train_config_from_toml(read_whole(file), file.string())};
}

ColumnNames FitFolder::columns() const {
  const fs::path file = folder_ / kColumns;
  try {
    const auto json = parse_json(read_whole(file), file.string());
    return {enum_value<TargetKind>(json.at("kind").get<std::string>()),
            json.at("outputs"),
            {json.at("features"), json.at("feature_names"), json.at("first_label")}};
  } catch (const nlohmann::json::exception& error) {
    throw InvalidFile(file.string(), 0, error.what());
  }
}

std::shared_ptr<const void> FitFolder::lock(const fs::path& folder) {
  make_folder(folder);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw Error("cannot read " + folder.string() + ": " + std::strerror(errno));
  std::shared_ptr<const void> lock(nullptr, [descriptor](const void*) { ::close(descriptor); });
  // Where the file system has no locks, one goes without.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw FitBusy("another process is running the fit in " + folder.string());
  return lock;
}

std::optional<FitRecord> FitFolder::result() const {
  const fs::path file = folder_ / kResult;
  if (!fs::exists(file)) return std::nullopt;
  return parse_fit_record(read_whole(file), file.string());
}

void FitFolder::write_result(const FitRecord& record) const {
  write_atomically(folder_ / kResult, to_json(record) + "\n");
}

std::vector<EpochRecord> FitFolder::restore(Fit& fit) const {
  if (fs::exists(checkpoint_file()))
    fit.restore(read_whole(checkpoint_file()), checkpoint_file().string());
  const fs::path file = folder_ / kEpochs;
  std::vector<std::string> lines = whole_lines(file);
  const auto done = static_cast<std::size_t>(fit.epochs_done());
  if (lines.size() < done)
    throw InvalidFile(file.string(), static_cast<std::int64_t>(lines.size()) + 1,
                      "ends before the checkpoint, which is of epoch " + std::to_string(done));
  lines.resize(done);
  std::vector<EpochRecord> records;
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    records.push_back(epoch_from_json(lines[i], file.string(), static_cast<std::int64_t>(i) + 1));
    text += lines[i] + "\n";
  }
  if (fs::exists(file)) write_atomically(file, text);
  return records;
}

void FitFolder::append(const EpochRecord& record) {
  pending_ += epoch_to_json(record) + "\n";
  if (std::chrono::steady_clock::now() - last_flush_ > kFlushEvery) flush();
}

void FitFolder::flush() {
  if (!pending_.empty()) append_bytes(folder_ / kEpochs, pending_);
  pending_.clear();
  last_flush_ = std::chrono::steady_clock::now();
}

void FitFolder::save(const Fit& fit) {
  flush();
  if (fit.best_epoch() > 0) save_model(*fit.best_model(), best_file());
  write_atomically(checkpoint_file(), fit.save());
}

void FitFolder::drop_checkpoint() const {
  std::error_code ignored;
  fs::remove(checkpoint_file(), ignored);
  fs::remove(folder_ / EventFile::kName, ignored);
}

}  // namespace hgnet
