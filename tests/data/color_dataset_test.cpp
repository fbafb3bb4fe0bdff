#include "hgnet/data/color_dataset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hgnet/core/error.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/datasets.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using testing::HasSubstr;

void expect_samples(const Dataset& dataset, const ColorConnectivity& samples) {
  validate(dataset);
  ASSERT_EQ(dataset.num_graphs(), samples.num_samples());
  const auto& red = std::get<BitRows>(dataset.features);
  for (std::int64_t i = 0; i < samples.num_samples(); ++i) {
    EXPECT_EQ(dataset.classes[i], samples.labels[i]);
    EXPECT_EQ(dataset.graphs[i].identity(), dataset.graphs[0].identity()) << "graphs are copied";
    for (NodeId v = 0; v < samples.graph.num_nodes(); ++v)
      ASSERT_EQ(red[dataset.node_offsets[i] + v], samples.is_red(i, v)) << i << " " << v;
  }
}

TEST(ColorDataset, HoldsTheSamples) {
  // 64, 96 and 35 nodes: samples that fill words, that half fill them, and odd ones.
  for (const auto& [width, height] : {std::pair{8, 8}, {12, 8}, {7, 5}}) {
    const ColorConnectivity samples =
        generate_color_connectivity(grid_graph(width, height), {.num_samples = 31, .seed = 2});
    expect_samples(color_dataset(samples), samples);
  }
  const ColorConnectivity three =
      generate_color_connectivity(grid_graph(8, 8), {.num_samples = 9, .max_islands = 3});
  EXPECT_EQ(color_dataset(three).num_classes(), 3);
}

TEST(ColorDataset, RefusesWhatBitsDoNotHold) {
  const ColorConnectivity coloured =
      generate_color_connectivity(grid_graph(8, 8), {.num_samples = 4, .num_colours = 3});
  EXPECT_THAT(test::error_of<Error>([&] { color_dataset(coloured); }), HasSubstr("3 colours"));
  const ColorConnectivity noisy =
      generate_color_connectivity(grid_graph(8, 8), {.num_samples = 4, .noise_features = 2});
  EXPECT_THAT(test::error_of<Error>([&] { color_dataset(noisy); }), HasSubstr("2 noise"));
}

TEST(GridGround, IsNamedByItsSides) {
  EXPECT_EQ(grid_ground("cc-grid16")->graph.num_nodes(), 256);
  EXPECT_EQ(grid_ground("cc-grid12x9")->graph.num_nodes(), 108);
  EXPECT_TRUE(grid_ground("cc-grid12x9")->graph.has_edge(0, 12));
  EXPECT_EQ(grid_ground("cc-grid32")->num_samples, 15000);
  for (const char* name : {"cc-grid", "cc-grid0", "cc-grid-3", "cc-grid4x", "cc-grid4x0",
                           "cc-grid4y4", "cc-grid4x4x4", "cc-grid99999", "grid16", "cc-euroroad"}) {
    EXPECT_FALSE(grid_ground(name)) << name;
  }
}

class LoadColor : public testing::Test {
 protected:
  LoadOptions options() const {
    return {.root = folder_.path(),
            .cache_folder = folder_.path() / "kept",
            .cc_seed = 3,
            .cc_samples = 40};
  }
  std::size_t num_kept() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path() / "kept"), {}));
  }

  test::TemporaryFolder folder_;
};

TEST_F(LoadColor, DrawsGridsFromTheSeed) {
  const ColorConnectivity samples =
      generate_color_connectivity(grid_graph(8, 8), {.num_samples = 40, .seed = 3});
  const Dataset dataset = load_dataset("CC-Grid8", options());
  EXPECT_EQ(dataset.name, "cc-grid8");
  expect_samples(dataset, samples);
  EXPECT_EQ(std::count(dataset.classes.begin(), dataset.classes.end(), 0), 20);
  const Dataset again = load_dataset("cc-grid8", options());
  EXPECT_EQ(test::difference(again, dataset), "");
  expect_samples(again, samples);
  EXPECT_EQ(num_kept(), 1U);
  LoadOptions other = options();
  other.cc_seed = 4;
  EXPECT_NE(load_dataset("cc-grid8", other).classes, dataset.classes);
  other.cc_samples = 10;
  EXPECT_EQ(load_dataset("cc-grid8", other).num_graphs(), 10);
  EXPECT_EQ(num_kept(), 3U);
}

TEST_F(LoadColor, StaysSmall) {
  LoadOptions many = options();
  many.cc_samples = 2000;
  load_dataset("cc-grid16", many);
  const auto file = std::filesystem::directory_iterator(folder_.path() / "kept")->path();
  // Per sample 32 bytes of colours, 4 for the class, 4 for the graph and 8 for the node offset; one
  // graph.
  EXPECT_LT(std::filesystem::file_size(file), 2000U * 48 + 20000);
}

/// A connected graph of 400 nodes, in which nodes with similar numbers are near each other.
std::string ladder_file() {
  std::string text;
  for (int v = 1; v <= 400; ++v) {
    if (v + 1 <= 400) text += std::to_string(v) + " " + std::to_string(v + 1) + "\n";
    if (v + 2 <= 400 && v % 2 == 1) text += std::to_string(v) + " " + std::to_string(v + 2) + "\n";
  }
  return "400 " + std::to_string(std::count(text.begin(), text.end(), '\n')) + "\n" + text;
}

TEST_F(LoadColor, DrawsRoadsAsThePaperTreatsThem) {
  const std::string file = folder_.write("roads/euroroad.edges", ladder_file()).string();
  folder_.write("roads/minnesota.edges", ladder_file());
  const Dataset europe = load_dataset("cc-euroroad", options());
  const auto ground = road_ground("euroroad", file);
  ASSERT_TRUE(ground);
  EXPECT_EQ(ground->starts, ColorStarts::kNearby);
  EXPECT_EQ(ground->num_samples, 15000);
  expect_samples(
      europe, generate_color_connectivity(
                  ground->graph, {.num_samples = 40, .seed = 3, .starts = ColorStarts::kNearby}));
  const Dataset minnesota = load_dataset("cc-minnesota", options());
  EXPECT_TRUE(minnesota.graphs[0].has_edge(348, 354));
  EXPECT_FALSE(europe.graphs[0].has_edge(348, 354));
  EXPECT_EQ(road_ground("minnesota", file)->num_samples, 6000);
  EXPECT_FALSE(road_ground("route 66", file));
}

TEST_F(LoadColor, DrawsVariants) {
  expect_samples(
      load_dataset("cc-grid8:fixed-starts", options()),
      generate_color_connectivity(grid_graph(8, 8),
                                  {.num_samples = 40, .seed = 3, .starts = ColorStarts::kFixed}));
  const std::string file = folder_.write("roads/euroroad.edges", ladder_file()).string();
  expect_samples(
      load_dataset("cc-euroroad:wrapped-starts", options()),
      generate_color_connectivity(read_graph(file),
                                  {.num_samples = 40, .seed = 3, .starts = ColorStarts::kWrapped}));
  const auto refusal = [&](const char* name) {
    return error_of<UnknownDataset>([&] { load_dataset(name, options()); });
  };
  EXPECT_THAT(refusal("cc-grid8:wrapped-starts"),
              HasSubstr("no variant 'wrapped-starts' of cc-grid8; it has cc-grid8:matched, "
                        "cc-grid8:fixed-starts"));
  EXPECT_THAT(refusal("cc-minnesota:fixed-starts"), HasSubstr("it has cc-minnesota:matched"));
}

TEST_F(LoadColor, SaysWhatIsMissing) {
  EXPECT_THAT(test::error_of<MissingDataset>([&] { load_dataset("cc-euroroad", options()); }),
              HasSubstr("roads/euroroad.edges, which does not exist"));
  EXPECT_THAT(test::error_of<UnknownDataset>([&] { load_dataset("cc-grd16", options()); }),
              HasSubstr("Did you mean cc-grid16"));
}

TEST_F(LoadColor, TakesFilesOfThatNameFirst) {
  folder_.write_zip("tu/cc-grid8.zip", test::tu_files());
  EXPECT_EQ(load_dataset("cc-grid8", options()).num_graphs(), 2);
}

}  // namespace
}  // namespace hgnet
