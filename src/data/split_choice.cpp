#include "hgnet/data/split_choice.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "hgnet/core/error.hpp"
#include "hgnet/core/nearest_name.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/splits.hpp"

namespace hgnet {
namespace {

// The possible meanings of a text.
struct Named {
  std::string name;
};
struct Shares {
  std::array<double, 3> of;  // train, val, test
};
/// Walks of so many steps from each node drawn still end within minutes.
constexpr int kMostHops = 1000;

struct Sanitized {
  int hops = 1;
  Barred barred = Barred::kWithinHops;
};
struct DrawnFolds {
  int count = 0;
  std::optional<int> fold;
};
struct FoldFile {
  std::string path;
};
using Choice = std::variant<Named, Shares, Sanitized, DrawnFolds, FoldFile>;

bool can_be_sanitized(const Dataset& dataset) {
  return dataset.task == Task::kNode && dataset.num_graphs() == 1 &&
         dataset.target_kind == TargetKind::kClasses;
}

[[noreturn]] void fail(const Dataset& dataset, const std::string& text, const std::string& what) {
  std::string message = "split '" + text + "' of " + dataset.name + ": " + what;
  message += what.ends_with('?') ? " Available: " : "; available: ";
  for (const auto& [name, split] : dataset.splits) message += name + ", ";
  message += "folds:N, random:TRAIN,VAL,TEST";
  if (can_be_sanitized(dataset)) message += ", sanitized:K, sanitized-walk:K";
  throw InvalidSplit(message + " and files of folds");
}

std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> result;
  for (;;) {
    const std::size_t end = text.find(separator);
    result.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    text.remove_prefix(end + 1);
  }
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What follows the prefix, if the text starts with it.
std::optional<std::string_view> after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return text.substr(prefix.size());
}

std::optional<Shares> shares_of(std::string_view text) {
  const auto parts = pieces(text, ',');
  if (parts.size() != 3) return std::nullopt;
  Shares shares{};
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto share = number<double>(parts[i]);
    if (!share || !(*share >= 0)) return std::nullopt;
    sum += shares.of[i] = *share;
  }
  if (sum > 1 + 1e-9) return std::nullopt;
  return shares;
}

std::optional<DrawnFolds> folds_of(std::string_view text) {
  const auto parts = pieces(text, ':');
  const auto count = number<int>(parts.front());
  if (!count || *count < 3 || parts.size() > 2) return std::nullopt;
  DrawnFolds folds{*count, {}};
  if (parts.size() == 2) {
    folds.fold = number<int>(parts.back());
    if (!folds.fold) return std::nullopt;
  }
  return folds;
}

Choice parse(const Dataset& dataset, const std::string& text) {
  if (text.empty()) return parse(dataset, default_split(dataset));
  if (dataset.splits.contains(text)) return Named{text};
  if (const auto rest = after(text, "random:")) {
    if (const auto shares = shares_of(*rest)) return *shares;
    fail(dataset, text,
         "expected three shares that add up to at most 1, such as random:0.8,0.1,0.1");
  }
  if (const auto rest = after(text, "sanitized-walk:")) {
    const auto steps = number<int>(*rest);
    if (steps && *steps >= 0 && *steps <= kMostHops) return Sanitized{*steps, Barred::kExactWalks};
    fail(dataset, text,
         "expected a number of steps up to " + std::to_string(kMostHops) +
             ", such as sanitized-walk:2");
  }
  if (const auto rest = after(text, "sanitized:")) {
    const auto hops = number<int>(*rest);
    if (hops && *hops >= 0 && *hops <= kMostHops) return Sanitized{*hops};
    fail(dataset, text,
         "expected a number of hops up to " + std::to_string(kMostHops) + ", such as sanitized:2");
  }
  if (const auto rest = after(text, "folds:")) {
    if (const auto folds = folds_of(*rest)) return *folds;
    fail(dataset, text, "expected a number of folds, at least 3, such as folds:10 or folds:10:0");
  }
  if (text.ends_with(".json") || std::filesystem::exists(text)) return FoldFile{text};
  std::vector<std::string> known = drawn_splits();
  for (const auto& [name, split] : dataset.splits) known.push_back(name);
  fail(dataset, text, "neither comes with the data set nor is a file" + suggestion(text, known));
}

/// Samples with a label, from which folds and shares are drawn.
std::vector<std::int64_t> labelled_samples(const Dataset& dataset) {
  std::vector<std::int64_t> samples;
  for (std::int64_t i = 0; i < dataset.num_samples(); ++i) {
    if (dataset.target_kind == TargetKind::kClasses) {
      if (dataset.classes[i] != kUnlabelled) samples.push_back(i);
      continue;
    }
    const auto row = dataset.targets.begin() + i * dataset.num_tasks;
    const auto has_value = [](float target) { return !std::isnan(target); };
    if (std::any_of(row, row + dataset.num_tasks, has_value)) samples.push_back(i);
  }
  return samples;
}

using Samples = std::vector<std::int64_t>;

/// What a split is drawn of: labelled samples, or groups of them that stay together, by their
/// first.
std::vector<Samples> units_of(const Dataset& dataset) {
  std::vector<Samples> units;
  std::unordered_map<std::int64_t, std::size_t> unit_of_group;
  for (const std::int64_t sample : labelled_samples(dataset)) {
    std::size_t unit = units.size();
    if (!dataset.groups.empty())
      unit = unit_of_group.try_emplace(dataset.groups[sample], unit).first->second;
    if (unit == units.size()) units.emplace_back();
    units[unit].push_back(sample);
  }
  return units;
}

/// By unit: a number for the classes in it. Targets that are not classes have no strata.
std::vector<std::int32_t> strata_of(const Dataset& dataset, const std::vector<Samples>& units) {
  if (dataset.target_kind != TargetKind::kClasses)
    return std::vector<std::int32_t>(units.size(), 0);
  std::vector<std::vector<std::int32_t>> classes;
  std::map<std::vector<std::int32_t>, std::int32_t> number;
  for (const Samples& unit : units) {
    std::vector<std::int32_t>& here = classes.emplace_back();
    for (const std::int64_t sample : unit) here.push_back(dataset.classes[sample]);
    std::sort(here.begin(), here.end());
    number[here] = 0;
  }
  std::int32_t next = 0;
  for (auto& [of_unit, stratum] : number) stratum = next++;
  std::vector<std::int32_t> strata;
  for (const auto& of_unit : classes) strata.push_back(number.at(of_unit));
  return strata;
}

/// A fold without a sample tests nothing, and a slip of the hand must not make billions of them.
void check_count(const Dataset& dataset, const std::string& text, int folds, std::int64_t samples) {
  if (folds <= samples) return;
  fail(dataset, text,
       std::to_string(folds) + " folds of " + std::to_string(samples) +
           " labelled samples; expected one sample for each at least");
}

/// Makes the split of each kind of choice.
class Maker {
 public:
  Maker(const Dataset& dataset, const std::string& text, std::uint64_t seed, int fold)
      : dataset_(dataset), text_(text), seed_(seed), fold_(fold) {}

  Split operator()(const Named& named) const { return dataset_.splits.at(named.name); }

  Split operator()(const Shares& shares) const {
    std::vector<Samples> units = units_of(dataset_);
    Generator(seed_).shuffle(std::span(units));
    Split split;
    double share = 0;
    auto begin = units.begin();
    std::size_t part = 0;
    for (Samples* samples_of_part : {&split.train, &split.val, &split.test}) {
      share = std::min(1.0, share + shares.of[part++]);
      const auto end = units.begin() + std::llround(share * static_cast<double>(units.size()));
      for (; begin != end; ++begin)
        samples_of_part->insert(samples_of_part->end(), begin->begin(), begin->end());
      std::sort(samples_of_part->begin(), samples_of_part->end());
    }
    return split;
  }

  Split operator()(const Sanitized& sanitized) const {
    if (!can_be_sanitized(dataset_))
      fail(dataset_, text_, "sanitized splits need a single graph whose nodes have classes");
    return sanitized_split(dataset_.graphs.front(), dataset_.classes, dataset_.num_classes(),
                           {.hops = sanitized.hops, .seed = seed_, .barred = sanitized.barred});
  }

  Split operator()(const DrawnFolds& drawn) const {
    const std::vector<Samples> units = units_of(dataset_);
    check_count(dataset_, text_, drawn.count, std::ssize(units));
    const Folds of_units = stratified_folds(strata_of(dataset_, units), drawn.count, seed_);
    Folds folds(of_units.size());
    for (std::size_t f = 0; f < folds.size(); ++f) {
      for (const std::int64_t unit : of_units[f])
        folds[f].insert(folds[f].end(), units[unit].begin(), units[unit].end());
      std::sort(folds[f].begin(), folds[f].end());
    }
    return of_folds(folds, drawn.fold.value_or(fold_));
  }

  Split operator()(const FoldFile& file) const {
    const Folds folds = read_folds(file.path);
    std::int64_t count = 0;
    for (const auto& fold : folds) count += std::ssize(fold);
    if (count != dataset_.num_samples()) {
      throw InvalidSplit(file.path + ": folds of " + std::to_string(count) + " samples; " +
                         dataset_.name + " has " + std::to_string(dataset_.num_samples()));
    }
    return of_folds(folds, fold_);
  }

 private:
  Split of_folds(const Folds& folds, int fold) const {
    if (fold < 0 || fold >= std::ssize(folds)) {
      throw InvalidSplit("split '" + text_ + "' of " + dataset_.name + ": fold " +
                         std::to_string(fold) + " does not exist; expected 0 to " +
                         std::to_string(std::ssize(folds) - 1));
    }
    return fold_split(folds, fold);
  }

  const Dataset& dataset_;
  const std::string& text_;
  std::uint64_t seed_;
  int fold_;
};

}  // namespace

std::string default_split(const Dataset& dataset) {
  for (const char* name : {"public", "scaffold", "own"}) {
    if (dataset.splits.contains(name)) return name;
  }
  return dataset.splits.size() == 1 ? dataset.splits.begin()->first : "folds:10";
}

Split choose_split(const Dataset& dataset, const std::string& text, std::uint64_t seed, int fold) {
  return std::visit(Maker(dataset, text, seed, fold), parse(dataset, text));
}

std::vector<std::string> drawn_splits() {
  return {"folds:10", "random:0.8,0.1,0.1", "sanitized:1", "sanitized:2", "sanitized-walk:2"};
}

int num_folds(const Dataset& dataset, const std::string& text) {
  const Choice choice = parse(dataset, text);
  if (const auto* drawn = std::get_if<DrawnFolds>(&choice)) {
    check_count(dataset, text, drawn->count, std::ssize(units_of(dataset)));
    return drawn->fold ? 0 : drawn->count;
  }
  if (const auto* file = std::get_if<FoldFile>(&choice)) {
    return static_cast<int>(read_folds(file->path).size());
  }
  return 0;
}

}  // namespace hgnet
