#include "kernels/column_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hgnet/core/random.hpp"

namespace hgnet::kernels {
namespace {

/// Compares both moments of every column with sums in double precision, for floats that are far
/// from 0 relative to their spread.
void expect_exact_moments(std::int64_t rows, std::int64_t channels) {
  Generator generator(5);
  std::vector<float> z(rows * channels);
  for (std::size_t i = 0; i < z.size(); ++i)
    z[i] = 10000.0F + static_cast<float>(i % channels) + static_cast<float>(generator.uniform());
  std::vector<double> mean(channels);
  std::vector<double> square(channels);
  column_moments(rows, channels, z.data(), mean.data(), square.data(), 2);
  for (std::int64_t c = 0; c < channels; ++c) {
    double exact_mean = 0;
    for (std::int64_t r = 0; r < rows; ++r) exact_mean += z[r * channels + c];
    exact_mean /= static_cast<double>(rows);
    double exact_square = 0;
    for (std::int64_t r = 0; r < rows; ++r)
      exact_square += std::pow(z[r * channels + c] - exact_mean, 2);
    EXPECT_NEAR(mean[c], exact_mean, 1e-6) << rows << " rows, column " << c;
    EXPECT_NEAR(square[c], exact_square, 1e-4 * exact_square) << rows << " rows, column " << c;
  }
}

TEST(ColumnMoments, AreExactFarFromZero) {
  for (const std::int64_t rows : {2, 255, 256, 257, 1000})
    for (const std::int64_t channels : {1, 5, 40}) expect_exact_moments(rows, channels);
}

TEST(ColumnMoments, AreZeroWithoutRows) {
  std::vector<double> mean{1, 1};
  std::vector<double> square{1, 1};
  column_moments<float>(0, 2, nullptr, mean.data(), square.data(), 1);
  EXPECT_EQ(mean, (std::vector<double>{0, 0}));
  EXPECT_EQ(square, (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace hgnet::kernels
