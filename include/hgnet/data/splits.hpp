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

/// Which nodes a drawn node bars from all parts.
enum class Barred {
  kWithinHops,  // all that k or fewer edges lead to
  kExactWalks,  // those that a walk of exactly k steps leads to, as in the authors' program: for k =
                // 2 the direct neighbours stay allowed
};

struct SanitizedSplitOptions {
  int hops = 1;  // k
  std::uint64_t seed = 0;
  Barred barred = Barred::kWithinHops;
  std::int64_t train_per_class = 20;
  std::int64_t num_val = 500;
  std::int64_t num_test = 1000;
};

/// A k-hop sanitized split: nodes are drawn at random until all others are barred. Of those drawn,
/// in the order drawn, the first `train_per_class` of each class train (all, if a class has fewer),
/// the next `num_val` validate, the next `num_test` test; when fewer than that remain, a third of
/// them validates and the rest test. Nodes without a label (negative) are never drawn. Throws
/// InvalidSplit for labels that do not fit the graph or the number of classes.
Split sanitized_split(const Graph& graph, std::span<const std::int32_t> labels,
                      std::int64_t num_classes, const SanitizedSplitOptions& options = {});

/// Samples of each fold, ascending. Every sample is in one fold.
using Folds = std::vector<std::vector<std::int64_t>>;

/// Samples 0 .. labels.size() - 1 dealt out at random, so that the numbers of samples of a class in
/// two folds differ by one at most, and so do the sizes of folds. Throws InvalidSplit for fewer
/// than two folds, for more folds than samples and for negative labels.
Folds stratified_folds(std::span<const std::int32_t> labels, int num_folds, std::uint64_t seed);

/// Fold f tests, fold f + 1 (after the last, the first) validates, all others train. Throws
/// InvalidSplit if there is no fold f or fewer than three folds.
Split fold_split(const Folds& folds, int fold);

/// Reads a JSON object with the samples of each fold under "0", "1", ...; other names say something
/// about the file and are passed over, but "n_splits" and "n_samples" have to be right if they are
/// there. Throws InvalidFile for anything else than that, for a sample in two folds and for one in
/// none.
Folds read_folds(const std::filesystem::path& file);

/// The same from text; `name` stands for the file in errors.
Folds parse_folds(std::string_view text, const std::string& name);

}  // namespace hgnet
