#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/config/model_config.hpp"
#include "hgnet/config/reading.hpp"
#include "hgnet/core/enum_names.hpp"
#include "hgnet/data/dataset.hpp"
#include "hgnet/data/encoding.hpp"
#include "hgnet/data/load.hpp"

namespace hgnet {

/// Which parameters weight decay applies to.
enum class DecayOn { kAll, kFirstLayer };

template <>
struct EnumNames<DecayOn> {
  static constexpr const char* what = "choice of decayed parameters";
  static constexpr std::array<std::pair<DecayOn, const char*>, 2> values{
      {{DecayOn::kAll, "all"}, {DecayOn::kFirstLayer, "first-layer"}}};
};

/// What each class counts in the loss; of labels, a yes beside a no.
enum class ClassWeights {
  kNone,      // every sample the same
  kBalanced,  // every class the same: weights against its share of the training samples
};

template <>
struct EnumNames<ClassWeights> {
  static constexpr const char* what = "choice of class weights";
  static constexpr std::array<std::pair<ClassWeights, const char*>, 2> values{
      {{ClassWeights::kNone, "none"}, {ClassWeights::kBalanced, "balanced"}}};
};

/// Whose rows the statistics of norms are of when several processes share a batch.
enum class NormOver { kBatch, kRank };

template <>
struct EnumNames<NormOver> {
  static constexpr const char* what = "choice of rows for norms";
  static constexpr std::array<std::pair<NormOver, const char*>, 2> values{
      {{NormOver::kBatch, "batch"}, {NormOver::kRank, "rank"}}};
};

/// Everything that defines a fit: together with the data set's files, it determines the results.
struct TrainConfig {
  Reading reading = Reading::kAsWritten;  // of the paper; see read_settings
  std::string dataset;                    // name or path: see load_dataset
  std::string root;                       // where named data sets lie; not part of a record
  bool node_attributes = false;           // TU sets
  EdgeFeatures edge_features = EdgeFeatures::kIgnore;  // complete() settles kAuto
  Targets targets = Targets::kAuto;
  std::string label_column;  // of tables; empty: "label"
  std::string categorical;   // columns of tables
  Directed directed = Directed::kError;
  Missing missing = Missing::kError;
  bool standardise = false;  // numbers among the features, and those to predict
  std::string split;         // see choose_split
  int fold = -1;             // of splits into folds
  std::uint64_t split_seed = 0;

  std::string model = "gcn";  // one of model_names()
  ModelConfig network;        // its full settings; task, inputs and outputs follow the data set

  std::uint64_t seed = 0;  // of weights, dropout and the order of samples
  std::int64_t epochs = 200;
  std::int64_t batch = 32;       // graphs
  std::int64_t batch_nodes = 0;  // node tasks: nodes in a batch, about; 0: the whole graph
  std::string memory;            // node tasks, "2GB": the most to use; see plan_memory. Empty: any
  double lr = 0.001;
  double weight_decay = 0;
  DecayOn decay_on = DecayOn::kAll;
  double lr_decay = 1;              // the learning rate is multiplied by this ...
  std::int64_t lr_decay_every = 0;  // ... after so many epochs; 0: never
  std::int64_t patience = 0;  // stop after so many epochs without a better validation; 0: never
  ClassWeights class_weights = ClassWeights::kNone;
  double clip = 0;           // largest norm of the gradient; 0: any
  std::string metric;        // chooses the best epoch; empty: the data set's
  double max_hours = 0;      // of training and evaluating; 0: any
  bool recalibrate = false;  // score every epoch also after recalibrate(): a diagnostic
  std::string init_from;     // run whose weights the fit begins with; empty: drawn from the seed
  NormOver norm_over = NormOver::kBatch;
  int threads = 1;

  bool operator==(const TrainConfig&) const = default;
};

/// Calls visit(name, field, help) for every field of a TrainConfig, const or not, and then for
/// those of the network.
template <class Config, class Visit>
void for_each_train_field(Config& c, Visit&& visit) {
  visit("dataset", c.dataset, "name or path of the data set");
  visit("root", c.root, "folder of named data sets (HGNET_DATA)");
  visit("node-attributes", c.node_attributes,
        "TU sets: put node attributes before the node labels");
  visit("edge-features", c.edge_features,
        "features of edges, for models that read them (auto: those of own data)");
  visit("targets", c.targets, "kind of the labels in nodes.csv, where it is not clear from them");
  visit("label-column", c.label_column,
        "column of labels, or several separated by commas (default: label)");
  visit("categorical", c.categorical,
        "columns of numbers that are categories, separated by commas");
  visit("directed", c.directed, "directed graphs: refuse, or take edges in both directions");
  visit("missing", c.missing, "missing cells: refuse, fill in the mean, or mark them, too");
  visit("standardise", c.standardise,
        "numbers to mean 0 and deviation 1 in the training part (default for own data)");
  visit("split", c.split,
        "public, scaffold, own, sanitized:K, sanitized-walk:K, folds:N, random:TRAIN,VAL,TEST or a "
        "fold file");
  visit("fold", c.fold, "which fold tests");
  visit("split-seed", c.split_seed, "seed of drawn splits");
  visit("reading", c.reading, "of the paper: as it is written, or as its authors' program runs");
  visit("model", c.model, "name of the model");
  visit("seed", c.seed, "seed of weights, dropout and sample order");
  visit("epochs", c.epochs, "passes over the training samples");
  visit("batch", c.batch, "graphs in a batch");
  visit("batch-nodes", c.batch_nodes,
        "node tasks: nodes in a batch of communities, about; 0: the whole graph");
  visit("memory", c.memory,
        "node tasks: the most memory to use, such as 2GB; chooses batch-nodes (default: any)");
  visit("lr", c.lr, "learning rate of Adam");
  visit("weight-decay", c.weight_decay, "L2 penalty");
  visit("decay-on", c.decay_on, "what the L2 penalty is for");
  visit("lr-decay", c.lr_decay,
        "factor on the learning rate after every so many epochs (lr-decay-every)");
  visit("lr-decay-every", c.lr_decay_every, "epochs between two decays; 0: none");
  visit("patience", c.patience, "stop after so many epochs without a better validation; 0: never");
  visit("class-weights", c.class_weights,
        "none, or balanced: rare classes count as much as frequent ones");
  visit("clip", c.clip, "largest norm of the gradient; 0: any");
  visit("metric", c.metric, "what chooses the best epoch");
  visit("max-hours", c.max_hours, "stop after the first epoch that ends later than this; 0: never");
  visit("recalibrate", c.recalibrate,
        "score every epoch also with the norms' statistics recomputed over the training samples");
  visit("init-from", c.init_from, "folder of a run whose weights the fit begins with");
  visit(
      "norm-over", c.norm_over,
      "of several processes: batch norm over the whole batch, or over each process's part (rank)");
  visit("threads", c.threads, "threads of one fit, on a machine");
  for_each_field(c.network,
                 [&](const std::string& name, auto& field, const char* help, const Readers&) {
                   if (name != "model") visit(name.c_str(), field, help);
                 });
}

/// How the configuration reads its data set.
LoadOptions load_options(const TrainConfig& config);

/// Throws Error, naming the field, for values out of range, sizes beyond limits.hpp, and values
/// that config.toml cannot hold: text with control characters or invalid UTF-8, seeds from 2^63 on.
/// The network is checked when a model is made from it.
void check(const TrainConfig& config);

/// Settings of the machine, not of the fit.
inline constexpr std::array<std::string_view, 3> kOfMachine{"root", "threads", "memory"};
/// Settings in which the fits of one model differ: their scores have a mean, and they predict
/// together.
inline constexpr std::array<std::string_view, 7> kOfMember{
    "seed", "fold", "coarsening-seed", "init-from", "root", "threads", "memory"};
/// Settings that may change when a fit continues: its numbers so far do not depend on them.
inline constexpr std::array<std::string_view, 6> kMayChange{"epochs", "max-hours", "patience",
                                                            "root",   "threads",   "memory"};

/// The first setting in which two configurations differ, as "lr is 0.1 and 0.2", ignoring some;
/// empty if there is none.
std::string first_difference(const TrainConfig& a, const TrainConfig& b,
                             std::span<const std::string_view> ignored);

/// One line `name = value` per field: TOML.
std::string to_toml(const TrainConfig& config);

/// Sets the fields named in TOML, except the model, which decides what else applies. A table such
/// as [flat], [hgnet] or [gat] applies only to models of that name or group: "flat" and
/// "hierarchical", "hgnet" for all hgnet-..., or a name from model_names(). Throws InvalidFile,
/// with `file` and line, for fields that do not exist or have an invalid value.
void apply_toml(TrainConfig& config, std::string_view toml, const std::string& file);

/// The model that TOML names, if any. Throws InvalidFile for one that does not exist.
std::optional<std::string> model_in_toml(std::string_view toml, const std::string& file);

/// Reads what to_toml wrote. Throws InvalidFile, also for values that check() refuses.
TrainConfig train_config_from_toml(std::string_view toml, const std::string& file);

/// Names of the built-in presets: the files of configs/.
std::vector<std::string> preset_names();

/// Applies a built-in preset. Throws Error, with the nearest names, for an unknown one.
void apply_preset(TrainConfig& config, const std::string& preset);

/// The preset for a data set: citation, tu, color-connectivity or molecules.
std::string preset_for(const Dataset& dataset);

/// The settings with which a model begins on a data set: its defaults, what the data suggest, then
/// the preset (empty: preset_for). `edge_features` says whether columns of edges are to be read.
TrainConfig first_settings(const std::string& model, const Dataset& dataset,
                           const std::string& preset = {},
                           EdgeFeatures edge_features = EdgeFeatures::kAuto);

/// Whether the nodes are OGB's atoms and the edges bonds.
bool are_molecules(const Dataset& dataset);

/// Fills in what follows from the data set and the other settings: task, widths of inputs and
/// outputs, use of edge features, split and fold, metric, and as many `keep` entries as there are
/// levels.
void complete(TrainConfig& config, const Dataset& dataset);

}  // namespace hgnet
