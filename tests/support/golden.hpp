// Test vectors: inputs, parameters, outputs and gradients of one case per JSON file, computed by
// another implementation. Some are in tests/golden; more may be in the folder HGNET_GOLDEN_DIR or,
// without it, the one that the build names.

#pragma once

#include <torch/types.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hgnet/graph/graph.hpp"

namespace hgnet::test {

struct GoldenCase {
  std::filesystem::path file;
  std::string name;
  nlohmann::json json;

  torch::Tensor input(const std::string& key) const { return tensor(json.at("inputs").at(key)); }
  torch::Tensor output(const std::string& key) const { return tensor(json.at("outputs").at(key)); }
  /// Parameters by name, and the input x as "x".
  std::map<std::string, torch::Tensor> parameters_and_x() const;
  /// From edge_index, self-loops kept.
  Graph graph() const;
  /// Reorders values given by edge id (source, then target) to the graph's slots.
  torch::Tensor by_slot(const Graph& graph, const torch::Tensor& by_edge_id) const;

  static torch::Tensor tensor(const nlohmann::json& json);
};

/// Those of tests/golden, sorted by path.
std::vector<GoldenCase> golden_copies();
/// Those below the folder, sorted by path; empty if there is no such folder.
std::vector<GoldenCase> golden_folder();
/// All of these.
std::vector<GoldenCase> golden_cases();

/// Checks that `got` agrees with `expected` within `tolerance` relative to its largest entry.
void expect_golden(const torch::Tensor& got, const torch::Tensor& expected, double tolerance,
                   const std::string& what);

}  // namespace hgnet::test
