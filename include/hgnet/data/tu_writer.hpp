#pragma once

#include <filesystem>
#include <string>

#include "hgnet/data/color_connectivity.hpp"

namespace hgnet {

/// Writes the samples in TU format: folder/name/name_A.txt, _graph_indicator.txt,
/// _graph_labels.txt, _node_labels.txt (the colours), and, if there is noise, _node_attributes.txt.
/// The folder appears complete or not at all. Returns its path. Throws Error if it already exists
/// or cannot be written.
std::filesystem::path write_tu(const ColorConnectivity& samples,
                               const std::filesystem::path& folder, const std::string& name);

}  // namespace hgnet
