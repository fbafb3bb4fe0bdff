#include "models/old_names.hpp"

#include <gtest/gtest.h>

#include "hgnet/config/model_table.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/models/archive.hpp"

namespace hgnet {
namespace {

TEST(OldNames, AreThoseOfTheFrame) {
  const ModelConfig gcn = model_defaults("gcn");
  const ModelConfig hgnet = model_defaults("hgnet");
  const ModelConfig g_unet = model_defaults("g-unet");
  EXPECT_EQ(current_tensor_name(gcn, "network.layer12.weight"), "network.block12.layer.weight");
  EXPECT_EQ(current_tensor_name(gcn, "network.bonds0.embedding"), "network.bonds0.embedding");
  EXPECT_EQ(current_tensor_name(hgnet, "network.up1.bias"), "network.coarsen1.layer.bias");
  EXPECT_EQ(current_tensor_name(hgnet, "network.down_tail0.running_mean"),
            "network.refine0.block.tail.running_mean");
  EXPECT_EQ(current_tensor_name(g_unet, "network.down1.bias"), "network.coarsen1.layer.bias");
  EXPECT_EQ(current_tensor_name(g_unet, "network.up1.bias"), "network.refine1.block.layer.bias");
  for (const char* name : {"network.pool0.weight", "network.virtual_node0.first.weight",
                           "network.coarsen0.layer.weight", "classifier_first.bias", "network."})
    EXPECT_EQ(current_tensor_name(hgnet, name), name);
}

// Files written by version 0.1, and its predictions with them for this colouring of a 4 x 4 grid.
TEST(OldNames, FilesOfVersionZeroOnePredictWhatTheyDid) {
  const torch::Tensor red =
      torch::tensor({0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 0}, torch::kFloat32);
  const torch::Tensor x = torch::stack({1 - red, red}, 1);
  for (const auto& [name, expected] :
       {std::pair("gcn-vn", 0.223605), {"g-unet", 0.336222}, {"hgnet-edgepool", 0.415838}}) {
    const auto model = load_model(std::string(HGNET_OLD_MODELS "/") + name + ".safetensors");
    const torch::Tensor logits = model->forward(Input::of(model->prepare(grid_graph(4, 4)), x));
    EXPECT_NEAR(logits.softmax(1)[0][1].item<double>(), expected, 1e-6) << name;
  }
}

}  // namespace
}  // namespace hgnet
