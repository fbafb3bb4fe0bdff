#include <hgnet/hgnet.hpp>
#include <hgnet/ops/spmm.hpp>
#include <iostream>

int main() {
  const hgnet::Graph graph = hgnet::path_graph(4);
  const torch::Tensor sums = hgnet::spmm({graph, {}, {}, true}, torch::ones({4, 1}));
  std::cout << graph.num_nodes() << " nodes, " << graph.num_undirected_edges()
            << " edges, row sums";
  for (int v = 0; v < 4; ++v) std::cout << " " << sums[v].item<float>();
  std::cout << "\n";
}
