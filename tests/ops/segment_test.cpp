#include "hgnet/ops/segment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hgnet/graph/batch.hpp"
#include "naive.hpp"
#include "support/errors.hpp"
#include "support/gradients.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using test::random_tensor;
using torch::Tensor;

struct Op {
  const char* name;
  Tensor (*ours)(const Tensor&, const ParentMap&);
  Tensor (*naive)(const Tensor&, const ParentMap&);
  bool takes_parents;
};

const std::vector<Op> kOps{{"sum", segment_sum, naive::segment_sum, false},
                           {"mean", segment_mean, naive::segment_mean, false},
                           {"max", segment_max, naive::segment_max, false},
                           {"gather", gather, naive::gather, true}};

std::int64_t rows_of(const Op& op, const ParentMap& map) {
  return op.takes_parents ? map.num_parents() : map.num_children();
}

void for_each_op(const ParentMap& map, const std::function<void(const Op&, std::int64_t)>& body) {
  for (const Op& op : kOps) {
    SCOPED_TRACE(op.name);
    body(op, rows_of(op, map));
  }
}

test::Function bind(Tensor (*op)(const Tensor&, const ParentMap&), const ParentMap& map) {
  return [op, map](const Inputs& in) { return op(in[0], map); };
}

TEST(Segment, EqualsTheNaiveFormOnMapsOfEveryKind) {
  const std::vector<Graph> graphs{Graph::from_edges(3, {}), Graph(), Graph::from_edges(5, {})};
  for (const ParentMap& map :
       {ParentMap(), ParentMap({}, 3), ParentMap({0}, 1), ParentMap({kNoNode, kNoNode}, 0),
        ParentMap({kNoNode, 1, 1}, 3), test::random_map(60, 9, 1), test::random_map(9, 60, 2),
        Batch(std::span<const Graph>(graphs)).graph_of_node()}) {
    for_each_op(map, [&](const Op& op, std::int64_t rows) {
      test::expect_equal_functions(bind(op.ours, map), bind(op.naive, map),
                                   {random_tensor({rows, 5}, 3)});
    });
  }
}

TEST(Segment, EqualsTheNaiveFormAtEveryWidth) {
  const ParentMap map = test::random_map(40, 7, 4);
  for (const std::int64_t channels : {0, 1, 2, 3, 5, 8, 15, 16, 17, 32, 33, 100, 129, 300, 1433}) {
    SCOPED_TRACE(channels);
    for_each_op(map, [&](const Op& op, std::int64_t rows) {
      test::expect_equal_functions(bind(op.ours, map), bind(op.naive, map),
                                   {random_tensor({rows, channels}, 5)});
    });
  }
}

TEST(Segment, VectorsAreRowsOfWidthOne) {
  const ParentMap map = test::random_map(40, 7, 4);
  for_each_op(map, [&](const Op& op, std::int64_t rows) {
    const Tensor x = random_tensor({rows}, 6);
    EXPECT_TRUE(op.ours(x, map).equal(op.ours(x.unsqueeze(1), map).squeeze(1)));
  });
}

TEST(Segment, GradientsMatchDifferences) {
  const ParentMap map = test::random_map(12, 4, 7);
  for_each_op(map, [&](const Op& op, std::int64_t rows) {
    test::expect_gradients_match_differences(bind(op.ours, map), {random_tensor({rows, 3}, 8)});
  });
}

TEST(Segment, SameBitsForAnyThreadCount) {
  const ParentMap map = test::random_map(200000, 70000, 9);
  for_each_op(map, [&](const Op& op, std::int64_t rows) {
    for (const std::int64_t channels : {9, 33}) {
      test::expect_same_bits_for_any_thread_count(bind(op.ours, map),
                                                  {random_tensor({rows, channels}, 10)});
    }
  });
}

TEST(Segment, MaximumOfEqualsIsTheFirst) {
  const ParentMap map({0, 0, 1, 0}, 2);
  const auto result =
      test::evaluate(bind(segment_max, map), {torch::ones({4, 17}, torch::kFloat64)});
  EXPECT_TRUE(result.output.equal(torch::ones({2, 17}, torch::kFloat64)));
  EXPECT_EQ(result.gradients[0][0].abs().gt(0).sum().item<int>(), 17);
  EXPECT_EQ(result.gradients[0][1].abs().sum().item<double>(), 0);
  EXPECT_EQ(result.gradients[0][3].abs().sum().item<double>(), 0);
}

TEST(Segment, MaximumDoesNotLoseWhatIsNotANumber) {
  const double nan = std::nan("");
  const Tensor x =
      torch::tensor({1.0, nan, 2.0, 3.0, nan}, torch::kFloat64).unsqueeze(1).repeat({1, 20});
  const Tensor y = segment_max(x, ParentMap({0, 0, 0, 1, 2}, 3));
  EXPECT_TRUE(torch::isnan(y).all(1).equal(torch::tensor({true, false, true})));
}

TEST(Segment, GatherUndoesWhatSingletonsPool) {
  const Tensor x = random_tensor({6, 4}, 11);
  const ParentMap singletons = ParentMap::identity(6);
  for (const Op& op : kOps) EXPECT_TRUE(op.ours(x, singletons).equal(x)) << op.name;
}

TEST(Segment, RefusesWrongShapes) {
  const ParentMap map({0, 0, 1}, 2);
  for_each_op(map, [&](const Op& op, std::int64_t rows) {
    EXPECT_THROW(op.ours(torch::ones({rows + 1, 2}), map), c10::Error);
    EXPECT_THROW(op.ours(torch::ones({rows, 2, 2}), map), c10::Error);
    EXPECT_THROW(op.ours(torch::ones({rows, 2}, torch::kInt), map), c10::Error);
  });
}

TEST(AddGathered, IsTheSumOfBoth) {
  const ParentMap map({1, kNoNode, 0, 1, 1}, 3);
  test::expect_equal_functions([&](const Inputs& in) { return add_gathered(in[1], in[0], map); },
                               [&](const Inputs& in) { return in[1] + naive::gather(in[0], map); },
                               {random_tensor({3, 5}, 1), random_tensor({5, 5}, 2)});
  test::expect_gradients_match_differences(
      [&](const Inputs& in) { return add_gathered(in[1], in[0], map); },
      {random_tensor({3, 2}, 1), random_tensor({5, 2}, 2)});
  EXPECT_THAT(test::error_of<c10::Error>([&] {
                add_gathered(torch::ones({4, 5}), torch::ones({3, 5}), map);
              }),
              testing::HasSubstr("add_gathered: rows must have shape [5, 5] (got [4, 5])"));
}

}  // namespace
}  // namespace hgnet
