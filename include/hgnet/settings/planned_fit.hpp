#pragma once

#include <filesystem>
#include <string>

#include "hgnet/settings/config.hpp"

namespace hgnet {

/// A fit to be run in its own folder: started there, or continued if it was started before.
struct PlannedFit {
  TrainConfig config;
  std::filesystem::path folder;
  std::string label;  // for progress: "gcn fold 3"
  std::string table;  // of the paper, for the record
  bool quick = false;
  /// A fit that its folder has done with fewer epochs goes on to those of `config`; see kMayChange.
  bool go_on = false;
  bool keep_checkpoint = true;  // and the event files, once the fit is done
};

}  // namespace hgnet
