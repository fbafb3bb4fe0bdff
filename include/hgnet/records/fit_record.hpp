#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/records/json_value.hpp"
#include "hgnet/records/metrics.hpp"

namespace hgnet {

/// The result of one fit: a fit returns it, its folder stores it as result.json, and reports are
/// made from it. NaN, as from a loss that diverged, is null in files.
struct FitRecord {
  std::string dataset;
  std::string model;  // "hgnet-edgepool"; a plain "hgnet" gets its coarsening added
  std::uint64_t seed = 0;
  int fold = -1;      // -1: no folds
  std::string split;  // "public", "folds:10", "sanitized:2", ...
  /// Of the paper: "as-written", "as-run", or "both" where they do not differ; older records have
  /// none.
  std::string reading;
  int best_epoch = 0;
  int epochs = 0;
  std::int64_t parameters = 0;
  std::string metric;                      // the main one, from metric_names()
  std::map<std::string, Metrics> metrics;  // train, val, test at the best epoch
  /// The same on val and test of the best prediction that looks at no sample: the majority class,
  /// or the mean of the targets, of the training samples.
  std::map<std::string, Metrics> baseline;
  /// The same on val and test with running statistics recomputed over the training samples; empty
  /// for models without any.
  std::map<std::string, Metrics> recalibrated;
  /// How many samples train, val and test have. Older records have none; where the size of the data
  /// set is known, grouping fills in that of test.
  std::map<std::string, std::int64_t> samples;
  std::map<std::string, double> seconds;  // load, prepare, train, evaluate, total
  /// Bytes that the process, with all fits it ran, had in memory at most; 0 in older records.
  std::int64_t peak_memory = 0;
  JsonFields config;   // every setting of the fit
  std::string table;   // "table1" ..., or empty
  bool quick = false;  // shortened: shows only that things work
  std::string receptive_field;
  std::string command;
  std::string version;
  std::string machine;                               // processor and cores; older records have none
  std::map<std::string, std::vector<double>> curve;  // one number per epoch
  JsonFields other;                                  // other fields, kept as they were
  /// Settings other than the paper's, as "norm batch, readout sum". Not in files: filled in when
  /// fits are grouped.
  std::string variant = {};

  /// A setting that is an integer; 0 if the configuration does not have it.
  std::int64_t option_number(const std::string& option) const;
  /// Levels of a hierarchical model, layers of a flat one; 0 if the configuration does not have
  /// them.
  int depth() const;
  /// The main metric on "train", "val" or "test"; NaN if it is missing.
  double score(const std::string& part) const;
  /// The same of the best prediction that looks at no sample.
  double baseline_score(const std::string& part) const;
  /// The same as score() with running statistics recomputed.
  double recalibrated_score(const std::string& part) const;

  bool operator==(const FitRecord&) const = default;
};

/// How much the input at one node affects the output at another, by distance.
struct ProbeRecord {
  std::string dataset;
  std::string model;
  int depth = 0;
  std::uint64_t seed = 0;
  int fold = -1;   // -1: no folds
  int epochs = 0;  // planned for its training; 0: not known
  std::vector<double> distance;
  std::vector<double> influence;  // mean absolute Jacobian at that distance
  std::vector<double> nodes;      // number of node pairs in the mean
  /// The mean distance of the nodes that a row depends on, weighted by the absolute Jacobian: by
  /// node probed, and the mean over these by graph. Older records have none.
  std::vector<double> rho = {};
  std::vector<double> graph_rho = {};

  bool operator==(const ProbeRecord&) const = default;
};

struct Records {
  std::vector<FitRecord> fits;
  std::vector<ProbeRecord> probes;
  std::vector<std::string> notes;  // what was skipped, and why
};

/// Whether models of this name have levels instead of layers.
bool is_hierarchical(std::string_view model);
/// What the depth of a model counts: "layer", "level" or "round".
const char* depth_unit(std::string_view model);
/// See ModelRow; 1 for a model that is not in the table.
int least_depth(std::string_view model);
/// The name of a model in records: "hgnet" with its coarsening added, others unchanged.
std::string record_model(const std::string& model, std::string_view coarsening);
/// One line, without the newline.
std::string to_json(const FitRecord& record);
/// The same with a checksum, which readers of records check where there is one.
std::string to_json_with_checksum(const FitRecord& record);
std::string to_json(const ProbeRecord& record);
/// A record alone, or several as {"probes": [...]}, indented for people.
std::string to_json(std::span<const ProbeRecord> records);

/// Adds the records in `text`: one record per line, or a single record over several lines if the
/// name ends in .json. Throws InvalidFile, with `name` and the line, for anything that is not a
/// record. Skipped, with a note: an incomplete last line, and objects about something else (with
/// neither "model" nor "kind").
void parse_records(std::string_view text, const std::string& name, Records& records);

/// The single record of a file such as result.json. Throws InvalidFile as above, and if there is no
/// record.
FitRecord parse_fit_record(std::string_view text, const std::string& file);

/// All records, one per line, compressed as a .jsonl.gz file.
std::string packed(const Records& records);

/// Reads files and, below folders, every result.json, *.jsonl and *.jsonl.gz (except epochs.jsonl,
/// which is a fit's log), in the order of their names. A record that occurs twice counts once.
/// Throws InvalidFile as above and for a path that does not exist. `leaves_out`, if given, tells
/// which files below folders are passed over.
Records read_records(std::span<const std::filesystem::path> places,
                     const std::function<bool(const std::filesystem::path& file)>& leaves_out = {});

}  // namespace hgnet
