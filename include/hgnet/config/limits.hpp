// The largest sizes that a configuration may ask for. Beyond them a machine runs out of memory
// before a model is made.

#pragma once

#include <cstdint>
#include <string_view>

#include "hgnet/config/model_config.hpp"

namespace hgnet {

/// Of threads, and of fits that run at the same time.
inline constexpr std::int64_t kMostThreads = 1024;

/// Throws Error, with both numbers, if the setting of a model or of its training has a limit and is
/// beyond it.
void check_limit(std::string_view name, std::int64_t value);

/// The parameters in the weights of layers and classifier; a model has these and some more.
/// Allocates nothing.
double least_parameters(const ModelConfig& config);

/// Throws Error, with the figure, for a setting beyond its limit or too many parameters in all.
void check_sizes(const ModelConfig& config);

}  // namespace hgnet
