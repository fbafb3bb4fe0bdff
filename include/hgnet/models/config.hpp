#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/coarsening/louvain.hpp"
#include "hgnet/core/activation.hpp"
#include "hgnet/core/enum_names.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/task.hpp"
#include "hgnet/nn/kinds.hpp"

namespace hgnet {

enum class Coarsening { kEdgePool, kLouvain, kHeavyEdge, kRandom, kTopK };
/// How a level takes up what comes down from the level above; see HgnetNetwork.
enum class Join { kRgcn, kSum, kConcat, kParent };
enum class Readout { kMean, kSum, kMax };

/// Everything a model is made from; weights aside, two models of equal configuration compute the same. Fields that the
/// chosen model has no use for must keep their defaults: check() refuses others, so that nothing is set in vain.
struct ModelConfig {
  std::string model = "gcn";  // see model_names()
  Task task = Task::kNode;
  std::int64_t inputs = 0;   // width of the node features; molecules: kAtomWidth
  std::int64_t outputs = 0;  // classes, labels or targets
  bool molecule = false;     // atoms and bonds as input

  std::int64_t hidden = 32;  // gat: of one head
  int layers = 2;            // flat models
  int levels = 1;            // hierarchical models
  Norm norm = Norm::kNone;
  Activation activation = Activation::kElu;
  double dropout = 0;        // after every activation but the last
  double input_dropout = 0;  // on the features
  double edge_dropout = 0;   // undirected edges left out of G_0, drawn anew each time
  bool residual = false;     // flat models: x + layer(x) where the widths agree

  // Graph tasks: rows of a graph's nodes -> one row, then Linear, activation, dropout, Linear.
  Readout readout = Readout::kMean;
  std::int64_t classifier_hidden = 128;
  Activation classifier_activation = Activation::kElu;
  double classifier_dropout = 0;

  // Layers.
  LayerKind layer = LayerKind::kGcn;  // hgnet: the layer going up, and down with join sum or concat
  std::int64_t heads = 1;             // gat
  std::int64_t last_heads = 1;        // gat, node tasks: of the last layer
  double attention_dropout = 0;       // gat
  int cheb_order = 2;                 // cheb: K
  bool trainable_eps = false;         // gin

  // HGNet.
  Coarsening coarsening = Coarsening::kEdgePool;
  Join join = Join::kRgcn;
  Aggregation aggregation = Aggregation::kSum;    // join rgcn
  SelfLoops self_loops = SelfLoops::kRemove;      // edgepool: of coarse nodes
  EdgePooling edge_weights = EdgePooling::kMean;  // of coarse edges
  Partition partition = Partition::kFirstPass;    // louvain
  bool weighted_louvain = false;                  // louvain: by the edge weights
  std::uint64_t coarsening_seed = 0;              // louvain, heavy-edge, random

  // g-U-Net and coarsening top-k: what each level keeps; up to 1 a share of the nodes, above a count.
  std::vector<double> keep;

  bool operator==(const ModelConfig&) const = default;
};

/// A setting that the chosen model has no use for.
class NoEffect : public Error {
 public:
  using Error::Error;
};

/// Throws Error, saying why, for a configuration that no model can be made of; NoEffect for a setting in vain.
void check(const ModelConfig& config);

/// A JSON object with every field, and back; a field that is missing has its default. Throws Error, naming the
/// field, for one that does not exist or has a wrong value.
std::string to_json(const ModelConfig& config);
ModelConfig model_config_from_json(std::string_view json);

/// The first field in which two configurations differ, as "hidden is 32 and 64"; empty when they are equal.
std::string first_difference(const ModelConfig& a, const ModelConfig& b);

/// Calls visit(name, field, help) for every field of a ModelConfig, const or not.
template <class Config, class Visit>
void for_each_field(Config& c, Visit&& visit) {
  visit("model", c.model, "name of the model");
  visit("task", c.task, "what is predicted");
  visit("inputs", c.inputs, "width of the node features");
  visit("outputs", c.outputs, "classes, labels or targets");
  visit("molecule", c.molecule, "atoms and bonds as input");
  visit("hidden", c.hidden, "hidden width (gat: of one head)");
  visit("layers", c.layers, "layers of a flat model");
  visit("levels", c.levels, "coarse levels of a hierarchical model");
  visit("norm", c.norm, "normalisation after each layer");
  visit("activation", c.activation, "activation after each layer");
  visit("dropout", c.dropout, "dropout after each activation");
  visit("input-dropout", c.input_dropout, "dropout on the features");
  visit("edge-dropout", c.edge_dropout, "share of edges left out while training");
  visit("residual", c.residual, "flat models: add a layer's input to its result");
  visit("readout", c.readout, "rows of nodes to one row per graph");
  visit("classifier-hidden", c.classifier_hidden, "hidden width of the classifier");
  visit("classifier-activation", c.classifier_activation, "activation inside the classifier");
  visit("classifier-dropout", c.classifier_dropout, "dropout inside the classifier");
  visit("layer", c.layer, "hgnet: the layer going up");
  visit("heads", c.heads, "gat: attention heads");
  visit("last-heads", c.last_heads, "gat: heads of the last layer, node tasks");
  visit("attention-dropout", c.attention_dropout, "gat: dropout on attention");
  visit("cheb-order", c.cheb_order, "cheb: number of polynomials K");
  visit("trainable-eps", c.trainable_eps, "gin: learn eps");
  visit("coarsening", c.coarsening, "hgnet: how levels are made");
  visit("join", c.join, "hgnet: how levels are joined going down");
  visit("aggregation", c.aggregation, "hgnet, join rgcn: sum or mean over a relation");
  visit("self-loops", c.self_loops, "edgepool: keep self-loops of coarse nodes");
  visit("edge-weights", c.edge_weights, "hgnet: weights of coarse edges");
  visit("partition", c.partition, "louvain: first pass or best partition");
  visit("weighted-louvain", c.weighted_louvain, "louvain: go by the edge weights");
  visit("coarsening-seed", c.coarsening_seed, "seed of louvain, heavy-edge and random");
  visit("keep", c.keep, "g-unet, top-k: kept at each level, shares or counts");
}

#define HGNET_ENUM_NAMES(Enum, text, count, ...)                                            \
  template <>                                                                               \
  struct EnumNames<Enum> {                                                                  \
    static constexpr const char* what = text;                                               \
    static constexpr std::array<std::pair<Enum, const char*>, count> values{{__VA_ARGS__}}; \
  }

HGNET_ENUM_NAMES(Coarsening, "coarsening", 5, {Coarsening::kEdgePool, "edgepool"},
                 {Coarsening::kLouvain, "louvain"}, {Coarsening::kHeavyEdge, "heavy-edge"},
                 {Coarsening::kRandom, "random"}, {Coarsening::kTopK, "top-k"});
HGNET_ENUM_NAMES(Join, "join", 4, {Join::kRgcn, "rgcn"}, {Join::kSum, "sum"},
                 {Join::kConcat, "concat"}, {Join::kParent, "parent"});
HGNET_ENUM_NAMES(Readout, "readout", 3, {Readout::kMean, "mean"}, {Readout::kSum, "sum"},
                 {Readout::kMax, "max"});
HGNET_ENUM_NAMES(SelfLoops, "treatment of self-loops", 2, {SelfLoops::kRemove, "remove"},
                 {SelfLoops::kKeep, "keep"});
HGNET_ENUM_NAMES(EdgePooling, "pooling of edges", 2, {EdgePooling::kMean, "mean"},
                 {EdgePooling::kSum, "sum"});
HGNET_ENUM_NAMES(Partition, "partition", 2, {Partition::kFirstPass, "first-pass"},
                 {Partition::kBest, "best"});
#undef HGNET_ENUM_NAMES

}  // namespace hgnet
