#include <hgnet/hgnet.hpp>
#include <hgnet/lab.hpp>
#include <iostream>

int main() {
  const auto samples =
      hgnet::generate_color_connectivity(hgnet::grid_graph(8, 8), {.num_samples = 10});
  std::cout << hgnet::color_dataset(samples).num_samples() << " samples\n";
}
