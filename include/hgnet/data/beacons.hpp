#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "hgnet/data/color_connectivity.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {

struct BeaconOptions {
  std::int64_t num_nodes = 100000;
  std::int64_t community = 200;  // nodes of a community, about
  int degree = 10;               // edges of a node, about; even
  double mixing = 0.005;         // share of the edges that lead anywhere in the graph
  double beacons = 0.1;          // share of the nodes that show a colour
  double truth = 0.7;            // share of the beacons that show their community's colour
  std::uint64_t seed = 0;
  int threads = 1;  // the result does not depend on it
};

/// A large graph of planted communities whose node labels depend on far nodes. A community is a
/// ring in which every node is joined to the nearest degree / 2 nodes on either side; some edges
/// lead to a random node of the graph instead. Each community has a colour, -1 or 1. A few nodes,
/// its beacons, show a colour, most of them that of the community; all others show 0. The label of
/// a node is the colour that most beacons of its community show, so it takes the mean over a ring
/// that is community / degree hops across; the beacons nearby often mislead.
struct Beacons {
  BeaconOptions options;
  Graph graph;
  std::vector<std::int8_t> colour;  // by node: -1, 0 or 1
  std::vector<std::int8_t> label;   // by community: 0 or 1

  std::int64_t num_communities() const { return static_cast<std::int64_t>(label.size()); }
  std::int64_t community_of(std::int64_t node) const;
};

/// Throws Error, naming the option, for values out of range; there are at least five communities.
Beacons generate_beacons(const BeaconOptions& options);

/// Writes nodes.csv (id, colour, label, split) and edges.csv into a new folder `name`. Of five
/// communities, three train, one validates and one tests. Returns the folder. Throws Error if it
/// exists or cannot be written.
std::filesystem::path write_beacons(const Beacons& beacons, const std::filesystem::path& folder,
                                    const std::string& name, const SampleProgress& progress = {});

}  // namespace hgnet
