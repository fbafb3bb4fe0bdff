#pragma once

#include <filesystem>
#include <string>

#include "hgnet/data/color_connectivity.hpp"

namespace hgnet {

/// Writes the samples in TU format: folder/name/name_A.txt, _graph_indicator.txt,
/// _graph_labels.txt, _node_labels.txt (the colours), and _node_attributes.txt where there is
/// noise, and _graph_groups.txt where samples come in pairs. The folder appears as a whole or not
/// at all. Returns its path. Throws Error if it exists already or cannot be written, or the name
/// is not one that a data set can have. `progress` counts each sample once for each file.
std::filesystem::path write_tu(const ColorConnectivity& samples,
                               const std::filesystem::path& folder, const std::string& name,
                               const SampleProgress& progress = {});

}  // namespace hgnet
