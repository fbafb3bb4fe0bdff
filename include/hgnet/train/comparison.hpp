#pragma once

// Includes no torch header.

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "hgnet/core/error.hpp"
#include "hgnet/records/fit_record.hpp"
#include "hgnet/train/fit_use.hpp"

namespace hgnet {

/// The fits of a run differ in more than seed and fold, so they have no mean; the message names the
/// difference and a folder below that has one.
class NoMean : public Mismatch {
 public:
  using Mismatch::Mismatch;
};

/// A run as far as it is compared.
struct ComparedRun {
  std::filesystem::path folder;
  std::string metric;
  std::vector<FitRecord> records = {};  // of the fits that are done
  std::string data = {};                // checksums of graphs and targets
  /// How well test samples are predicted: 1 or 0 for a class, the share of right labels, or minus
  /// the mean absolute error; the mean where several fits test a sample.
  std::map<std::int64_t, double> by_sample = {};

  /// The test scores and baselines of the records.
  std::vector<double> scores() const;
  std::vector<double> baselines() const;
};

/// What a run does on the samples that it and another one test, beside the other.
struct PairedSamples {
  bool same_data = true;  // nothing is compared otherwise
  std::int64_t samples = 0;
  int better = 0;  // samples
  int worse = 0;
  double mean_difference = 0;
  double sign_test_p = 1;
  double t_test_p = 1;
};
PairedSamples compare_samples(const ComparedRun& first, const ComparedRun& second);

struct RunComparison {
  std::vector<ComparedRun> runs;
  /// The settings in which runs differ, by name: for each run the values of its fits as JSON.
  std::map<std::string, std::vector<std::string>> settings;
  std::vector<PairedSamples> pairs;  // of each run but the first, beside the first
};

/// Reads the runs and predicts the test samples of all fits. Throws NoMean, and Error where a
/// folder holds no fit or a fit has no model yet.
RunComparison compare_runs(std::span<const std::filesystem::path> folders, const FitUse& use = {});

}  // namespace hgnet
