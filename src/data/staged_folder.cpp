#include "data/staged_folder.hpp"

#include <string>
#include <system_error>
#include <utility>

#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {

namespace fs = std::filesystem;

void check_folder_name(const std::string& name) {
  if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos ||
      text_fault(name) != nullptr) {
    throw Error(in_quotes(name) +
                " cannot be a data set's name: it names a folder and begins its files");
  }
}

StagedFolder::StagedFolder(fs::path target) : target_(std::move(target)) {
  if (fs::exists(fs::symlink_status(target_))) {
    throw Error(target_.string() + " already exists; remove it or choose another name");
  }
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
  error.clear();  // an empty parent is an error; any other problem shows up again
  constexpr int kMaxLeftovers = 100;
  for (int i = 0; i < kMaxLeftovers && path_.empty() && !error; ++i) {
    const fs::path free_name = target_.string() + ".part-" + std::to_string(i);
    if (fs::create_directory(free_name, error)) path_ = free_name;
  }
  if (path_.empty()) throw Error("cannot create a folder next to " + target_.string());
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void StagedFolder::commit() {
  std::error_code error;
  fs::rename(path_, target_, error);
  if (error) throw Error("cannot move to " + target_.string() + ": " + error.message());
  path_.clear();
}

}  // namespace hgnet
