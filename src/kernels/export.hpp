// The CPU kernels: raw pointers in, raw pointers out. They know nothing of torch or autograd; the
// functions of include/hgnet/ops check shapes, allocate and call them. T is float or double.
// Matrices are row-major and dense, "slot" is as in CsrView. A kernel is parallel over the rows of
// its output, and one thread computes a row in the order of its slots: results are bitwise the same
// for any number of threads.
//
// A kernel is one file. Its loops are function templates over T in HWY_NAMESPACE; Highway's
// foreach_target.h compiles them once for each instruction set, each time in a different namespace.
// The functions that the header declares follow under HWY_ONCE: they split the rows and call the
// loops for the machine's best instruction set, and one line exports them for both types:
//
//   template <class T>
//   void twice(const Twice<T>& args, int threads) {
//     for_row_ranges(args.rows, args.channels, threads, [&](std::int64_t begin, std::int64_t end) {
//       HGNET_BEST(twice_rows<T>)(args, begin, end);
//     });
//   }
//   HGNET_EXPORT(twice);

#pragma once

// Highway's own headers must not come before foreach_target.h, so none is included here.

/// The version of a function in HWY_NAMESPACE for the machine's best instruction set.
#define HGNET_BEST(function)                                                       \
  [] {                                                                             \
    constexpr decltype(&HWY_STATIC_DISPATCH(function)) by_target[] = {             \
        nullptr, HWY_CHOOSE_TARGET_LIST(function), HWY_CHOOSE_FALLBACK(function)}; \
    hwy::ChosenTarget& chosen = hwy::GetChosenTarget();                            \
    if (!chosen.IsInitialized()) chosen.Update(hwy::SupportedTargets());           \
    return by_target[chosen.GetIndex()];                                           \
  }()

/// Makes a function template over T callable from other files, for float and double.
#define HGNET_EXPORT(function)                        \
  template decltype(function<float>) function<float>; \
  template decltype(function<double>) function<double>
