#include "data/edge_sum.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "data/line_reader.hpp"
#include "data/sha256.hpp"
#include "hgnet/core/ids.hpp"

namespace hgnet {

std::string sha256_of_edges(ByteStream stream) {
  constexpr std::int64_t kMaxNode = std::numeric_limits<NodeId>::max();
  LineReader reader(std::move(stream));
  std::vector<std::pair<NodeId, NodeId>> edges;
  while (reader.next_filled()) {
    const auto u = static_cast<NodeId>(reader.integer("node", 0, kMaxNode));
    const auto v = static_cast<NodeId>(reader.integer("node", 0, kMaxNode));
    reader.expect_end("two nodes");
    edges.push_back(std::minmax(u, v));
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Sha256 sum;
  std::string line;
  for (const auto& [u, v] : edges) {
    line = std::to_string(u) + " " + std::to_string(v) + "\n";
    sum.add(line);
  }
  return sum.digest();
}

}  // namespace hgnet
