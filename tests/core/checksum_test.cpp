#include "core/checksum.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/shallow_json.hpp"

namespace hgnet {
namespace {

std::string sum_of(std::initializer_list<std::string_view> pieces) {
  Checksum sum;
  for (const std::string_view piece : pieces) sum.add(piece);
  return sum.text();
}

TEST(Checksum, IsXxh3) {
  EXPECT_EQ(sum_of({}), "2d06800538d394c2");  // as xxhsum -H3 prints it
  EXPECT_EQ(sum_of({"a"}), "e6c632b61e964e1f");
}

TEST(Checksum, PiecesMakeNoDifference) {
  EXPECT_EQ(sum_of({"hierarchical", "", " graph"}), sum_of({"hierarchical graph"}));
  EXPECT_NE(sum_of({"hierarchical graph"}), sum_of({"hierarchical Graph"}));
}

TEST(Checksum, ArraysDoNotRunIntoEachOther) {
  const auto of_arrays = [](const std::vector<int>& a, const std::vector<int>& b) {
    Checksum sum;
    sum.add_array(std::span<const int>(a));
    sum.add_array(std::span<const int>(b));
    return sum.text();
  };
  EXPECT_NE(of_arrays({1, 2}, {3}), of_arrays({1}, {2, 3}));
}

TEST(ShallowJson, RefusesDeepNesting) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_NO_THROW(parse_shallow_json(nested(64)));
  EXPECT_THROW(parse_shallow_json(nested(65)), nlohmann::json::exception);
  EXPECT_THROW(parse_shallow_json(nested(1'000'000)), nlohmann::json::exception);
  EXPECT_NO_THROW(parse_shallow_json("\"" + nested(100) + "\\\"" + nested(100) + "\""));
  EXPECT_TRUE(is_nested_deeply("\"\\\\\"" + nested(65)));
}

}  // namespace
}  // namespace hgnet
