// What differs between libtorch 1.13 and PyTorch 2.

#pragma once

#include <torch/types.h>
#include <torch/version.h>

#include <cstdint>

namespace hgnet::python {

#if TORCH_VERSION_MAJOR >= 2

// Compilers trace operators with sizes that are symbols.
#define HGNET_SIZE "SymInt"
using Size = c10::SymInt;
inline Size size_of(const torch::Tensor& tensor, std::int64_t dim) { return tensor.sym_size(dim); }
inline Size to_size(const c10::IValue& value) { return value.toSymInt(); }

#else

#define HGNET_SIZE "int"
using Size = std::int64_t;
inline Size size_of(const torch::Tensor& tensor, std::int64_t dim) { return tensor.size(dim); }
inline Size to_size(const c10::IValue& value) { return value.toInt(); }

#endif

}  // namespace hgnet::python
