#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/core/random.hpp"

namespace hgnet {

/// One setting and its value, as TOML has it: {"lr", "0.01"}.
using Settings = std::map<std::string, std::string>;

/// The values of settings that a search tries.
class SearchSpace {
 public:
  /// TOML: `lr = [0.01, 0.001]` lists values, `lr = {min = 1e-4, max = 1e-2, log = true}` is a
  /// range. A table such as [flat] or [gat] is for models of that name or group, as in apply_toml.
  /// Throws InvalidFile, with the line.
  static SearchSpace from_toml(std::string_view toml, const std::string& file);
  /// Learning rate, width, dropout, weight decay and depth.
  static SearchSpace standard();

  /// All combinations for the model. Throws Error for a range, and for more than `most` of them.
  std::vector<Settings> grid(const std::string& model, std::size_t most) const;
  /// `count` different combinations, or all if there are fewer.
  std::vector<Settings> draw(const std::string& model, std::size_t count,
                             Generator& generator) const;

 private:
  struct Values {
    std::vector<std::string> listed;  // or else a range
    double min = 0;
    double max = 0;
    bool logarithmic = false;
    bool whole = false;

    std::string draw(Generator& generator) const;
  };
  using Table = std::map<std::string, Values>;

  Table values_for(const std::string& model) const;

  std::map<std::string, Table> tables_;  // by model or group; "": for all
};

/// A round of successive halving: so many epochs for those that are left.
struct SearchRound {
  std::int64_t epochs = 0;
  std::size_t keep = 0;  // of its trials, for the next round; 1 in the last
};

/// Three times the epochs for a third of the trials in each round; the last has all epochs. A grid
/// is one round.
std::vector<SearchRound> halving_rounds(std::size_t trials, std::int64_t epochs);

/// The positions of the `keep` best scores, best first. None (a failed fit) comes last.
std::vector<std::size_t> best_of_round(const std::vector<std::optional<double>>& scores,
                                       std::size_t keep, bool lower_is_better);

}  // namespace hgnet
