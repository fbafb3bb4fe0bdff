#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/records/metrics.hpp"

namespace hgnet {

/// Fields of a JSON object, each value as JSON text.
using JsonFields = std::map<std::string, std::string>;

/// What one fit brought: a fit returns it, its folder keeps it as result.json, reports are made of it. NaN, as of a loss that
/// diverged, is null in files.
struct FitRecord {
  std::string dataset;
  std::string model;  // "hgnet-edgepool"; a plain "hgnet" is read with its coarsening behind it
  std::uint64_t seed = 0;
  int fold = -1;      // -1: there are none
  std::string split;  // "public", "folds:10", "sanitized:2", ...
  int best_epoch = 0;
  int epochs = 0;
  std::int64_t parameters = 0;
  std::string metric;                      // the one that counts: of metric_names()
  std::map<std::string, Metrics> metrics;  // train, val, test at the best epoch
  std::map<std::string, double> seconds;   // load, prepare, train, evaluate, total
  JsonFields config;                       // every setting of the fit
  std::string table;                       // "table1" ..., or empty
  bool quick = false;                      // shortened: shows that things work and no more
  std::string receptive_field;
  std::string command;
  std::string version;
  std::map<std::string, std::vector<double>> curve;  // a number per epoch
  JsonFields other;                                  // what is not listed here, kept as it was

  /// A setting that is a whole number; 0 if the configuration does not say.
  std::int64_t option_number(const std::string& option) const;
  /// Levels of a hierarchical model, layers of a flat one; 0 if the configuration does not say.
  int depth() const;
  /// The metric that counts on "train", "val" or "test"; NaN if it is not there.
  double score(const std::string& part) const;

  bool operator==(const FitRecord&) const = default;
};

/// How much the input at one node moves the result at another, by their distance.
struct ProbeRecord {
  std::string dataset;
  std::string model;
  int depth = 0;
  std::uint64_t seed = 0;
  int fold = -1;   // -1: there are none
  int epochs = 0;  // that it was to be trained for; 0: not known
  std::vector<double> distance;
  std::vector<double> influence;  // mean absolute Jacobian at that distance
  std::vector<double> nodes;      // how many pairs of nodes the mean is over

  bool operator==(const ProbeRecord&) const = default;
};

struct Records {
  std::vector<FitRecord> fits;
  std::vector<ProbeRecord> probes;
  std::vector<std::string> notes;  // what was passed over, and why
};

/// Whether models of this name have levels, not layers.
bool is_hierarchical(std::string_view model);
/// The name under which records have a model: "hgnet" with its coarsening behind it, others as they are.
std::string record_model(const std::string& model, std::string_view coarsening);
/// One line each, without its end.
std::string to_json(const FitRecord& record);
std::string to_json(const ProbeRecord& record);

/// Adds what is in `text`: a record per line, or one record over several lines where the name ends in .json. Throws
/// InvalidFile, with `name` and the line, for what is no record. Passed over with a note: a last line that was not
/// written to its end, and objects that are about something else (neither "model" nor "kind" in them).
void parse_records(std::string_view text, const std::string& name, Records& records);

/// The one record of a file such as result.json. Throws InvalidFile, as above, also where there is none.
FitRecord parse_fit_record(std::string_view text, const std::string& file);

/// All records as lines, packed as a .jsonl.gz file.
std::string packed(const Records& records);

/// Reads files, and below folders every result.json, *.jsonl and *.jsonl.gz (but no epochs.jsonl, which is a fit's log),
/// in the order of their names. A record that is there twice counts once. Throws InvalidFile as above and for a place that is not there.
Records read_records(std::span<const std::filesystem::path> places);

}  // namespace hgnet
