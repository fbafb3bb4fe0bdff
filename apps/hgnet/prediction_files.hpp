// Predictions and rows of nodes as files.

#pragma once

#include <filesystem>
#include <string>

#include "hgnet/train/predictor.hpp"

namespace hgnet::app {

/// One line per sample: its name or number, the most probable class, the true one if the data set
/// has labels, and a column for every class, label or target.
std::string to_csv(const Predictions& predictions, const Dataset& dataset);

/// Rows of nodes as an array of float32 [nodes, width] in NumPy's format (.npy), or as CSV with the
/// name or number of the node before them; graph tasks: of the graph and of the node in it.
void write_rows(const Predictor::Embeddings& rows, const Dataset& dataset,
                const std::filesystem::path& file);

}  // namespace hgnet::app
