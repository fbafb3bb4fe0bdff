// What fits brought, as lines of text.

#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "hgnet/train/run.hpp"

namespace hgnet::app {

void print_fit(const nlohmann::ordered_json& result);
void print_summary(const nlohmann::ordered_json& summary);

/// The fits of each model together.
std::vector<nlohmann::ordered_json> summaries(const std::vector<FitOutcome>& outcomes,
                                              std::size_t models);

}  // namespace hgnet::app
