#pragma once

#include <span>
#include <string>
#include <vector>

#include "hgnet/records/fit_record.hpp"

namespace hgnet {

/// What the fits of one model in a run brought together.
struct RunSummary {
  std::string model;
  int fits = 0;  // asked for
  int failed = 0;
  std::vector<FitRecord> done;

  /// The metric's values on "train", "val" or "test", of the fits that have it.
  std::vector<double> values(const std::string& part, const std::string& metric) const;
};

/// A JSON object over several lines: mean, sample standard deviation and values of every metric, and the fits one by one; of
/// several models an object each under "models". `folder` goes with it unless it is empty. See docs/file-formats.md.
std::string to_json(std::span<const RunSummary> models, const std::string& folder = {});

}  // namespace hgnet
