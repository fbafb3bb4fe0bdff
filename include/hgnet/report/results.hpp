#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "hgnet/config/reading.hpp"
#include "hgnet/records/fit_record.hpp"
#include "hgnet/records/spread.hpp"
#include "hgnet/report/catalogue.hpp"

namespace hgnet {

/// What the fits of a group have in common; they differ only in seed and fold.
struct GroupKey {
  std::string table;
  std::string dataset;
  std::string split;
  std::string model;
  int depth = 0;
  bool quick = false;
  int shortened = 0;  // epochs of a table's fits that are neither quick nor full; 0 for others
  std::string reading = {};  // of the paper: "as-written", "as-run", or "both"
  std::string variant = {};  // see FitRecord

  auto operator<=>(const GroupKey&) const = default;

  /// Quick or shortened: weaker evidence than the full protocol.
  bool reduced() const { return quick || shortened > 0; }
  /// Whether the fits belong to the reading; those to which it makes no difference belong to both.
  bool of(Reading wanted) const { return reading == "both" || reading == enum_name(wanted); }
};

/// "as written", "as run".
std::string reading_text(Reading reading);

GroupKey key_of(const FitRecord& fit, const Catalogue& catalogue);
/// "40 epochs", or empty for fits that are not shortened.
std::string epochs_text(const GroupKey& key);
/// The same, or "quick".
std::string training_text(const GroupKey& key);
/// Greatest for full fits, then for shortened ones by their epochs, least for quick ones.
std::tuple<bool, bool, int> training_length(const GroupKey& key);

/// Identifies a fit within its group, and pairs the fits of two groups.
struct FitPlace {
  std::uint64_t split_seed = 0;
  std::uint64_t seed = 0;
  int fold = -1;

  auto operator<=>(const FitPlace&) const = default;
};

FitPlace place_of(const FitRecord& fit);

/// How long the whole fit took; 0 if that is not known.
double hours_of(const FitRecord& fit);

struct FitGroup {
  GroupKey key;
  std::string label;  // "GCN, 2 layers", "GIN, 2 layers (norm batch)"
  std::string place;  // "Cora, sanitized:1", "Cora, sanitized:1, as run"
  std::string metric;
  std::vector<const FitRecord*> fits;  // by place, one for each
  Summary test;
  Summary val;
  Summary train_seconds;
  int failed = 0;  // fits whose test score is NaN

  /// "81.5 ± 0.4"; a single fit has no deviation.
  std::string test_text() const;
  std::int64_t parameters() const { return fits.front()->parameters; }
};

using FitGroups = std::vector<const FitGroup*>;

/// The places at which all of these groups have a test score.
std::vector<FitPlace> common_places(const FitGroups& groups);
/// The group's test scores at these places, all of which it must have.
std::vector<double> test_scores(const FitGroup& group, std::span<const FitPlace> places);

/// All records, grouped. If two fits of a group have the same place, the one read last counts.
class Results {
 public:
  /// The catalogue must outlive this.
  Results(Records records, const Catalogue& catalogue);
  Results(const Results&) = delete;  // groups point into the records
  Results& operator=(const Results&) = delete;

  const Catalogue& catalogue() const { return catalogue_; }
  const std::vector<FitRecord>& fits() const { return records_.fits; }
  const std::vector<ProbeRecord>& probes() const { return records_.probes; }
  /// What was skipped while reading and grouping, and what is inconsistent.
  const std::vector<std::string>& notes() const { return records_.notes; }
  const std::vector<FitGroup>& groups() const { return groups_; }

  /// Groups of a table that match the arguments; an empty argument matches everything.
  FitGroups select(std::string_view table, std::string_view dataset = {},
                   std::string_view split = {}, std::string_view model = {}) const;

  /// "12 fits of hgnet 0.2.0 (libtorch 1.13.0) on AMD EPYC, 2 cores: 3.1 hours", for each program
  /// and machine that made fits.
  std::vector<std::string> origins() const;

  /// A group of these fits, of which there must be one.
  FitGroup group_of(const GroupKey& key, std::vector<const FitRecord*> fits) const;

 private:
  void add_notes(const FitGroup& group);

  const Catalogue& catalogue_;
  Records records_;
  std::vector<FitGroup> groups_;  // by key
};

}  // namespace hgnet
