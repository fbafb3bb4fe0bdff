#include "data/staged_folder.hpp"

#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "hgnet/core/error.hpp"

namespace hgnet {

namespace fs = std::filesystem;

StagedFolder::StagedFolder(fs::path target) : target_(std::move(target)) {
  if (fs::exists(fs::symlink_status(target_))) {
    throw Error(target_.string() + " exists already; remove it or choose another name");
  }
  std::error_code error;
  const fs::path parent = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
  fs::create_directories(parent, error);
  std::string name = target_.string() + ".part-XXXXXX";
  if (error || mkdtemp(name.data()) == nullptr) {
    throw Error("cannot make a folder in " + parent.string());
  }
  path_ = name;
  // mkdtemp makes it for the owner's eyes only; what is kept has the rights of any new folder.
  fs::permissions(path_, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                             fs::perms::others_read | fs::perms::others_exec);
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
