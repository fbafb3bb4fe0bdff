// Logistic regression on counts of colours.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <unordered_map>

#include "core/parallel.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/matched.hpp"
#include "hgnet/data/sample_rows.hpp"

namespace hgnet {
namespace {

constexpr std::size_t kMostColours = 2000;
constexpr int kEpochs = 10;
constexpr std::size_t kBatch = 64;
constexpr double kRate = 0.01;  // of Adam, falling to 0

/// Counts of the most frequent colours, divided by their deviation.
struct Counts {
  std::vector<std::size_t> offsets{0};
  std::vector<std::uint16_t> columns;
  std::vector<float> values;
  std::vector<double> mean;  // by column, divided in the same way
  std::vector<std::int32_t> labels;
};

std::unordered_map<NodeId, std::uint16_t> frequent_colours(const SparseMatrix& rows) {
  std::unordered_map<NodeId, std::int64_t> seen;
  for (const NodeId column : rows.csr().columns) ++seen[column];
  std::vector<std::pair<std::int64_t, NodeId>> order;
  for (const auto& [column, count] : seen) order.emplace_back(-count, column);
  std::sort(order.begin(), order.end());
  order.resize(std::min(order.size(), kMostColours));
  std::unordered_map<NodeId, std::uint16_t> number;
  for (const auto& [count, column] : order)
    number.emplace(column, static_cast<std::uint16_t>(number.size()));
  return number;
}

Counts scaled_counts(const SparseMatrix& rows, const std::vector<std::int32_t>& labels) {
  const auto number = frequent_colours(rows);
  const CsrView csr = rows.csr();
  Counts counts;
  counts.labels = labels;
  std::vector<double> squares(number.size(), 0.0);
  counts.mean.assign(number.size(), 0.0);
  for (std::int64_t row = 0; row < rows.num_rows(); ++row) {
    for (EdgeId s = csr.offsets[row]; s < csr.offsets[row + 1]; ++s) {
      const auto found = number.find(csr.columns[s]);
      if (found == number.end()) continue;
      const float value = rows.values()[s];
      counts.columns.push_back(found->second);
      counts.values.push_back(value);
      counts.mean[found->second] += value;
      squares[found->second] += double{value} * value;
    }
    counts.offsets.push_back(counts.columns.size());
  }
  const auto n = static_cast<double>(rows.num_rows());
  std::vector<float> scale(number.size(), 0.0F);
  for (std::size_t c = 0; c < number.size(); ++c) {
    const double mean = counts.mean[c] / n;
    const double variance = squares[c] / n - mean * mean;
    scale[c] = variance > 1e-12 ? static_cast<float>(1 / std::sqrt(variance)) : 0.0F;
    counts.mean[c] = mean * scale[c];
  }
  for (std::size_t s = 0; s < counts.values.size(); ++s)
    counts.values[s] *= scale[counts.columns[s]];
  return counts;
}

/// w (x - mean) + b, trained by Adam.
class Regression {
 public:
  explicit Regression(const Counts& counts)
      : counts_(counts),
        weight_(counts.mean.size() + 1, 0.0),
        gradient_(weight_.size(), 0.0),
        first_(weight_.size(), 0.0),
        second_(weight_.size(), 0.0) {}

  void train(std::vector<std::int64_t> samples, Generator generator) {
    const std::size_t batches = (samples.size() + kBatch - 1) / kBatch;
    const double steps = static_cast<double>(kEpochs * batches);
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
      generator.shuffle(std::span<std::int64_t>(samples));
      for (std::size_t b = 0; b < batches; ++b) {
        const auto done = static_cast<double>(epoch * batches + b);
        step(std::span(samples).subspan(b * kBatch, std::min(kBatch, samples.size() - b * kBatch)),
             kRate * (1 - done / steps));
      }
    }
    set_shift();
  }

  double score(std::int64_t sample) const {
    double sum = shift_;
    for (std::size_t s = counts_.offsets[sample]; s < counts_.offsets[sample + 1]; ++s)
      sum += weight_[counts_.columns[s]] * counts_.values[s];
    return sum;
  }

 private:
  /// b - w mean: what all scores have in common.
  void set_shift() {
    shift_ = weight_.back();
    for (std::size_t c = 0; c < counts_.mean.size(); ++c) shift_ -= weight_[c] * counts_.mean[c];
  }

  void step(std::span<const std::int64_t> batch, double rate) {
    std::fill(gradient_.begin(), gradient_.end(), 0.0);
    set_shift();
    double all = 0;
    for (const std::int64_t sample : batch) {
      const double target = counts_.labels[sample];
      const double error =
          (1 / (1 + std::exp(-score(sample))) - target) / static_cast<double>(batch.size());
      all += error;
      for (std::size_t s = counts_.offsets[sample]; s < counts_.offsets[sample + 1]; ++s)
        gradient_[counts_.columns[s]] += error * counts_.values[s];
    }
    for (std::size_t c = 0; c < counts_.mean.size(); ++c) gradient_[c] -= all * counts_.mean[c];
    gradient_.back() = all;
    constexpr double kFirst = 0.9, kSecond = 0.999;
    first_power_ *= kFirst;
    second_power_ *= kSecond;
    for (std::size_t c = 0; c < weight_.size(); ++c) {
      first_[c] += (1 - kFirst) * (gradient_[c] - first_[c]);
      second_[c] += (1 - kSecond) * (gradient_[c] * gradient_[c] - second_[c]);
      weight_[c] -= rate * (first_[c] / (1 - first_power_)) /
                    (std::sqrt(second_[c] / (1 - second_power_)) + 1e-8);
    }
  }

  const Counts& counts_;
  std::vector<double> weight_;  // and the bias
  std::vector<double> gradient_, first_, second_;
  double first_power_ = 1;
  double second_power_ = 1;
  double shift_ = 0;
};

Scores scores_of(const Counts& counts, std::span<const Split> splits, int threads) {
  Scores scores(splits.size());
  std::atomic<std::size_t> next{0};
  run_parts(threads, [&](int) {
    for (std::size_t i = next++; i < splits.size(); i = next++) {
      Regression regression(counts);
      regression.train(splits[i].train, Generator(i));
      for (const std::int64_t sample : splits[i].test)
        scores[i].push_back(regression.score(sample));
    }
  });
  return scores;
}

}  // namespace

Judge wl_judge(int rounds, int threads) {
  const auto study = [=](const Dataset& dataset) -> Scorer {
    const auto counts = std::make_shared<const Counts>(
        scaled_counts(colour_rows(dataset, rounds, threads), dataset.classes));
    return [=](std::span<const Split> splits) { return scores_of(*counts, splits, threads); };
  };
  return {"wl:" + std::to_string(rounds), study};
}

}  // namespace hgnet
