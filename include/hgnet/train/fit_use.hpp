#pragma once

#include <string>

namespace hgnet {

/// How a trained model is applied: where to find data, and the number of threads.
struct FitUse {
  std::string root;  // folder of named data sets; empty: the fit's
  int threads = 1;
};

}  // namespace hgnet
