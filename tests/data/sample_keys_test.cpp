#include "hgnet/data/sample_keys.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "hgnet/core/random.hpp"
#include "support/samples.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A path of nodes with one number each; `order` lists which number each node has.
Dataset path_of(const std::vector<int>& order) {
  const auto nodes = static_cast<std::int64_t>(order.size());
  std::vector<std::int64_t> place(order.size());
  Dataset dataset;
  DenseRows rows{1, {}};
  for (std::size_t v = 0; v < order.size(); ++v) {
    place[static_cast<std::size_t>(order[v])] = static_cast<std::int64_t>(v);
    rows.values.push_back(static_cast<float>(order[v] % 3));
    dataset.sample_names.push_back("n" + std::to_string(order[v]));
  }
  EdgeList edges;
  for (std::size_t i = 1; i < place.size(); ++i) {
    edges.source.push_back(place[i - 1]);
    edges.target.push_back(place[i]);
  }
  dataset.graphs = {Graph::from_edges(nodes, edges)};
  dataset.node_offsets = {0, nodes};
  dataset.features = rows;
  dataset.classes.assign(order.size(), 0);
  dataset.class_names = {"a"};
  return dataset;
}

/// The graphs in another order, each with its nodes in another order.
Dataset shuffled_graphs(const Dataset& dataset, std::span<const std::int64_t> order) {
  Generator generator(3);
  Dataset result = dataset;
  result.graphs.clear();
  result.node_offsets = {0};
  DenseRows rows{std::get<DenseRows>(dataset.features).width, {}};
  for (const std::int64_t g : order) {
    const Graph& graph = dataset.graphs[static_cast<std::size_t>(g)];
    std::vector<std::int64_t> old(static_cast<std::size_t>(graph.num_nodes()));
    std::iota(old.begin(), old.end(), 0);
    generator.shuffle(std::span(old));
    std::vector<std::int64_t> place(old.size());
    for (std::size_t v = 0; v < old.size(); ++v) {
      place[static_cast<std::size_t>(old[v])] = static_cast<std::int64_t>(v);
      const auto row = std::get<DenseRows>(dataset.features).values.begin() +
                       (dataset.node_offsets[static_cast<std::size_t>(g)] + old[v]) * rows.width;
      rows.values.insert(rows.values.end(), row, row + rows.width);
    }
    EdgeList edges;
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (const auto u : graph.neighbours(v)) {
        if (u < v) continue;
        edges.source.push_back(place[static_cast<std::size_t>(v)]);
        edges.target.push_back(place[static_cast<std::size_t>(u)]);
      }
    }
    result.graphs.push_back(Graph::from_edges(graph.num_nodes(), edges));
    result.node_offsets.push_back(result.node_offsets.back() + graph.num_nodes());
  }
  result.features = rows;
  return result;
}

/// The samples of `dataset` that are among those of `other`, all of which it has trained on.
std::vector<std::int64_t> recognised_samples(const Dataset& dataset, const Dataset& other,
                                             std::vector<std::int64_t> known) {
  return recognised(dataset, other, {std::move(known), {}, {}}).train;
}

TEST(SampleKeys, NodesAreRecognisedInAnotherOrder) {
  const Dataset first = path_of({0, 1, 2, 3, 4, 5, 6, 7});
  const Dataset again = path_of({7, 0, 3, 1, 6, 4, 2, 5});
  EXPECT_THAT(recognised_samples(again, first, {0, 2, 5}), ElementsAre(1, 6, 7));
}

TEST(SampleKeys, NodesAreRecognisedAmongOthers) {
  const Dataset first = path_of({0, 1, 2, 3, 4, 5, 6, 7});
  const Dataset more = path_of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  // 6 and 7 are within two steps of the nodes that were added.
  EXPECT_THAT(recognised_samples(more, first, {0, 3, 5, 6, 7}), ElementsAre(0, 3, 5));
}

TEST(SampleKeys, NodesWithARowOfTheirOwnAreRecognisedInAnyGraph) {
  Dataset first = path_of({0, 1, 2, 3});
  std::get<DenseRows>(first.features).values = {0.5F, 1.5F, 2.5F, 2.5F};
  Dataset hub = first;
  EdgeList star;
  star.source = {0, 0, 0};
  star.target = {1, 2, 3};
  hub.graphs = {Graph::from_edges(4, star)};
  EXPECT_THAT(recognised_samples(hub, first, {0, 1, 2, 3}), ElementsAre(0, 1));
  hub.sample_names[0] = "another";
  EXPECT_THAT(recognised_samples(hub, first, {0, 1, 2, 3}), ElementsAre(1));
  std::get<DenseRows>(first.features).values = {0.5F, 1.5F, 2.5F, 3.5F};
  std::get<DenseRows>(hub.features).values = {3.5F, 9.5F, 0.5F, 2.5F};
  hub.sample_names = {"0", "1", "2", "3"};
  EXPECT_THAT(recognised_samples(hub, first, {0, 1, 2, 3}), ElementsAre(0, 2, 3));
}

TEST(SampleKeys, NumbersAreNames) {
  const Dataset first = path_of({0, 1, 2, 3});
  Dataset unnamed = first;
  unnamed.sample_names.clear();
  EXPECT_THAT(recognised_samples(unnamed, first, {0, 1, 2, 3}), IsEmpty());
  Dataset numbered = path_of({3, 2, 1, 0});
  for (std::string& name : numbered.sample_names) name.erase(0, 1);
  EXPECT_THAT(recognised_samples(numbered, unnamed, {0, 1}), ElementsAre(2, 3));
}

TEST(SampleKeys, OtherNamesAreOtherNodes) {
  Dataset other = path_of({0, 1, 2, 3});
  for (std::string& name : other.sample_names) name += "'";
  EXPECT_THAT(recognised_samples(other, path_of({0, 1, 2, 3}), {0, 1, 2, 3}), IsEmpty());
}

TEST(SampleKeys, GraphsAreRecognisedInAnyOrder) {
  Dataset first = test::regression_graphs(10);
  auto& values = std::get<DenseRows>(first.features).values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += 0.01F * static_cast<float>(i % 97);
  const std::vector<std::int64_t> order{9, 4, 0, 1, 8, 2, 3, 7, 5, 6};
  const Dataset again = shuffled_graphs(first, order);
  EXPECT_THAT(recognised_samples(again, first, {0, 4, 9}), ElementsAre(0, 1, 2));
  Dataset changed = again;
  std::get<DenseRows>(changed.features).values[0] += 1;
  EXPECT_THAT(recognised_samples(changed, first, {0, 4, 9}), ElementsAre(1, 2));
}

TEST(SampleKeys, GraphsThatLookTheSameAreNotToldApart) {
  const Dataset first = test::rings_and_stars(16);
  ASSERT_EQ(sample_keys(first)[0], sample_keys(first)[14]);
  EXPECT_THAT(recognised_samples(first, first, {0, 2}), ElementsAre(2));
  EXPECT_THAT(recognised_samples(first, first, {0, 2, 14}), ElementsAre(0, 2, 14));
  EXPECT_EQ(recognised(first, first, {{0, 1}, {2, 14}, {3, 15}}), (Split{{0, 14}, {2}, {3}}));
}

TEST(SampleKeys, EveryFormOfFeaturesHasKeys) {
  Dataset dataset = test::rings_and_stars(6);  // sparse
  const std::vector<std::uint64_t> sparse = sample_keys(dataset);
  EXPECT_EQ(sparse.size(), 6U);
  EXPECT_NE(sparse[0], sparse[1]);
  const auto nodes = static_cast<std::size_t>(dataset.num_nodes());
  CategoricalRows categories{{2}, std::vector<std::int32_t>(nodes)};
  dataset.features = categories;
  const std::vector<std::uint64_t> before = sample_keys(dataset);
  categories.values[0] = 1;
  dataset.features = categories;
  EXPECT_NE(sample_keys(dataset)[0], before[0]);
  EXPECT_EQ(sample_keys(dataset)[1], before[1]);
  BitRows bits{std::vector<std::uint64_t>(nodes / 64 + 1)};
  ColumnRows table{{Column{{"x"}, std::vector<float>(nodes)}}};
  const auto keys_of = [&](const NodeFeatures& features) {
    dataset.features = features;
    return sample_keys(dataset);
  };
  const auto plain_bits = keys_of(bits);
  const auto plain_table = keys_of(table);
  bits.words[0] = 1;
  table.columns[0].values[0] = 1;
  EXPECT_NE(keys_of(bits)[0], plain_bits[0]);
  EXPECT_EQ(keys_of(bits)[1], plain_bits[1]);
  EXPECT_NE(keys_of(table)[0], plain_table[0]);
  EXPECT_EQ(keys_of(table)[1], plain_table[1]);
}

TEST(SampleKeys, WeightsAndRowsOfEdgesCount) {
  Dataset dataset = path_of({0, 1, 2});
  EdgeList edges;
  edges.source = {0, 1};
  edges.target = {1, 2};
  const auto key_with = [&](float weight, float row) {
    edges.weight = {1, weight};
    edges.rows = {0, row};
    edges.row_width = 1;
    dataset.graphs = {Graph::from_edges(3, edges)};
    return sample_keys(dataset)[2];
  };
  EXPECT_EQ(key_with(1, 0), key_with(1, 0));
  EXPECT_NE(key_with(1, 0), key_with(2, 0));
  EXPECT_NE(key_with(1, 0), key_with(1, 2));
}

}  // namespace
}  // namespace hgnet
