#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "core/nested_text.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/splits.hpp"

namespace hgnet {
namespace {

constexpr const char* kExpected = R"(expected folds such as {"0": [0, 2], "1": [1, 3]})";

/// The fold that a name in the file stands for, if any.
std::optional<std::int64_t> fold_number(const std::string& key) {
  std::int64_t fold = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), fold);
  const bool canonical = key == "0" || (!key.empty() && key.front() != '0' && key.front() != '-');
  if (error != std::errc() || end != key.data() + key.size() || !canonical) return std::nullopt;
  return fold;
}

nlohmann::json parse_object(std::string_view text, const std::string& name) {
  nlohmann::json json = parse_json(text, name, 1, kExpected);
  if (!json.is_object()) throw InvalidFile(name, 0, std::string("is no JSON object; ") + kExpected);
  return json;
}

std::vector<std::int64_t> samples_of(const nlohmann::json& json, const std::string& fold,
                                     const std::string& name) {
  const auto fail = [&](const std::string& what) {
    throw InvalidFile(name, 0, "fold \"" + fold + "\": " + what);
  };
  if (!json.is_array()) fail("is not a list of samples");
  std::vector<std::int64_t> samples;
  for (const nlohmann::json& entry : json) {
    if (!entry.is_number_unsigned() || entry.get<std::uint64_t>() >> 62 != 0) {
      fail("entry " + std::to_string(samples.size()) + " is " + entry.dump().substr(0, 40) +
           "; expected a sample's number");
    }
    samples.push_back(entry.get<std::int64_t>());
  }
  std::sort(samples.begin(), samples.end());
  return samples;
}

/// Checks a count that the file states about itself, if it does.
void check_count(const nlohmann::json& json, const char* key, std::int64_t counted,
                 const std::string& name) {
  if (!json.contains(key) || json[key] == counted) return;
  throw InvalidFile(name, 0,
                    "\"" + std::string(key) + "\" is " + json[key].dump().substr(0, 40) +
                        ", but there are " + std::to_string(counted));
}

/// Checks that every sample is in one fold. Returns the number of samples.
std::int64_t check_samples(const Folds& folds, const std::string& name) {
  std::int64_t count = 0;
  for (const auto& fold : folds) count += std::ssize(fold);
  std::vector<char> seen(count, 0);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    for (const std::int64_t sample : folds[f]) {
      const std::string where = "fold \"" + std::to_string(f) + "\": sample ";
      if (sample >= count) {
        throw InvalidFile(name, 0,
                          where + std::to_string(sample) + ", but there are only " +
                              std::to_string(count) + " in all folds together");
      }
      if (seen[sample] != 0) {
        throw InvalidFile(name, 0, where + std::to_string(sample) + " occurs twice");
      }
      seen[sample] = 1;
    }
  }
  return count;
}

}  // namespace

Folds stratified_folds(std::span<const std::int32_t> labels, int num_folds, std::uint64_t seed) {
  if (num_folds < 2 || num_folds > std::ssize(labels)) {
    throw InvalidSplit("stratified folds: " + std::to_string(num_folds) + " folds of " +
                       std::to_string(labels.size()) +
                       " labelled samples; expected two folds at least and a sample for each");
  }
  std::map<std::int32_t, std::vector<std::int64_t>> members;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0) {
      throw InvalidSplit("stratified folds: sample " + std::to_string(i) + " has no label");
    }
    members[labels[i]].push_back(static_cast<std::int64_t>(i));
  }
  Generator generator(seed);
  Folds folds(num_folds);
  // Each class continues where the last one ended, so that the sizes of the folds stay even, too.
  std::size_t next = 0;
  for (auto& [label, samples] : members) {
    generator.shuffle(std::span<std::int64_t>(samples));
    for (const std::int64_t sample : samples) folds[next++ % num_folds].push_back(sample);
  }
  for (auto& fold : folds) std::sort(fold.begin(), fold.end());
  return folds;
}

Split fold_split(const Folds& folds, int fold) {
  const auto num_folds = static_cast<int>(folds.size());
  if (num_folds < 3 || fold < 0 || fold >= num_folds) {
    throw InvalidSplit(
        "fold " + std::to_string(fold) + " of " + std::to_string(num_folds) +
        " folds; expected at least three folds (one for testing, one for validation, the rest "
        "for training) and a fold number below their count");
  }
  const int val = (fold + 1) % num_folds;
  Split split{{}, folds[val], folds[fold]};
  for (int f = 0; f < num_folds; ++f) {
    if (f == fold || f == val) continue;
    split.train.insert(split.train.end(), folds[f].begin(), folds[f].end());
  }
  std::sort(split.train.begin(), split.train.end());
  return split;
}

Folds parse_folds(std::string_view text, const std::string& name) {
  const nlohmann::json json = parse_object(text, name);
  std::map<std::int64_t, std::vector<std::int64_t>> by_number;
  for (const auto& [key, value] : json.items()) {
    if (const auto fold = fold_number(key)) by_number[*fold] = samples_of(value, key, name);
  }
  Folds folds;
  for (auto& [number, samples] : by_number) {
    if (number != std::ssize(folds)) {
      throw InvalidFile(name, 0,
                        "fold \"" + std::to_string(folds.size()) + "\" is missing, although \"" +
                            std::to_string(number) + "\" exists");
    }
    folds.push_back(std::move(samples));
  }
  if (folds.empty()) throw InvalidFile(name, 0, std::string("has no folds; ") + kExpected);
  check_count(json, "n_splits", std::ssize(folds), name);
  check_count(json, "n_samples", check_samples(folds, name), name);
  return folds;
}

Folds read_folds(const std::filesystem::path& file) {
  return parse_folds(read_whole(file), file.string());
}

}  // namespace hgnet
