// Calls the f32 or f64 form of an exported kernel, in the best instruction set of the machine. Highway's own headers may not
// come before foreach_target.h, so none is included here.

#pragma once

/// HGNET_DISPATCH(T, spmm, args...) calls spmm_f32(args...) or spmm_f64(args...), which HWY_EXPORT has named.
#define HGNET_DISPATCH(T, name, ...)                 \
  do {                                               \
    if constexpr (sizeof(T) == sizeof(float)) {      \
      HWY_DYNAMIC_DISPATCH(name##_f32)(__VA_ARGS__); \
    } else {                                         \
      HWY_DYNAMIC_DISPATCH(name##_f64)(__VA_ARGS__); \
    }                                                \
  } while (false)
