#pragma once

#include <span>
#include <string>

#include "hgnet/config/reading.hpp"
#include "hgnet/settings/config.hpp"

namespace hgnet {

/// A place where the authors' program differs from what the paper writes.
struct ReadingEffect {
  const char* where;
  const char* as_written;
  const char* as_run;
  bool (*concerns)(const TrainConfig& config);
  void (*apply)(TrainConfig& config);  // as run
  bool tells_apart = true;             // else fits of both readings may still be the same
  bool (*acts)(const TrainConfig& config) = nullptr;  // null: wherever it is applied
};

/// All of them. Those on names change the data set or the split, the others settings.
std::span<const ReadingEffect> reading_effects_on_names();
std::span<const ReadingEffect> reading_effects_on_settings();

/// Gives the settings the reading's values; to be applied after a preset and before what a user
/// sets.
void read_settings(TrainConfig& config, Reading reading);

/// The same for the data set and the split, which follow what a user sets: "cc-grid16" becomes
/// "cc-grid16:fixed-starts".
void read_names(TrainConfig& config, Reading reading);

/// Whether the two readings differ for this model on this data. Where they do not, a fit belongs to
/// both.
bool readings_differ(const TrainConfig& config);

/// The names that as-run has given, as they were: "cc-grid16:fixed-starts" is "cc-grid16".
std::string dataset_as_written(const std::string& dataset);
std::string split_as_written(const std::string& split);

}  // namespace hgnet
