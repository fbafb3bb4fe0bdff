#include "hgnet/data/fingerprint.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "support/samples.hpp"

namespace hgnet {
namespace {

using Parts = std::vector<std::string>;

/// The parts whose checksums change with the data set.
Parts changed(const Dataset& dataset, const std::function<void(Dataset&)>& change) {
  Dataset other = dataset;
  change(other);
  Parts parts;
  const auto before = fingerprint(dataset);
  for (const auto& [part, sum] : fingerprint(other)) {
    if (sum != before.at(part)) parts.push_back(part);
  }
  return parts;
}

TEST(Fingerprint, TellsWhatHasChanged) {
  const Dataset graphs = test::rings_and_stars(20);
  EXPECT_EQ(changed(graphs, [](Dataset&) {}), Parts());
  EXPECT_EQ(changed(graphs,
                    [](Dataset& d) {
                      for (std::int32_t& label : d.classes) label = 1 - label;
                    }),
            Parts{"targets"});
  EXPECT_EQ(changed(graphs, [](Dataset& d) { std::swap(d.class_names[0], d.class_names[1]); }),
            Parts{"targets"});
  EXPECT_EQ(changed(graphs, [](Dataset& d) { d.graphs[3] = d.graphs[5]; }), Parts{"graphs"});
  const Dataset numbers = test::regression_graphs(20);
  EXPECT_EQ(changed(numbers, [](Dataset& d) { std::get<DenseRows>(d.features).values[7] += 1; }),
            Parts{"features"});
  EXPECT_EQ(changed(numbers, [](Dataset& d) { d.targets[4] += 0.5F; }), Parts{"targets"});
}

TEST(Fingerprint, DoesNotDependOnWhatGraphsShare) {
  const Dataset dataset = test::rings_and_stars(20);
  EXPECT_EQ(
      changed(dataset,
              [](Dataset& d) { d.graphs[3] = Graph::from_csr(GraphParts(d.graphs[3].parts())); }),
      Parts());
}

TEST(Fingerprint, OfASplitKnowsItsParts) {
  const Split split{{0, 1}, {2}, {3}};
  EXPECT_EQ(fingerprint(split), fingerprint(Split{{0, 1}, {2}, {3}}));
  EXPECT_NE(fingerprint(split), fingerprint(Split{{0}, {1, 2}, {3}}));
  EXPECT_NE(fingerprint(split), fingerprint(Split{{0, 1}, {3}, {2}}));
}

}  // namespace
}  // namespace hgnet
