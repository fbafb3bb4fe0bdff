#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "hgnet/data/beacons.hpp"

namespace hgnet::app {

/// The options that only beacons have.
void add_beacon_options(CLI::App& command, BeaconOptions& options);

/// Draws one large graph and, unless `out` is empty, writes it below that folder. An empty name:
/// beacons-NODES. `progress` tells how far writing is.
void run_beacons(const BeaconOptions& options, const std::string& out, std::string name, bool json,
                 const SampleProgress& progress);

}  // namespace hgnet::app
