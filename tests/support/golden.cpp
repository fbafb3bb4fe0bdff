#include "support/golden.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace hgnet::test {
namespace {

/// Sorted by path.
std::vector<GoldenCase> cases_below(const std::filesystem::path& folder) {
  std::vector<GoldenCase> cases;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream stream(entry.path());
    nlohmann::json json = nlohmann::json::parse(stream);
    const auto name = json.at("case").get<std::string>();
    cases.push_back({entry.path(), name, std::move(json)});
  }
  std::sort(cases.begin(), cases.end(),
            [](const GoldenCase& a, const GoldenCase& b) { return a.file < b.file; });
  return cases;
}

}  // namespace

torch::Tensor GoldenCase::tensor(const nlohmann::json& json) {
  const auto shape = json.at("shape").get<std::vector<std::int64_t>>();
  const auto type = json.at("dtype").get<std::string>();
  if (type.rfind("int", 0) == 0) {
    return torch::tensor(json.at("data").get<std::vector<std::int64_t>>(), torch::kLong)
        .view(shape);
  }
  return torch::tensor(json.at("data").get<std::vector<double>>(), torch::kFloat64)
      .to(type == "float64" ? torch::kFloat64 : torch::kFloat32)
      .view(shape);
}

std::map<std::string, torch::Tensor> GoldenCase::parameters_and_x() const {
  std::map<std::string, torch::Tensor> result{{"x", input("x")}};
  for (const auto& [key, value] : json.at("params").items()) result[key] = tensor(value);
  return result;
}

Graph GoldenCase::graph() const {
  const torch::Tensor index = input("edge_index");
  EdgeList edges;
  for (std::int64_t e = 0; e < index.size(1); ++e) {
    edges.source.push_back(index[0][e].item<std::int64_t>());
    edges.target.push_back(index[1][e].item<std::int64_t>());
  }
  return Graph::from_edges(json.at("inputs").at("num_nodes").get<std::int64_t>(), edges,
                           {.self_loops = SelfLoops::kKeep});
}

torch::Tensor GoldenCase::by_slot(const Graph& graph, const torch::Tensor& by_edge_id) const {
  const std::vector<std::int64_t> ids(graph.reverse().begin(), graph.reverse().end());
  return by_edge_id.index_select(0, torch::tensor(ids, torch::kLong));
}

std::vector<GoldenCase> golden_copies() { return cases_below(HGNET_GOLDEN_COPIES); }

std::vector<GoldenCase> golden_folder() {
  const char* chosen = std::getenv("HGNET_GOLDEN_DIR");
  std::vector<GoldenCase> cases;
  std::istringstream folders(chosen != nullptr ? chosen : HGNET_DEFAULT_GOLDEN_DIRS);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!std::filesystem::is_directory(folder)) {
      if (chosen == nullptr) continue;
      throw std::runtime_error("HGNET_GOLDEN_DIR: not a folder: " + folder);
    }
    for (GoldenCase& c : cases_below(folder)) cases.push_back(std::move(c));
  }
  return cases;
}

std::vector<GoldenCase> golden_cases() {
  std::vector<GoldenCase> cases = golden_copies();
  for (GoldenCase& c : golden_folder()) cases.push_back(std::move(c));
  return cases;
}

void expect_golden(const torch::Tensor& got, const torch::Tensor& expected, double tolerance,
                   const std::string& what) {
  ASSERT_EQ(got.sizes(), expected.sizes()) << what;
  if (got.numel() == 0) return;
  const double scale = std::max(1.0, expected.abs().max().item<double>());
  const double error =
      (got.to(torch::kFloat64) - expected.to(torch::kFloat64)).abs().max().item<double>();
  EXPECT_LE(error, tolerance * scale) << what;
}

}  // namespace hgnet::test
