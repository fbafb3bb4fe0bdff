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
/// What is drawn is drawn among labelled samples, of which those of a group (Dataset::groups) stay
/// together; targets that are not classes have no strata.
/// Throws InvalidSplit, listing what there is, for a text that means nothing, a split that the data
/// set has not or that cannot be drawn on it, more folds than samples, and a fold that there is
/// not; InvalidFile for a file that holds no folds.
Split choose_split(const Dataset& dataset, const std::string& text, std::uint64_t seed, int fold);

/// The split to use if none is given: public, scaffold or own if the data set has it, or its only
/// split; otherwise "folds:10".
std::string default_split(const Dataset& dataset);

/// Examples of splits that can be drawn.
std::vector<std::string> drawn_splits();

/// How many folds the text means, each of which choose_split can make the split of; 0 when it means
/// a single split. Throws as choose_split does.
int num_folds(const Dataset& dataset, const std::string& text);

}  // namespace hgnet
