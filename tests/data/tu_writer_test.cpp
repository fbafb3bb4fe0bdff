#include "hgnet/data/tu_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "hgnet/core/error.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;
using test::content_of;
using test::error_of;
using test::TemporaryFolder;
using testing::HasSubstr;

/// The numbers in a file; commas count as blanks.
std::vector<double> numbers(const fs::path& file) {
  std::string text = content_of(file);
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream stream(text);
  std::vector<double> result;
  for (double x = 0; stream >> x;) result.push_back(x);
  return result;
}

ColorConnectivity few_samples() {
  return generate_color_connectivity(
      grid_graph(4, 5), {.num_samples = 7, .seed = 3, .num_colours = 3, .noise_features = 2});
}

TEST(WriteTu, HoldsGraphsLabelsColoursAndNoise) {
  const TemporaryFolder folder;
  const ColorConnectivity samples = few_samples();
  const fs::path written = write_tu(samples, folder.path() / "new" / "folder", "cc");
  EXPECT_EQ(written, folder.path() / "new" / "folder" / "cc");

  const std::vector<double> ends = numbers(written / "cc_A.txt");
  ASSERT_EQ(std::ssize(ends), 2 * 7 * samples.graph.num_edges());
  std::size_t place = 0;
  for (int sample = 0; sample < 7; ++sample) {
    EdgeList edges;
    for (EdgeId e = 0; e < samples.graph.num_edges(); ++e) {
      edges.source.push_back(static_cast<std::int64_t>(ends[place++]) - 1 - 20 * sample);
      edges.target.push_back(static_cast<std::int64_t>(ends[place++]) - 1 - 20 * sample);
    }
    const Graph graph = Graph::from_edges(20, edges);
    EXPECT_EQ(graph.parts().columns, samples.graph.parts().columns);
    EXPECT_EQ(graph.parts().offsets, samples.graph.parts().offsets);
  }

  const std::vector<double> indicator = numbers(written / "cc_graph_indicator.txt");
  const std::vector<double> colours = numbers(written / "cc_node_labels.txt");
  const std::vector<double> noise = numbers(written / "cc_node_attributes.txt");
  ASSERT_EQ(indicator.size(), 140U);
  ASSERT_EQ(colours.size(), 140U);
  ASSERT_EQ(noise.size(), 280U);
  for (int i = 0; i < 140; ++i) {
    EXPECT_EQ(indicator[i], 1 + i / 20);
    EXPECT_EQ(colours[i], samples.colours(i / 20)[i % 20]);
    EXPECT_EQ(static_cast<float>(noise[2 * i + 1]), samples.noise(i / 20)[2 * (i % 20) + 1]);
  }
  EXPECT_EQ(numbers(written / "cc_graph_labels.txt"),
            std::vector<double>(samples.labels.begin(), samples.labels.end()));
  EXPECT_THAT(content_of(written / "cc_A.txt"), testing::StartsWith("1, 2\n1, 5\n2, 1\n"));
}

TEST(WriteTu, LeavesNothingBehindWhenItIsEnded) {
  const TemporaryFolder folder;
  std::int64_t calls = 0;
  const auto end = [&](std::int64_t done, std::int64_t total) {
    EXPECT_EQ(done, ++calls);
    EXPECT_EQ(total, 5 * 7) << "seven samples in five files";
    if (done == 30) throw std::runtime_error("enough");
  };
  EXPECT_THROW(write_tu(few_samples(), folder.path(), "cc", end), std::runtime_error);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(WriteTu, TakesNoNameThatIsNotText) {
  const TemporaryFolder folder;
  for (const char* name : {"a\x1b[31m", "\xff"}) {
    EXPECT_THAT(error_of<Error>([&] { write_tu(few_samples(), folder.path(), name); }),
                HasSubstr("cannot be a data set's name"));
  }
}

TEST(WriteTu, LeavesNothingBehindWhenItFails) {
  const TemporaryFolder folder;
  folder.write("cc/precious.txt", "mine");
  EXPECT_THAT(error_of<Error>([&] { write_tu(few_samples(), folder.path(), "cc"); }),
              HasSubstr("cc already exists"));
  EXPECT_EQ(content_of(folder.path() / "cc" / "precious.txt"), "mine");
  EXPECT_THAT(
      error_of<Error>([&] { write_tu(few_samples(), folder.path() / "cc" / "precious.txt", "x"); }),
      HasSubstr("cannot create a folder next to"));
  EXPECT_THAT(error_of<Error>([&] { write_tu(few_samples(), folder.path(), "../cc"); }),
              HasSubstr("cannot be a data set's name"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace hgnet
