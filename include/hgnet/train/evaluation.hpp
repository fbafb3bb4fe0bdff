#pragma once

// Includes no torch header.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/config/model_config.hpp"
#include "hgnet/records/class_table.hpp"
#include "hgnet/records/metrics.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/train/fit_use.hpp"
#include "hgnet/train/not_finite.hpp"

namespace hgnet {

/// What to score a fit on: by default its own data and split.
struct EvaluationRequest {
  std::string dataset;  // another; without a split of its own it is a test as a whole
  std::string split;    // another
  int fold = -1;        // another
  FitUse use = {};
  bool allow_used_samples = false;  // see SamplesUsed
  bool recalibrate = false;         // also with running statistics of the training samples
  NonFinite non_finite = NonFinite::kRefuse;
  /// Is told what is left out of the data, and what cannot be known.
  std::function<void(const std::string& note)> note = {};
};

/// The scores would be of samples that the fit has learnt from; the message says how many.
class SamplesUsed : public Error {
 public:
  using Error::Error;
};

/// The fit's settings and the requested split and fold are not possible with the data.
class InvalidSettings : public Error {
 public:
  using Error::Error;
};

/// A model to recalibrate has no running statistics.
class NoRunningStatistics : public NoEffect {
 public:
  using NoEffect::NoEffect;
};

/// There is nothing to recompute running statistics over.
class NoTrainingSamples : public Error {
 public:
  using Error::Error;
};

/// The scores of one part of a split.
struct PartScores {
  std::string part;  // "train", "val" or "test"
  Metrics metrics;
  std::int64_t samples = 0;     // that are scored
  std::int64_t not_finite = 0;  // left out: the model's answer is not finite
  std::int64_t used = 0;        // in training, of those of val and test
};

struct Evaluation {
  FitFolder fit;
  TrainConfig config;   // the fit's, with the data and split that were scored
  std::string dataset;  // its name
  std::int64_t parameters = 0;
  std::vector<PartScores> parts = {};  // those that have samples
  /// Of the best prediction that looks at no sample, on val and test; see FitRecord. Empty if the
  /// fit's own data cannot be read or has other classes.
  std::map<std::string, Metrics> baseline = {};
  std::optional<ClassTable> test_classes = {};  // none for numbers
  std::vector<PartScores> recalibrated = {};    // if requested

  /// Null if it has no samples.
  const PartScores* part(std::string_view name) const;
};

/// Scores the model of the fit's best epoch. Throws SamplesUsed unless that is allowed,
/// InvalidSettings, NoRunningStatistics and NoTrainingSamples as above, Mismatch for data of
/// another kind or with classes that the fit does not know, NotFinite, and Error if there is no
/// model or no label.
Evaluation evaluate_fit(const FitFolder& fit, const EvaluationRequest& request);

/// The test samples of fits that differ in seed and fold only, together.
struct TestClasses {
  const Evaluation* first;
  ClassTable table;
  int fits = 1;
  std::int64_t used = 0;  // samples, in training
};

/// One for each model and its settings, in the order of the first fits.
std::vector<TestClasses> test_classes(std::span<const Evaluation> fits);

}  // namespace hgnet
