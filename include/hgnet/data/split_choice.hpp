#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hgnet/data/dataset.hpp"
#include "hgnet/data/split.hpp"

namespace hgnet {

/// The split that a text describes:
///
///   a name               public, scaffold, own: one that comes with the data set
///   random:0.8,0.1,0.1   shares for training, validation and test, drawn from the seed
///   sanitized:K          K-hop sanitized, drawn from the seed; see sanitized_split
///   folds:N              N stratified folds, drawn from the seed; tests on `fold`, see fold_split
///   folds:N:F            the same, but tests on fold F and ignores `fold`
///   FILE                 folds from a file; see read_folds
///   empty                the split that default_split returns
///
/// Drawn splits use labelled samples only; targets that are not classes are not stratified. Throws
/// InvalidSplit, listing the choices, for a text that cannot be parsed, a split that the data set
/// does not have or that cannot be drawn from it, and a fold that does not exist; InvalidFile for a
/// file without folds.
Split choose_split(const Dataset& dataset, const std::string& text, std::uint64_t seed, int fold);

/// The split to use if none is given: public, scaffold or own if the data set has it, or its only
/// split; otherwise "folds:10".
std::string default_split(const Dataset& dataset);

/// Examples of splits that can be drawn.
std::vector<std::string> drawn_splits();

/// The number of folds that the text describes, each of which choose_split accepts; 0 for a single
/// split.
int num_folds(const Dataset& dataset, const std::string& text);

}  // namespace hgnet
