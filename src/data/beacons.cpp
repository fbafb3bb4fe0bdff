#include "hgnet/data/beacons.hpp"

#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/useful_threads.hpp"
#include "data/staged_folder.hpp"
#include "data/text_file.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kParts = 5;  // of the communities: three train, one validates, one tests

void require(bool holds, const std::string& rule) {
  if (!holds) throw Error("beacons: " + rule);
}

void check(const BeaconOptions& o) {
  const auto share = [](double p) { return p >= 0 && p <= 1; };
  require(o.degree >= 2 && o.degree % 2 == 0,
          "degree is " + std::to_string(o.degree) + "; expected an even number of at least 2");
  require(o.community > o.degree, "a community has " + std::to_string(o.community) +
                                      " nodes; expected more than the degree, " +
                                      std::to_string(o.degree));
  require(o.num_nodes >= kParts * o.community,
          std::to_string(o.num_nodes) + " nodes; expected at least " + std::to_string(kParts) +
              " communities of " + std::to_string(o.community));
  require(o.num_nodes < std::numeric_limits<NodeId>::max(), "more nodes than a node id can hold");
  require(share(o.mixing) && share(o.beacons) && share(o.truth),
          "mixing, beacons and truth are shares; expected 0 .. 1");
}

/// Communities are ranges of nodes, of about equal size.
struct Communities {
  std::int64_t nodes;
  std::int64_t count;

  explicit Communities(const BeaconOptions& o)
      : nodes(o.num_nodes), count(o.num_nodes / o.community) {}

  std::int64_t begin(std::int64_t community) const { return nodes * community / count; }
  std::int64_t of(std::int64_t node) const { return ((node + 1) * count - 1) / nodes; }
};

// Every node and community has generators of its own, so threads may take them in any order.

Generator edges_of(const BeaconOptions& o, std::int64_t node) {
  return Generator(o.seed, static_cast<std::uint64_t>(node) * 2);
}
Generator colour_of(const BeaconOptions& o, std::int64_t node) {
  return Generator(o.seed, static_cast<std::uint64_t>(node) * 2 + 1);
}
bool planted(const BeaconOptions& o, std::int64_t community) {
  return Generator(~o.seed, static_cast<std::uint64_t>(community)).uniform() < 0.5;
}

Graph rings(const BeaconOptions& o) {
  const Communities communities(o);
  const auto list = [&](const EdgeSink& edge) {
    for (std::int64_t c = 0; c < communities.count; ++c) {
      const std::int64_t begin = communities.begin(c);
      const std::int64_t size = communities.begin(c + 1) - begin;
      for (std::int64_t i = 0; i < size; ++i) {
        Generator generator = edges_of(o, begin + i);
        for (int step = 1; step <= o.degree / 2; ++step) {
          const bool anywhere = generator.uniform() < o.mixing;
          const std::int64_t target = anywhere ? static_cast<std::int64_t>(generator.below(
                                                     static_cast<std::uint64_t>(o.num_nodes)))
                                               : begin + (i + step) % size;
          edge(begin + i, target);
        }
      }
    }
  };
  return Graph::from_listed(o.num_nodes, list, SelfLoops::kRemove, o.threads);
}

/// The colour that a node shows.
std::int8_t shown(const BeaconOptions& o, std::int64_t node, bool truth) {
  Generator generator = colour_of(o, node);
  if (generator.uniform() >= o.beacons) return 0;
  const bool one = (generator.uniform() < o.truth) == truth;
  return one ? 1 : -1;
}

const char* split_of(std::int64_t community) {
  const std::int64_t part = community % kParts;
  return part < 3 ? "train" : part == 3 ? "val" : "test";
}

}  // namespace

std::int64_t Beacons::community_of(std::int64_t node) const {
  return Communities(options).of(node);
}

Beacons generate_beacons(const BeaconOptions& options) {
  check(options);
  const Communities communities(options);
  Beacons result{options, rings(options), {}, {}};
  result.colour.resize(static_cast<std::size_t>(options.num_nodes));
  result.label.resize(static_cast<std::size_t>(communities.count));
  const int parts = useful_threads(options.threads);
  run_parts(parts, [&](int part) {
    for (std::int64_t c = communities.count * part / parts;
         c < communities.count * (part + 1) / parts; ++c) {
      const bool truth = planted(options, c);
      std::int64_t sum = 0;
      for (std::int64_t v = communities.begin(c); v < communities.begin(c + 1); ++v)
        sum += result.colour[v] = shown(options, v, truth);
      result.label[c] = sum == 0 ? truth : sum > 0;
    }
  });
  return result;
}

fs::path write_beacons(const Beacons& beacons, const fs::path& folder, const std::string& name,
                       const SampleProgress& progress) {
  check_folder_name(name);
  StagedFolder staged(folder / name);
  const Communities communities(beacons.options);
  const NodeId count = beacons.graph.num_nodes();
  std::int64_t done = 0;
  const auto tell = [&] {
    if (progress) progress(++done, 2 * communities.count);
  };
  TextFile nodes(staged.path() / "nodes.csv");
  nodes.text("id,colour,label,split\n");
  for (std::int64_t c = 0; c < communities.count; ++c) {
    for (std::int64_t v = communities.begin(c); v < communities.begin(c + 1); ++v) {
      nodes.number(v).text(",").number(static_cast<int>(beacons.colour[v])).text(",");
      nodes.number(static_cast<int>(beacons.label[c])).text(",").text(split_of(c)).text("\n");
    }
    tell();
  }
  nodes.close();
  TextFile edges(staged.path() / "edges.csv");
  edges.text("source,target\n");
  for (NodeId v = 0; v < count; ++v) {
    for (const NodeId u : beacons.graph.neighbours(v)) {
      if (u >= v) edges.number(v).text(",").number(u).text("\n");
    }
    if (v + 1 == communities.begin(communities.of(v) + 1)) tell();
  }
  edges.close();
  staged.commit();
  return folder / name;
}

}  // namespace hgnet
