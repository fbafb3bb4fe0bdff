#include "shard.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

#include "core/crc32c.hpp"
#include "outlook.hpp"

namespace hgnet::app {
namespace {

std::optional<Shard> parsed(const std::string& text) {
  constexpr int kMost = 100'000;
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, first_failure] = std::from_chars(text.data(), end, shard.number);
  if (first_failure != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [rest, second_failure] = std::from_chars(slash + 1, end, shard.count);
  if (second_failure != std::errc() || rest != end) return std::nullopt;
  if (shard.number < 1 || shard.number > shard.count || shard.count > kMost) return std::nullopt;
  return shard;
}

}  // namespace

CLI::Option* add_shard(CLI::App& command, Shard& shard) {
  return command
      .add_option_function<std::string>(
          "--shard", [&shard](const std::string& text) { shard = *parsed(text); },
          "Run only this part of the fits, such as 2/8; all parts together are all fits")
      ->type_name("I/N")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return parsed(text) ? ""
                                : "'" + text + "'; expected a part and their number, 1/8 to 8/8";
          },
          ""));
}

std::vector<PlannedFit> fits_of(const Shard& shard, const std::vector<PlannedFit>& fits) {
  std::vector<std::pair<double, std::uint32_t>> weights;  // cost, hash
  for (const PlannedFit& fit : fits)
    weights.emplace_back(cost_of(fit), crc32c(fit.table + "\n" + fit.label));
  std::vector<std::size_t> heaviest_first(fits.size());
  std::iota(heaviest_first.begin(), heaviest_first.end(), 0);
  std::ranges::stable_sort(heaviest_first, std::greater(),
                           [&](std::size_t i) { return weights[i]; });
  std::vector<double> load(static_cast<std::size_t>(shard.count));
  std::vector<std::size_t> mine;
  for (const std::size_t i : heaviest_first) {
    const auto part = std::ranges::min_element(load);
    *part += weights[i].first;
    if (part - load.begin() == shard.number - 1) mine.push_back(i);
  }
  std::ranges::sort(mine);  // in the order of the plan
  std::vector<PlannedFit> result;
  for (const std::size_t i : mine) result.push_back(fits[i]);
  return result;
}

}  // namespace hgnet::app
