// Trains while one call to the system fails: the n-th of its kind, for every n.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <set>

#include "hgnet/config/model_table.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/train/event_file.hpp"
#include "hgnet/train/fit_run.hpp"
#include "support/files.hpp"
#include "support/runs.hpp"

namespace {

enum class Call { kNone, kWrite, kShortWrite, kPwrite, kRead, kRename, kSync, kTruncate, kLink };

/// Which call fails. Only files below the folder count.
struct Fault {
  std::string below;
  Call call = Call::kNone;
  int left = 0;  // the call at which it is 1 fails
  bool happened = false;

  bool is_due(Call now, const std::string& file) {
    if (now != call || !file.starts_with(below)) return false;
    if (left == 0 || --left > 0) return false;
    return happened = true;
  }
};

Fault fault;

std::string name_of(int descriptor) {
  char name[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = ::readlink(link.c_str(), name, sizeof name);
  return size > 0 ? std::string(name, static_cast<std::size_t>(size)) : "";
}

bool fails(Call call, const std::string& file, int reason) {
  if (fault.call != call || !fault.is_due(call, file)) return false;
  errno = reason;
  return true;
}

bool fails(Call call, int descriptor, int reason) {
  return fault.call == call && fails(call, name_of(descriptor), reason);
}

}  // namespace

// In place of the C library's, for the libraries that are tested as well.
extern "C" {

ssize_t write(int descriptor, const void* data, size_t size) {
  if (fails(Call::kWrite, descriptor, ENOSPC)) return -1;
  // A full disk takes a part, and then nothing.
  if (size > 1 && fails(Call::kShortWrite, descriptor, ENOSPC)) {
    fault.call = Call::kWrite;
    fault.left = 1;
    size /= 2;
  }
  return syscall(SYS_write, descriptor, data, size);
}

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t place) {
  if (fails(Call::kPwrite, descriptor, ENOSPC)) return -1;
  return syscall(SYS_pwrite64, descriptor, data, size, place);
}

ssize_t read(int descriptor, void* data, size_t size) {
  if (fails(Call::kRead, descriptor, EIO)) return -1;
  return syscall(SYS_read, descriptor, data, size);
}

int rename(const char* from, const char* to) noexcept {
  if (fails(Call::kRename, to, EIO)) return -1;
  return static_cast<int>(syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}

int fsync(int descriptor) {
  if (fails(Call::kSync, descriptor, EIO)) return -1;
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

int ftruncate(int descriptor, off_t size) noexcept {
  if (fails(Call::kTruncate, descriptor, EIO)) return -1;
  return static_cast<int>(syscall(SYS_ftruncate, descriptor, size));
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  if (fails(Call::kLink, to, EIO)) return -1;
  return static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

}  // extern "C"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

class FileFaults : public testing::TestWithParam<Call> {
 protected:
  FileFaults() {
    ::setenv("HGNET_CACHE", (folder.path() / "cache").c_str(), 1);
    std::string nodes = "id,x,label,split\n";
    std::string edges = "source,target\n";
    for (int v = 0; v < 24; ++v) {
      const char* split = v % 3 == 0 ? "train" : v % 3 == 1 ? "val" : "test";
      nodes += std::to_string(v) + "," + std::to_string(v % 5) + "," + (v % 2 == 0 ? "a" : "b") +
               "," + split + "\n";
      edges += std::to_string(v) + "," + std::to_string((v + 1) % 24) + "\n";
    }
    folder.write("net/nodes.csv", nodes);
    folder.write("net/edges.csv", edges);
    fault = {};
    fault.below = fs::canonical(folder.path()).string();
  }
  ~FileFaults() override { fault = {}; }

  /// Runs the fit to its end, or for so many epochs; every epoch ends with a checkpoint.
  void run(const std::string& name, int epochs) const {
    PlannedFit fit;
    fit.config.dataset = (folder.path() / "net").string();
    fit.config.network = model_defaults("gcn");
    apply_preset(fit.config, "citation");
    fit.config.epochs = 5;
    fit.folder = folder.path() / name;
    fit.keep_checkpoint = true;
    FitRunOptions options;
    options.checkpoint_seconds = 0;
    options.stop = [left = epochs]() mutable { return left-- == 0; };
    InputStore store;
    run_fit(fit, 0, store, options);
  }

  /// Stops once and goes on.
  void train(const std::string& name) const {
    run(name, 2);
    run(name, -1);
  }

  /// Files that no run has.
  std::set<std::string> leftovers(const std::string& name) const {
    std::set<std::string> names;
    if (!fs::exists(folder.path() / name)) return names;
    for (const auto& entry : fs::directory_iterator(folder.path() / name))
      names.insert(entry.path().filename().string());
    for (const char* known : {"best.safetensors", "checkpoint.safetensors", "columns.json",
                              "config.toml", "epochs.jsonl", EventFile::kName, "result.json"})
      names.erase(known);
    return names;
  }

  test::TemporaryFolder folder;
};

TEST_P(FileFaults, TheResultIsThatOfAnUndisturbedRun) {
  train("undisturbed");
  const std::string expected = test::run_outcome(folder.path() / "undisturbed");
  int failed = 0;
  for (int n = 1;; ++n) {
    const std::string name = "run" + std::to_string(n);
    fs::remove_all(folder.path() / "cache");
    fault.call = GetParam();
    fault.left = n;
    fault.happened = false;
    try {
      train(name);
    } catch (const Error& error) {
      ++failed;
      EXPECT_THAT(error.what(), testing::HasSubstr(folder.path().string())) << "call " << n;
    }
    fault.call = Call::kNone;
    if (!fault.happened) break;
    EXPECT_THAT(leftovers(name), testing::IsEmpty()) << "call " << n;
    train(name);
    ASSERT_EQ(test::run_outcome(folder.path() / name), expected) << "call " << n;
    fs::remove_all(folder.path() / name);
  }
  EXPECT_GT(failed, 0) << "no call of this kind mattered";
}

INSTANTIATE_TEST_SUITE_P(Calls, FileFaults,
                         testing::Values(Call::kWrite, Call::kShortWrite, Call::kPwrite,
                                         Call::kRead, Call::kRename, Call::kSync, Call::kTruncate,
                                         Call::kLink));

}  // namespace
}  // namespace hgnet
