// The plan and the scores of a search for settings.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/settings/planned_fit.hpp"
#include "hgnet/settings/search_space.hpp"

namespace hgnet {

/// The settings of one trial, and the configuration that they make.
struct Trial {
  Settings settings;
  TrainConfig config;
};

/// What a fit of a trial reached; none: it failed.
struct TrialScore {
  std::size_t round = 0;
  std::size_t trial = 0;
  std::int64_t fold = -1;
  std::optional<double> val;
  std::optional<double> test;
};

inline constexpr const char* kSearchFile = "tune.json";
inline constexpr const char* kTrialFolder = "trial-";  // and a number

struct Search {
  std::vector<Trial> trials;
  std::vector<std::int64_t> folds;  // -1: none
  std::vector<SearchRound> rounds;
  std::vector<TrialScore> scores;  // of the rounds that are done

  std::size_t rounds_done() const;
  /// Of all rounds.
  std::size_t num_fits() const;
  /// The trials of a round on one fold. A fold chooses for itself, by its own validation samples.
  std::vector<std::size_t> trials_in(std::size_t round, std::int64_t fold) const;
  const TrialScore* score(std::size_t round, std::size_t trial, std::int64_t fold) const;
  /// The fold's choice: the best of the last round. None if all failed.
  std::optional<std::size_t> chosen(std::int64_t fold) const;
  /// The trial that most folds choose; among equals the one with the better validation.
  std::optional<std::size_t> best() const;
  /// The test scores of what each fold has chosen.
  std::vector<double> test_scores() const;
  /// The last round that the trial reached on any fold, and its validation scores there.
  std::pair<std::size_t, std::vector<double>> reached(std::size_t trial) const;

  /// The fits of a round that are not in the scores, in their folders below `out`.
  std::vector<PlannedFit> fits(std::size_t round, const std::filesystem::path& out) const;
  /// Of the fits that the folds have chosen.
  std::vector<std::filesystem::path> chosen_folders(const std::filesystem::path& out) const;
  std::filesystem::path folder_of(std::size_t trial, std::int64_t fold,
                                  const std::filesystem::path& out) const;
  /// The trial and fold of each of these fits, in the same order.
  std::vector<std::pair<std::size_t, std::int64_t>> places(std::size_t round) const;

  /// Throws Error, with the numbers, for more fits than a plan has and for parts that do not go
  /// together.
  void check() const;

  std::string to_json() const;
  /// Throws InvalidFile, naming `file`, for any other text, and for what check() refuses.
  static Search from_json(std::string_view json, const std::string& file);
};

/// The fits of a run that stand for it.
struct FitsToUse {
  std::vector<FitFolder> fits;
  std::vector<std::string> notes;  // what is left out, and which fits are not finished
};

/// All of a run; of a search, those that validation chose. Throws Error if there are none or the
/// search is not done.
FitsToUse fits_to_use(const std::filesystem::path& run);

}  // namespace hgnet
