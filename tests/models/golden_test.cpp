// Layers and whole models compared with another implementation's outputs and gradients, on the same
// weights. Runs every case of tests/golden and of the folder; a case with an unknown name fails.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <set>

#include "models/golden/checks.hpp"

namespace hgnet::golden {
namespace {

using Check = void (*)(const GoldenCase&);

const std::map<std::string, Check> kChecks{{"gcn", check_gcn},
                                           {"gcn_weighted", check_gcn},
                                           {"gcn_improved", check_gcn},
                                           {"gin", check_gin},
                                           {"gat", check_gat},
                                           {"cheb2", check_cheb},
                                           {"cheb3", check_cheb},
                                           {"rgcn_sum", check_rgcn},
                                           {"rgcn_mean", check_rgcn},
                                           {"edgepool", check_edge_pool},
                                           {"edgepool_self_loops", check_edge_pool},
                                           {"topk", check_top_k},
                                           {"ogb_gcn", check_molecule_layer},
                                           {"ogb_gcn_parent", check_molecule_layer},
                                           {"ogb_gin", check_molecule_layer},
                                           {"model_gcn", check_flat_model},
                                           {"model_gcn_residual", check_flat_model},
                                           {"model_gcn_vn", check_flat_model},
                                           {"model_gat", check_flat_model},
                                           {"model_cheb", check_flat_model},
                                           {"model_gin", check_flat_model},
                                           {"graph_unet", check_g_unet},
                                           {"hgnet_edgepool_1", check_hgnet},
                                           {"hgnet_edgepool_1_self_loops", check_hgnet},
                                           {"hgnet_edgepool_2", check_hgnet},
                                           {"hgnet_edgepool_2_self_loops", check_hgnet},
                                           {"hgnet_edgepool_3_bn", check_hgnet},
                                           {"hgnet_edgepool_3_bn_self_loops", check_hgnet},
                                           {"hgnet_edgepool_concat", check_hgnet},
                                           {"hgnet_edgepool_sum", check_hgnet},
                                           {"hgnet_louvain_2", check_hgnet},
                                           {"hgnet_louvain_2_weight_sum", check_hgnet},
                                           {"model_gcn_vn_residual", check_flat_model},
                                           {"model_gcn_residual_broadcast", check_flat_model},
                                           {"model_gin_residual_broadcast", check_flat_model},
                                           {"model_gat_3", check_flat_model},
                                           {"graph_unet_leaky", check_g_unet},
                                           {"hgnet_louvain_2_as_run", check_hgnet},
                                           {"ogb_hgnet_edgepool_1", check_molecule_hgnet},
                                           {"ogb_hgnet_edgepool_2", check_molecule_hgnet},
                                           {"ogb_hgnet_edgepool_2_mean", check_molecule_hgnet},
                                           {"sanitized_walk2", check_sanitized_walk},
                                           {"metrics", check_metrics},
                                           {"train_10_steps", check_training}};

void check_cases(const std::vector<GoldenCase>& cases) {
  for (const GoldenCase& c : cases) {
    SCOPED_TRACE(c.file.string());
    const auto check = kChecks.find(c.name);
    if (check == kChecks.end()) {
      ADD_FAILURE() << "unknown case " << c.name;
      continue;
    }
    check->second(c);
  }
}

TEST(Golden, EveryCheckHasACaseHere) {
  std::set<Check> used;
  for (const GoldenCase& c : test::golden_copies()) used.insert(kChecks.at(c.name));
  for (const auto& [name, check] : kChecks) EXPECT_TRUE(used.contains(check)) << name;
}

TEST(Golden, EveryCaseHereAgrees) { check_cases(test::golden_copies()); }

TEST(Golden, EveryCaseOfTheFolderAgrees) {
  const auto cases = test::golden_folder();
  if (cases.empty()) GTEST_SKIP() << "no more test vectors; HGNET_GOLDEN_DIR names their folder";
  check_cases(cases);
}

TEST(Golden, AnUnknownCaseFails) {
  EXPECT_NONFATAL_FAILURE(check_cases({{"new.json", "new_layer", {}}}), "unknown case new_layer");
}

}  // namespace
}  // namespace hgnet::golden
