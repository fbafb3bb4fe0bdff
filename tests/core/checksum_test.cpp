#include "core/checksum.hpp"

#include <gtest/gtest.h>

#include <vector>

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

}  // namespace
}  // namespace hgnet
