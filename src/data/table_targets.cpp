#include "data/table_targets.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

/// More whole numbers than these are more likely to be counted or measured than to name classes.
constexpr std::int64_t kManyClasses = 20;
constexpr float kNoTarget = std::numeric_limits<float>::quiet_NaN();

/// Before there are graphs, which then have names.
std::size_t num_samples(const Dataset& dataset) {
  return dataset.task == Task::kNode ? static_cast<std::size_t>(dataset.num_nodes())
                                     : dataset.sample_names.size();
}

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_number(std::string_view text) {
  const std::optional<float> value = parsed<float>(text);
  return value && std::isfinite(*value);
}

/// Whether people would take the text for a number that is no integer: +0.5 and 1e39 too, which are
/// none that can be read.
bool looks_like_fraction(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc::invalid_argument && end == text.data() + text.size() &&
         text.find_first_of("0123456789") != std::string_view::npos &&
         text.find_first_of(".eE") != std::string_view::npos;
}

std::string in_column(const TextColumn& column, std::string_view cell) {
  return "column '" + column.name() + "': " + in_quotes(cell);
}

/// What the labels of one column are by their looks: numbers where all are numbers and not all
/// integers.
Targets targets_by_looks(const TextTable& table, const TextColumn& column) {
  std::optional<std::size_t> fraction;    // the first row
  std::optional<std::size_t> not_number;  // the first row
  for (std::size_t row = 0; row < column.size(); ++row) {
    const std::string_view cell = column[row];
    if (cell.empty()) continue;
    if (!fraction && looks_like_fraction(cell)) fraction = row;
    if (!not_number && !is_number(cell)) not_number = row;
  }
  if (!fraction) return Targets::kClasses;
  if (!not_number) return Targets::kRegression;
  const std::int64_t line = table.lines[*fraction];
  throw AmbiguousTask(
      table.file, table.lines[*not_number],
      in_column(column, column[*not_number]) + " is not a number that 32 bits hold, while " +
          in_quotes(column[*fraction]) + (line > 0 ? " on line " + std::to_string(line) : "") +
          " looks like one to predict; a task has to be named");
}

/// Classes in the order of their names, or of their values where all are integers; returns whether
/// they are.
bool read_classes(const TextTable& table, const TextColumn& column,
                  const std::vector<std::uint32_t>& sample_of_row, Dataset& dataset) {
  bool by_value = true;
  std::set<std::string, std::less<>> different;
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (column[row].empty() || different.contains(column[row])) continue;
    by_value = by_value && parsed<std::int64_t>(column[row]).has_value();
    different.insert(name_in(table, column, row));
  }
  std::vector<std::string>& names = dataset.class_names;
  names.assign(different.begin(), different.end());
  const auto before = [&](std::string_view a, std::string_view b) {
    const auto value = [&](std::string_view text) {
      return by_value ? parsed<std::int64_t>(text).value_or(0) : 0;
    };
    return std::pair(value(a), a) < std::pair(value(b), b);
  };
  std::sort(names.begin(), names.end(), before);
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (column[row].empty()) continue;
    const auto place = std::lower_bound(names.begin(), names.end(), column[row], before);
    dataset.classes[sample_of_row[row]] = static_cast<std::int32_t>(place - names.begin());
  }
  return by_value;
}

/// 0 or 1; none for any other cell.
std::optional<float> yes_or_no(std::string_view cell) {
  bool truth = false;
  if (is_boolean(cell, truth)) return truth ? 1.0F : 0.0F;
  if (cell == "0" || cell == "1") return cell == "1" ? 1.0F : 0.0F;
  return std::nullopt;
}

/// The first cell of several columns that is neither yes, no nor empty.
struct Odd {
  const TextColumn* column = nullptr;
  std::size_t row = 0;
};
std::optional<Odd> not_yes_or_no(const std::vector<const TextColumn*>& labels) {
  for (const TextColumn* column : labels) {
    for (std::size_t row = 0; row < column->size(); ++row) {
      if (!(*column)[row].empty() && !yes_or_no((*column)[row])) return Odd{column, row};
    }
  }
  return std::nullopt;
}

/// One target per column and row, by `value(column, row)`.
template <class Value>
void set_targets(const std::vector<const TextColumn*>& labels,
                 const std::vector<std::uint32_t>& sample_of_row, const Value& value,
                 Dataset& dataset) {
  dataset.num_tasks = static_cast<std::int64_t>(labels.size());
  dataset.targets.assign(labels.size() * num_samples(dataset), kNoTarget);
  for (std::size_t c = 0; c < labels.size(); ++c) {
    dataset.target_names.push_back(labels[c]->name());
    for (std::size_t row = 0; row < labels[c]->size(); ++row) {
      if ((*labels[c])[row].empty()) continue;
      dataset.targets[sample_of_row[row] * labels.size() + c] = value(*labels[c], row);
    }
  }
}

}  // namespace

void read_targets(const TextTable& table, const std::vector<const TextColumn*>& labels,
                  Targets targets, const std::vector<std::uint32_t>& sample_of_row,
                  Dataset& dataset) {
  dataset.classes.assign(num_samples(dataset), kUnlabelled);
  if (labels.empty()) return;
  const bool several = labels.size() > 1;
  const bool by_looks = targets == Targets::kAuto;
  if (by_looks && !several) targets = targets_by_looks(table, *labels.front());
  if (several && targets != Targets::kRegression) {
    const std::optional<Odd> odd = not_yes_or_no(labels);
    if (odd && targets == Targets::kClasses) {
      table.fail(
          odd->row,
          in_column(*odd->column, (*odd->column)[odd->row]) +
              "; expected yes, no, true, false, 1, 0 or nothing, as there are several labels");
    }
    targets = odd ? Targets::kRegression : Targets::kClasses;
  }
  if (targets == Targets::kClasses && !several) {
    const bool numbers = read_classes(table, *labels.front(), sample_of_row, dataset);
    if (by_looks && numbers && dataset.num_classes() > kManyClasses)
      dataset.notes.push_back("taken as classes: the " + std::to_string(dataset.num_classes()) +
                              " whole numbers of column '" + labels.front()->name() +
                              "'; the task regression predicts them as numbers");
    return;
  }
  dataset.classes.clear();
  if (targets == Targets::kClasses) {
    dataset.target_kind = TargetKind::kMultiLabel;
    set_targets(
        labels, sample_of_row,
        [](const TextColumn& column, std::size_t row) {
          return yes_or_no(column[row]).value_or(kNoTarget);
        },
        dataset);
  } else {
    dataset.target_kind = TargetKind::kRegression;
    set_targets(
        labels, sample_of_row,
        [&](const TextColumn& column, std::size_t row) { return number_in(table, column, row); },
        dataset);
  }
}

Split read_split(const TextTable& table, const TextColumn& parts,
                 const std::vector<std::uint32_t>& sample_of_row) {
  Split split;
  for (std::size_t row = 0; row < parts.size(); ++row) {
    const std::string part = to_lower(parts[row]);
    const auto sample = static_cast<std::int64_t>(sample_of_row[row]);
    if (part.empty()) continue;
    if (part == "train") {
      split.train.push_back(sample);
    } else if (part == "val" || part == "valid" || part == "validation") {
      split.val.push_back(sample);
    } else if (part == "test") {
      split.test.push_back(sample);
    } else {
      table.fail(row, in_column(parts, parts[row]) + "; expected train, val, test or nothing");
    }
  }
  for (auto* part : {&split.train, &split.val, &split.test}) std::sort(part->begin(), part->end());
  return split;
}

}  // namespace hgnet
