#pragma once

#include <span>
#include <string>
#include <vector>

#include "hgnet/records/fit_record.hpp"

namespace hgnet {

/// The combined results of one model's fits in a run.
struct RunSummary {
  std::string model;
  int fits = 0;  // requested
  int failed = 0;
  std::vector<FitRecord> done;

  /// The metric's values on "train", "val" or "test", for the fits that have it.
  std::vector<double> values(const std::string& part, const std::string& metric) const;
};

/// A JSON object over several lines: mean, sample standard deviation and values of every metric,
/// and each fit; for several models, one such object each under "models". Includes `folder` unless
/// it is empty. See docs/file-formats.md.
std::string to_json(std::span<const RunSummary> models, const std::string& folder = {});

/// For a run of one fit: its record on one line, without the curves, but with `folder`.
std::string to_json(FitRecord record, const std::string& folder);

}  // namespace hgnet
