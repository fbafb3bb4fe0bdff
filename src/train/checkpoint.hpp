// What a checkpoint contains besides tensors, in the metadata of its file. Without torch.

#pragma once

#include <map>
#include <string>

#include "hgnet/core/random.hpp"
#include "hgnet/settings/config.hpp"
#include "hgnet/train/fit_counters.hpp"

namespace hgnet {

using Metadata = std::map<std::string, std::string>;

struct CheckpointNumbers {
  FitCounters counters;
  std::int64_t adam_steps = 0;
  std::string history;  // see Fit::history
  Generator::State shuffle{};
  Generator::State dropout{};
};

/// The settings and data that a fit's numbers follow from.
struct FitOrigin {
  TrainConfig config;
  std::map<std::string, std::string> data;  // checksums by what they are of
};

Metadata to_metadata(const CheckpointNumbers& numbers, const FitOrigin& origin);

/// Throws Error for numbers that no fit with so many batches per epoch can have.
CheckpointNumbers checkpoint_numbers(const Metadata& metadata, std::int64_t batches);

/// Throws Error, saying what differs, for a checkpoint with other data or settings, except those in
/// kMayChange.
void check_origin(const Metadata& metadata, const FitOrigin& origin);

}  // namespace hgnet
