#include "hgnet/graph/sparse_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(std::int64_t num_columns, std::vector<EdgeId> offsets,
                     std::vector<NodeId> columns, std::vector<float> values) {
  return test::error_of<InvalidMatrix>([&] {
    SparseMatrix(num_columns, std::move(offsets), std::move(columns), std::move(values));
  });
}

TEST(SparseMatrix, KeepsWhatIsNotZero) {
  const std::vector<float> dense{0, 2, 0, 0, 0, 0, 3, 0, 4};
  const SparseMatrix matrix = SparseMatrix::from_dense(dense, 3, 3);
  EXPECT_EQ(matrix.num_rows(), 3);
  EXPECT_EQ(matrix.num_entries(), 3);
  EXPECT_THAT(matrix.csr().offsets, ElementsAre(0, 1, 1, 3));
  EXPECT_THAT(matrix.csr().columns, ElementsAre(1, 0, 2));
  EXPECT_THAT(matrix.values(), ElementsAre(2, 3, 4));
}

TEST(SparseMatrix, EmptyOnesWork) {
  EXPECT_EQ(SparseMatrix().num_rows(), 0);
  EXPECT_EQ(SparseMatrix(0, {0, 0}, {}, {}).num_rows(), 1);
  EXPECT_EQ(SparseMatrix(2, {0}, {}, {}).num_columns(), 2);
}

TEST(SparseMatrix, RefusesBrokenStructure) {
  EXPECT_EQ(error_of(2, {0, 1}, {1}, {1}), "no error");
  EXPECT_THAT(error_of(2, {0, 1}, {2}, {1}), HasSubstr("row 0: column 2 is outside 0 .. 1"));
  EXPECT_THAT(error_of(2, {0, 1}, {-1}, {1}), HasSubstr("row 0: column -1"));
  EXPECT_THAT(error_of(2, {0, 2}, {1, 1}, {1, 1}), HasSubstr("row 0: columns do not ascend"));
  EXPECT_THAT(error_of(2, {0, 5, 1}, {1}, {1}), HasSubstr("row 0: offsets do not rise"));
  EXPECT_THAT(error_of(2, {0, 2}, {1}, {1}), HasSubstr("offsets must run from 0"));
  EXPECT_THAT(error_of(2, {}, {}, {}), HasSubstr("offsets must run from 0"));
  EXPECT_THAT(error_of(2, {0, 1}, {1}, {}), HasSubstr("0 values for 1 entries"));
  EXPECT_THAT(error_of(-1, {0}, {}, {}), HasSubstr("column count -1"));
  EXPECT_THROW(SparseMatrix::from_dense(std::vector<float>{1}, 2, 3), InvalidMatrix);
}

}  // namespace
}  // namespace hgnet
