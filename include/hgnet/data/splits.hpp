#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/data/split.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// Which nodes a drawn node excludes from all parts.
enum class Barred {
  kWithinHops,  // all nodes at most k edges away
  kExactWalks,  // all nodes that a walk of exactly k steps reaches, as in the authors' program: for
                // k = 2, direct neighbours are not excluded
};

/// The nodes that drawing `node` bars, itself perhaps among them.
std::vector<NodeId> barred_nodes(const Graph& graph, NodeId node, int hops, Barred barred);

struct SanitizedSplitOptions {
  int hops = 1;  // k
  std::uint64_t seed = 0;
  Barred barred = Barred::kWithinHops;
  std::int64_t train_per_class = 20;
  std::int64_t num_val = 500;
  std::int64_t num_test = 1000;
};

/// A k-hop sanitized split: nodes are drawn at random until all others are excluded. In the order
/// drawn, the first `train_per_class` of each class are for training (all, if a class has fewer),
/// the next `num_val` for validation and the next `num_test` for testing. If fewer than that
/// remain, a third of them is for validation and the rest for testing. Nodes without a label
/// (negative) are never drawn. Throws InvalidSplit for labels that do not match the graph or the
/// number of classes.
Split sanitized_split(const Graph& graph, std::span<const std::int32_t> labels,
                      std::int64_t num_classes, const SanitizedSplitOptions& options = {});

/// The samples of each fold, ascending. Every sample is in exactly one fold.
using Folds = std::vector<std::vector<std::int64_t>>;

/// Samples 0 .. labels.size() - 1 dealt out at random, so that the numbers of samples of a class in
/// two folds differ by one at most, and so do the sizes of folds. Throws InvalidSplit for fewer
/// than two folds, for more folds than samples and for negative labels.
Folds stratified_folds(std::span<const std::int32_t> labels, int num_folds, std::uint64_t seed);

/// Fold f is for testing, fold f + 1 (after the last, the first) for validation, all others for
/// training. Throws InvalidSplit if fold f does not exist or there are fewer than three folds.
Split fold_split(const Folds& folds, int fold);

/// Reads a JSON object with the samples of each fold under "0", "1", ... Other names are ignored,
/// except that "n_splits" and "n_samples" must be correct if present. Throws InvalidFile for
/// anything else, for a sample in two folds and for a sample in none.
Folds read_folds(const std::filesystem::path& file);

/// The same from text; `name` stands for the file in errors.
Folds parse_folds(std::string_view text, const std::string& name);

}  // namespace hgnet
