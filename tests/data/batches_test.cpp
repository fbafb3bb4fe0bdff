#include "hgnet/data/batches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

#include "hgnet/coarsening/build.hpp"
#include "hgnet/coarsening/methods.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;
using Samples = std::vector<std::int64_t>;

Dataset dataset_of(std::vector<Graph> graphs) {
  Dataset dataset;
  dataset.name = "tiny";
  dataset.task = Task::kGraph;
  for (const Graph& graph : graphs)
    dataset.node_offsets.push_back(dataset.node_offsets.back() + graph.num_nodes());
  dataset.graphs = std::move(graphs);
  return dataset;
}

/// Graphs of every awkward kind; dense features that distinguish their rows.
Dataset varied() {
  std::vector<Graph> graphs;
  for (const auto& [name, graph] : test::small_graphs()) graphs.push_back(graph);
  Dataset dataset = dataset_of(std::move(graphs));
  DenseRows rows{3, std::vector<float>(3 * dataset.num_nodes())};
  std::iota(rows.values.begin(), rows.values.end(), 1.0F);
  dataset.features = rows;
  return dataset;
}

/// `count` copies of one grid.
Dataset copies(std::int64_t count) {
  Dataset dataset = dataset_of(std::vector<Graph>(count, grid_graph(4, 3)));
  DenseRows rows{1, std::vector<float>(dataset.num_nodes())};
  std::iota(rows.values.begin(), rows.values.end(), 0.0F);
  dataset.features = rows;
  return dataset;
}

Hierarchy flat(const Graph& graph) { return Hierarchy(graph); }

Hierarchy two_levels(const Graph& graph) {
  return build_hierarchy_of_depth(
      graph, 2, coarsen_step(enum_value<Coarsening>("louvain"), CoarsenOptions{}));
}

/// The rows of the features, dense, by the definition of each kind.
std::vector<std::vector<float>> dense_rows(const Dataset& dataset) {
  std::vector<std::vector<float>> result(dataset.num_nodes());
  for (std::int64_t v = 0; v < dataset.num_nodes(); ++v) {
    if (const auto* dense = std::get_if<DenseRows>(&dataset.features)) {
      for (std::int64_t c = 0; c < dense->width; ++c)
        result[v].push_back(dense->values[v * dense->width + c]);
    } else if (const auto* sparse = std::get_if<SparseMatrix>(&dataset.features)) {
      result[v].resize(sparse->num_columns());
      for (EdgeId s = sparse->csr().offsets[v]; s < sparse->csr().offsets[v + 1]; ++s)
        result[v][sparse->csr().columns[s]] = sparse->values()[s];
    } else if (const auto* bits = std::get_if<BitRows>(&dataset.features)) {
      result[v].push_back((bits->words[v / 64] & std::uint64_t{1} << v % 64) != 0 ? 1.0F : 0.0F);
    } else {
      const auto& rows = std::get<CategoricalRows>(dataset.features);
      for (std::size_t c = 0; c < rows.sizes.size(); ++c) {
        for (std::int32_t k = 0; k < rows.sizes[c]; ++k)
          result[v].push_back(rows.values[v * rows.sizes.size() + c] == k ? 1.0F : 0.0F);
      }
    }
  }
  return result;
}

std::vector<std::vector<float>> dense_rows(const BatchFeatures& x) {
  Dataset dataset;
  if (const auto* dense = std::get_if<DenseRows>(&x)) {
    dataset.node_offsets = {0, static_cast<std::int64_t>(dense->values.size()) / dense->width};
    dataset.features = *dense;
  } else {
    dataset.node_offsets = {0, std::get<SparseMatrix>(x).num_rows()};
    dataset.features = std::get<SparseMatrix>(x);
  }
  return dense_rows(dataset);
}

void expect_same(const Graph& got, const Graph& expected) {
  EXPECT_EQ(got.parts().offsets, expected.parts().offsets);
  EXPECT_EQ(got.parts().columns, expected.parts().columns);
  EXPECT_EQ(got.parts().weights, expected.parts().weights);
  EXPECT_EQ(got.num_self_loops(), expected.num_self_loops());
  EXPECT_THAT(got.reverse(), ElementsAreArray(expected.reverse()));
  for (const SelfLoopFill fill : {SelfLoopFill::kOne, SelfLoopFill::kTwo, SelfLoopFill::kNone}) {
    EXPECT_EQ(got.gcn_normalisation(fill).values, expected.gcn_normalisation(fill).values);
    EXPECT_EQ(got.gcn_normalisation(fill).diagonal, expected.gcn_normalisation(fill).diagonal);
  }
}

/// Compares structure, computed afresh, and feature rows with the individual graphs.
void expect_joined(const SampleBatch& batch, const Dataset& dataset, const Samples& samples,
                   const std::function<Hierarchy(const Graph&)>& prepare) {
  EXPECT_EQ(batch.samples, samples);
  std::vector<Hierarchy> parts;
  for (const std::int64_t sample : samples) {
    // Rebuilt, so that no cached structure is shared with the batch under test.
    parts.push_back(prepare(Graph::from_csr(dataset.graphs[sample].parts())));
  }
  ASSERT_EQ(batch.hierarchy.num_levels(), parts.front().num_levels());
  for (int level = 0; level <= batch.hierarchy.num_levels(); ++level) {
    SCOPED_TRACE(level);
    std::vector<Graph> graphs;
    for (const Hierarchy& part : parts)
      graphs.push_back(Graph::from_csr(part.graph(level).parts()));
    expect_same(batch.hierarchy.graph(level), Batch(std::span<const Graph>(graphs)).graph());
  }
  const std::vector<std::vector<float>> all = dense_rows(dataset);
  std::vector<std::vector<float>> rows;
  std::vector<NodeId> graph_of_node;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto begin = dataset.node_offsets[samples[i]];
    const auto end = dataset.node_offsets[samples[i] + 1];
    rows.insert(rows.end(), all.begin() + begin, all.begin() + end);
    graph_of_node.insert(graph_of_node.end(), end - begin, static_cast<NodeId>(i));
  }
  EXPECT_EQ(dense_rows(batch.x), rows);
  EXPECT_THAT(batch.graph_of_node.parents(), ElementsAreArray(graph_of_node));
  EXPECT_EQ(batch.graph_of_node.num_parents(), static_cast<NodeId>(samples.size()));
}

TEST(BatchSource, JoinsWhatTheGraphsOneByOneGive) {
  const Dataset dataset = varied();
  const std::vector<std::function<Hierarchy(const Graph&)>> ways{flat, two_levels};
  for (std::size_t way = 0; way < ways.size(); ++way) {
    for (const int threads : {1, 3}) {
      const BatchSource source(dataset, ways[way], threads);
      for (const Samples& samples :
           {Samples{0, 1, 2, 3, 4, 5, 6, 7, 8}, Samples{8, 6, 5, 6}, Samples{7}, Samples{0}}) {
        SCOPED_TRACE(testing::Message() << "way " << way << ", " << samples.size() << " samples");
        expect_joined(source.join(samples), dataset, samples, ways[way]);
      }
    }
  }
}

TEST(BatchSource, PreparesEachTimeWhatItMayNotKeep) {
  const Dataset dataset = varied();
  int prepared = 0;
  const auto prepare = [&](const Graph& graph) {
    ++prepared;
    return two_levels(graph);
  };
  const BatchSource source(dataset, prepare, 1, /*most_kept=*/0);
  EXPECT_EQ(prepared, 0);
  for (const Samples& samples : {Samples{2, 0, 1}, Samples{1}, Samples{0, 1, 0}})
    expect_joined(source.join(samples), dataset, samples, two_levels);
  EXPECT_EQ(prepared, 6);  // of copies of a graph in a batch, one
}

TEST(BatchSource, KeepsSparseFeaturesSparse) {
  Dataset dataset = varied();
  std::vector<float> dense(dataset.num_nodes() * 50, 0.0F);
  for (std::size_t i = 0; i < dense.size(); i += 7) dense[i] = static_cast<float>(i);
  dataset.features = SparseMatrix::from_dense(dense, dataset.num_nodes(), 50);
  const BatchSource source(dataset, flat);
  const Samples samples{8, 2, 7};
  const SampleBatch batch = source.join(samples);
  ASSERT_TRUE(std::holds_alternative<SparseMatrix>(batch.x));
  EXPECT_EQ(std::get<SparseMatrix>(batch.x).num_columns(), 50);
  expect_joined(batch, dataset, samples, flat);
}

TEST(BatchSource, MakesCategoriesMultiHot) {
  Dataset dataset = varied();
  CategoricalRows rows{{3, 1, 4}, {}};
  for (std::int32_t v = 0; v < dataset.num_nodes(); ++v)
    rows.values.insert(rows.values.end(), {v % 3, 0, v % 4});
  dataset.features = rows;
  const BatchSource source(dataset, flat);
  const SampleBatch batch = source.join(Samples{4, 3});
  ASSERT_TRUE(std::holds_alternative<SparseMatrix>(batch.x));
  EXPECT_EQ(std::get<SparseMatrix>(batch.x).num_columns(), 8);
  expect_joined(batch, dataset, {4, 3}, flat);
  EXPECT_EQ(dense_rows(model_features(dataset)), dense_rows(dataset));
}

TEST(BatchSource, MakesBitsNumbers) {
  Dataset dataset = varied();
  Generator generator(1);
  BitRows rows{std::vector<std::uint64_t>((dataset.num_nodes() + 63) / 64)};
  for (std::int64_t v = 0; v < dataset.num_nodes(); ++v)
    rows.words[v / 64] |= generator.below(2) << (v % 64);
  dataset.features = rows;
  const BatchSource source(dataset, flat);
  const SampleBatch batch = source.join(Samples{8, 6, 0, 7});
  ASSERT_TRUE(std::holds_alternative<DenseRows>(batch.x));
  EXPECT_EQ(std::get<DenseRows>(batch.x).width, 1);
  expect_joined(batch, dataset, {8, 6, 0, 7}, flat);
  EXPECT_EQ(dense_rows(model_features(dataset)), dense_rows(dataset));
}

TEST(ModelFeatures, AreAllRows) {
  Dataset dataset = varied();
  EXPECT_EQ(dense_rows(model_features(dataset)), dense_rows(dataset));
  const SparseMatrix sparse = SparseMatrix::from_dense(std::vector<float>{0, 2, 0, 1}, 2, 2);
  dataset = dataset_of({path_graph(2)});
  dataset.features = sparse;
  const auto same = std::get<SparseMatrix>(model_features(dataset));
  EXPECT_EQ(same.values().data(), sparse.values().data()) << "copied instead of shared";
}

TEST(BatchSource, PreparesDistinctGraphsOnce) {
  std::atomic<int> calls{0};
  const auto count = [&](const Graph& graph) {
    ++calls;
    return Hierarchy(graph);
  };
  const Dataset one = copies(6);
  const BatchSource shared(one, count, 3);
  EXPECT_EQ(calls, 1);
  calls = 0;
  const Dataset many = dataset_of({path_graph(2), path_graph(2), path_graph(2)});
  const BatchSource apart(many, count);
  EXPECT_EQ(calls, 3);
}

TEST(BatchSource, SharesTheJoinedHierarchyOfOneTopology) {
  const Dataset dataset = copies(7);
  const BatchSource source(dataset, two_levels);
  const SampleBatch first = source.join(Samples{0, 1, 2});
  const SampleBatch second = source.join(Samples{6, 3, 5});
  for (int level = 0; level <= 2; ++level)
    EXPECT_EQ(first.hierarchy.graph(level).identity(), second.hierarchy.graph(level).identity());
  EXPECT_EQ(first.graph_of_node.parents().data(), second.graph_of_node.parents().data());
  expect_joined(second, dataset, {6, 3, 5}, two_levels);
  expect_joined(source.join(Samples{6, 3}), dataset, {6, 3}, two_levels);
}

TEST(BatchSource, SharesOneTopologyAmongOthers) {
  Dataset dataset = dataset_of({grid_graph(2, 2), path_graph(3), path_graph(3)});
  dataset.graphs[2] = dataset.graphs[1];
  dataset.features = DenseRows{1, std::vector<float>(10, 1.0F)};
  const BatchSource source(dataset, flat);
  EXPECT_EQ(source.join(Samples{1, 2}).hierarchy.graph(0).identity(),
            source.join(Samples{2, 1}).hierarchy.graph(0).identity());
  expect_joined(source.join(Samples{1, 0, 2}), dataset, {1, 0, 2}, flat);
}

TEST(BatchSource, LeavesOneGraphAloneAsItIs) {
  const Dataset dataset = varied();
  const BatchSource source(dataset, flat);
  EXPECT_EQ(source.join(Samples{7}).hierarchy.graph(0).identity(), dataset.graphs[7].identity());
}

TEST(BatchSource, NamesWhatIsWrong) {
  Dataset dataset = varied();
  const auto joining = [&](const Samples& samples) {
    return test::error_of<InvalidDataset>([&] { BatchSource(dataset, flat).join(samples); });
  };
  EXPECT_THAT(joining({0, 9}), HasSubstr("sample 9 does not exist; tiny has 9 graphs"));
  EXPECT_THAT(joining({-1}), HasSubstr("sample -1 does not exist"));
  EXPECT_THAT(joining({}), HasSubstr("without samples"));
  EXPECT_THAT(test::error_of<InvalidDataset>([&] {
                BatchSource(dataset, [](const Graph&) { return Hierarchy(path_graph(1)); });
              }),
              HasSubstr("a graph of 0 nodes was given a hierarchy over 1"));
  const auto depths = [](const Graph& graph) {
    return graph.num_nodes() == 12 ? two_levels(graph) : flat(graph);
  };
  EXPECT_THAT(test::error_of<InvalidHierarchy>([&] {
                BatchSource(dataset, depths).join(Samples{6, 7});
              }),
              HasSubstr("number 1 has 2 coarse levels"));
  const auto large_fails = [](const Graph& graph) -> Hierarchy {
    if (graph.num_nodes() > 3) throw Error(std::to_string(graph.num_nodes()) + " nodes");
    return Hierarchy(graph);
  };
  for (const int threads : {1, 4}) {
    EXPECT_EQ(test::error_of<Error>([&] { BatchSource(dataset, large_fails, threads); }),
              "5 nodes");
  }
  dataset.task = Task::kNode;
  EXPECT_THAT(joining({0}), HasSubstr("the samples of tiny are nodes"));
}

Samples flattened(const std::vector<std::vector<std::int64_t>>& plan) {
  Samples all;
  for (const auto& batch : plan) all.insert(all.end(), batch.begin(), batch.end());
  return all;
}

TEST(PlanBatches, CutsSamplesInOrder) {
  const Samples samples{5, 3, 8, 1, 2};
  EXPECT_THAT(plan_batches(samples, 2, nullptr),
              ElementsAre(Samples{5, 3}, Samples{8, 1}, Samples{2}));
  EXPECT_THAT(plan_batches(samples, 5, nullptr), ElementsAre(samples));
  EXPECT_THAT(plan_batches(samples, 9, nullptr), ElementsAre(samples));
  EXPECT_TRUE(plan_batches({}, 3, nullptr).empty());
  EXPECT_THAT(test::error_of<Error>([&] { plan_batches(samples, 0, nullptr); }),
              HasSubstr("batches of 0"));
}

TEST(PlanBatches, ShufflesByTheGeneratorAlone) {
  Samples samples(100);
  std::iota(samples.begin(), samples.end(), 1000);
  Generator a(3);
  Generator b(3);
  Generator c(4);
  const auto plan = plan_batches(samples, 7, &a);
  EXPECT_EQ(plan, plan_batches(samples, 7, &b));
  EXPECT_NE(plan, plan_batches(samples, 7, &c));
  EXPECT_NE(plan, plan_batches(samples, 7, &a)) << "the second epoch is the first again";
  EXPECT_NE(flattened(plan), samples);
  Samples sorted = flattened(plan);
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, samples);
}

TEST(PlanBatches, FirstPlaceIsUniform) {
  const Samples samples{0, 1, 2, 3};
  std::vector<int> first(4);
  Generator generator(5);
  for (int i = 0; i < 4000; ++i) ++first[plan_batches(samples, 2, &generator)[0][0]];
  EXPECT_THAT(first, Each(AllOf(Ge(850), Le(1150))));  // five standard deviations
}

TEST(BatchStream, GivesThePlanInOrder) {
  const Dataset dataset = varied();
  const BatchSource source(dataset, two_levels);
  Samples samples(dataset.num_graphs());
  std::iota(samples.begin(), samples.end(), 0);
  for (const int ahead : {1, 2, 50}) {
    Generator generator(1);
    const auto plan = plan_batches(samples, 2, &generator);
    BatchStream stream(source, plan, ahead);
    for (const Samples& expected : plan) {
      const std::optional<SampleBatch> batch = stream.next();
      ASSERT_TRUE(batch);
      expect_joined(*batch, dataset, expected, two_levels);
    }
    EXPECT_FALSE(stream.next());
    EXPECT_FALSE(stream.next());
  }
  BatchStream nothing(source, {});
  EXPECT_FALSE(nothing.next());
  EXPECT_THAT(test::error_of<Error>([&] { BatchStream(source, {}, 0); }), HasSubstr("0 batches"));
}

/// More of them than are kept ready, so that the thread that joins them sleeps and wakes.
TEST(BatchStream, GivesManySmallBatches) {
  const Dataset dataset = copies(8);
  const BatchSource source(dataset, flat);
  const std::vector<Samples> plan(5000, Samples{0, 1, 2, 3, 4, 5, 6, 7});
  BatchStream stream(source, plan);
  for (const Samples& samples : plan) ASSERT_EQ(stream.next()->samples, samples);
  EXPECT_FALSE(stream.next());
}

TEST(BatchStream, PassesErrorsOnInTheirPlace) {
  const Dataset dataset = varied();
  const BatchSource source(dataset, flat);
  BatchStream stream(source, {{1}, {2}, {77}, {3}}, 4);
  EXPECT_EQ(stream.next()->samples, Samples{1});
  EXPECT_EQ(stream.next()->samples, Samples{2});
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(test::error_of<InvalidDataset>([&] { stream.next(); }), HasSubstr("sample 77"));
  }
}

TEST(BatchStream, MayEndEarly) {
  const Dataset dataset = copies(200);
  const BatchSource source(dataset, flat);
  Samples samples(200);
  std::iota(samples.begin(), samples.end(), 0);
  for (int taken = 0; taken < 4; ++taken) {
    BatchStream stream(source, plan_batches(samples, 1, nullptr), 1 + taken);
    for (int i = 0; i < taken; ++i) EXPECT_TRUE(stream.next());
  }
}

/// One source and several consumers, all of which use the structure that shared graphs keep.
TEST(BatchStream, SeveralMayShareOneSource) {
  const Dataset dataset = copies(40);
  const BatchSource source(dataset, two_levels);
  Samples samples(40);
  std::iota(samples.begin(), samples.end(), 0);
  std::vector<double> sums(3);
  {
    std::vector<std::jthread> consumers;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      consumers.emplace_back([&, i] {
        BatchStream stream(source, plan_batches(samples, 3, nullptr));
        while (const std::optional<SampleBatch> batch = stream.next()) {
          sums[i] += batch->hierarchy.graph(1).gcn_normalisation(SelfLoopFill::kOne).values[0];
          sums[i] += static_cast<double>(batch->hierarchy.graph(0).reverse()[1]);
        }
      });
    }
  }
  EXPECT_GT(sums[0], 0);
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(sums[0], sums[2]);
}

}  // namespace
}  // namespace hgnet
