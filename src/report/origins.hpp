// Which program made the fits, where, and how long they took.

#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hgnet/report/results.hpp"
#include "report/number_text.hpp"

namespace hgnet {

inline double hours(const FitRecord& fit) {
  const auto found = fit.seconds.find("total");
  return found == fit.seconds.end() ? 0 : found->second / 3600;
}

/// "12 fits of hgnet 0.2.0 (libtorch 1.13.0) on AMD EPYC, 2 cores: 3.1 hours", for each program and
/// machine.
inline std::vector<std::string> origins(const Results& results) {
  struct Made {
    std::size_t fits = 0;
    double hours = 0;
  };
  std::map<std::pair<std::string, std::string>, Made> by_origin;
  for (const FitRecord& fit : results.fits()) {
    Made& made = by_origin[{fit.version, fit.machine}];
    ++made.fits;
    made.hours += hours(fit);
  }
  std::vector<std::string> lines;
  for (const auto& [origin, made] : by_origin)
    lines.push_back(counted(made.fits, "fit") + " of " +
                    (origin.first.empty() ? "an unknown version" : origin.first) +
                    (origin.second.empty() ? "" : " on " + origin.second) + ": " +
                    fixed(made.hours, 1) + " hours");
  return lines;
}

}  // namespace hgnet
