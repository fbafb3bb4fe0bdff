#include "hgnet/train/split_warnings.hpp"

#include <algorithm>

namespace hgnet {
namespace {

constexpr std::int64_t kFewSamples = 5;
constexpr std::size_t kMostNamed = 3;

std::vector<std::int64_t> samples_by_class(const Dataset& dataset,
                                           const std::vector<std::int64_t>& samples) {
  std::vector<std::int64_t> counts(dataset.class_names.size());
  for (const std::int64_t sample : samples) {
    if (dataset.classes[sample] != kUnlabelled) ++counts[dataset.classes[sample]];
  }
  return counts;
}

/// "dog (2), cat (1) and 4 more".
std::string named_classes(const Dataset& dataset, const std::vector<std::int64_t>& fewest) {
  std::string text;
  std::size_t few = 0;
  for (std::size_t c = 0; c < fewest.size(); ++c) {
    if (fewest[c] >= kFewSamples || ++few > kMostNamed) continue;
    text += (text.empty() ? "" : ", ") + dataset.class_names[c] + " (" + std::to_string(fewest[c]) +
            ")";
  }
  return few > kMostNamed ? text + " and " + std::to_string(few - kMostNamed) + " more" : text;
}

}  // namespace

std::vector<std::string> split_warnings(const Dataset& dataset, std::span<const Split> splits) {
  std::vector<std::string> warnings;
  const auto untested = std::count_if(splits.begin(), splits.end(),
                                      [](const Split& split) { return split.test.empty(); });
  if (untested > 0)
    warnings.push_back((splits.size() == 1 ? "the split has"
                                           : std::to_string(untested) + " of " +
                                                 std::to_string(splits.size()) + " splits have") +
                       std::string(" no test samples, so there is no test score"));
  if (std::any_of(splits.begin(), splits.end(),
                  [](const Split& split) { return split.val.empty(); }))
    warnings.push_back("no validation samples, so the weights of the last epoch are kept");
  if (dataset.target_kind != TargetKind::kClasses) return warnings;
  bool one_class = false;
  std::vector<std::int64_t> fewest(dataset.class_names.size(), kFewSamples);
  for (const Split& split : splits) {
    const auto train = samples_by_class(dataset, split.train);
    const auto seen = std::count_if(train.begin(), train.end(), [](auto n) { return n > 0; });
    if (seen == 1 && !one_class) {
      one_class = true;
      warnings.push_back(
          "all training samples with a label have the class " +
          dataset.class_names[std::max_element(train.begin(), train.end()) - train.begin()] +
          ", so a model learns to predict nothing else");
    }
    if (split.test.empty()) continue;
    const auto test = samples_by_class(dataset, split.test);
    for (std::size_t c = 0; c < test.size(); ++c) fewest[c] = std::min(fewest[c], test[c]);
  }
  const std::string few = named_classes(dataset, fewest);
  if (!few.empty())
    warnings.push_back("fewer than " + std::to_string(kFewSamples) + " test samples of a class" +
                       (splits.size() > 1 ? " in a fold" : "") + ": " + few +
                       "; a score changes much by a single sample");
  return warnings;
}

}  // namespace hgnet
