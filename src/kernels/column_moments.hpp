#pragma once

#include <cstdint>

namespace hgnet::kernels {

/// By column: the mean of z and the sum of (z - mean)^2, in one pass over z.
template <class T>
void column_moments(std::int64_t rows, std::int64_t channels, const T* z, double* mean,
                    double* square, int threads);

}  // namespace hgnet::kernels
